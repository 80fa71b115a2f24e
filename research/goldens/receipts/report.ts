// The lines of a report on judged receipts: how many swaps of each chain and protocol are right, and each miss with its
// reason.

import { VERDICTS } from './judge.ts'
import type { JudgedSwap } from './run.ts'

export interface Report {
  lines: string[]
  /** Whether no swap is given to the wrong trader. */
  isRight: boolean
}

export function toReport(judged: readonly JudgedSwap[]): Report {
  const right = judged.filter(({ verdict }) => verdict === 'right').length
  const wrong = judged.filter(({ verdict }) => verdict === 'wrong trader').length
  const claimed = judged.filter(({ isClaimed }) => isClaimed)
  const held = claimed.filter(({ verdict }) => verdict === 'right' || verdict === 'surplus or fee').length
  const share = claimed.length === 0 ? 0 : (100 * held) / claimed.length
  return {
    lines: [
      ...toTable('chain', judged, ({ expected }) => expected.chain),
      ...toTable('protocol', judged, ({ expected }) => expected.protocol),
      ...byExchange(judged),
      ...judged
        .filter(({ verdict }) => verdict !== 'right')
        .map(({ verdict, expected, reason }) =>
          [verdict, expected.chain, expected.protocol, expected.txHash, reason].join(' | '),
        ),
      `${right} of ${judged.length} swaps are right, ${wrong} have the wrong trader, ${judged.length - right - wrong} are missed in part or whole`,
      `${held} of ${claimed.length} swaps whose whole route is on exchanges that are read are right (${share.toFixed(1)} %)`,
    ],
    isRight: wrong === 0 && judged.length > 0,
  }
}

function toTable(name: string, judged: readonly JudgedSwap[], keyOf: (swap: JudgedSwap) => string): string[] {
  const keys = [...new Set(judged.map(keyOf))].sort()
  const head = [`swaps by ${name}`.padEnd(24), ...['expected', ...VERDICTS].map((word) => word.padStart(15))].join('')
  const rows = keys.map((key) => {
    const own = judged.filter((each) => keyOf(each) === key)
    const counts = [own.length, ...VERDICTS.map((verdict) => own.filter((each) => each.verdict === verdict).length)]
    return [key.padEnd(24), ...counts.map((count) => `${count || '.'}`.padStart(15))].join('')
  })
  return [head, ...rows]
}

/** How many swaps of each exchange the index has as an event, of those that the recordings have as a log. */
function byExchange(judged: readonly JudgedSwap[]): string[] {
  const logs = judged.flatMap((each) => each.logs)
  const names = [...new Set(logs.map(({ exchange }) => exchange))].sort()
  return names.map((name) => {
    const own = logs.filter(({ exchange }) => exchange === name)
    return `logs of ${name}: ${own.filter(({ isSeen }) => isSeen).length} of ${own.length} seen`
  })
}
