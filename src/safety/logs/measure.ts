// All facts about a token's contract from logs. Input: the logs of a window. Output: numbers that need no call to the
// node. Pure.
import type { LogFacts } from '../log-facts.ts'
import { measureMints } from './mints.ts'
import { measureCrowd, measureRun } from './trades.ts'
import type { LogWindow } from './window.ts'

export const measureLogs = (window: LogWindow): LogFacts => ({
  from: window.from,
  to: window.to,
  launchedBlock: window.launchedBlock,
  ...measureCrowd(window),
  ...measureRun(window),
  ...measureMints(window),
})
