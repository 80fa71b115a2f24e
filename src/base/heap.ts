// How much memory the process may let lie before it looks for garbage.
import { setFlagsFromString } from 'node:v8'

/** Old space may grow by this share of what lives in it until the next full collection; V8's own choice is up to 300 %. */
const GROWTH_PCT = 60

/** Trades some time for memory: a long backfill then stays near what it holds. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PCT}`)
