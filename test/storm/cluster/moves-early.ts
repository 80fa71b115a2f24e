// The program, whose role `index` moves events to the history in small segments and without long pauses. So a rehearsal
// of some minutes sees many moves. Only the sizes and pauses differ from the program's own.
import { MOVE_DEFAULTS } from '../../../src/indexing/move-history.ts'

Object.assign(MOVE_DEFAULTS, { reach: 500, blocks: 500, least: 8, most: 100, lookMs: 4_000 })
await import('../../../src/main.ts')
