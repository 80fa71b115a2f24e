// What V8 is told about this program: how much memory may lie before it looks for garbage, and when it compiles.
import { setFlagsFromString } from 'node:v8'

/** Old space may grow by this share of what lives in it until the next full collection; V8's own choice is up to 300 %. */
const GROWTH_PCT = 60

/** Bytes of bytecode that run before V8 looks whether a function is worth compiling, eight times its own choice. */
const COMPILE_AFTER = 540_672

/** Trades some time for memory: a long backfill then stays near what it holds. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PCT}`)

/** On two processors, compiling what runs for a moment costs what it was to save: a tenth of a short backfill. */
export const compileLate = (): void => setFlagsFromString(`--interrupt-budget=${COMPILE_AFTER}`)
