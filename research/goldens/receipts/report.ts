// The lines of a report on judged receipts: how many swaps of each chain and protocol are right, and each miss with its
// reason. Changes of liquidity have a table of their own.
import { CHANGE_VERDICTS } from './changes.ts'
import { VERDICTS } from './judge.ts'
import type { Expectation } from './read.ts'
import type { JudgedReceipts, JudgedSwap } from './run.ts'

export interface Report {
  lines: string[]
  /** Whether no swap is given to the wrong trader, and no change of liquidity to the wrong wallet or with a wrong amount. */
  isRight: boolean
}

export function toReport({ swaps: judged, changes }: JudgedReceipts): Report {
  const right = judged.filter(({ verdict }) => verdict === 'right').length
  const wrong = judged.filter(({ verdict }) => verdict === 'wrong trader').length
  const count = (verdict: string) => changes.filter((each) => each.verdict === verdict).length
  const wrongly = count('wrong wallet') + count('wrong amount')
  const claimed = judged.filter(({ isClaimed }) => isClaimed)
  const held = claimed.filter(({ verdict }) => verdict === 'right' || verdict === 'surplus or fee').length
  const share = claimed.length === 0 ? 0 : (100 * held) / claimed.length
  return {
    lines: [
      ...toTable('swaps by chain', VERDICTS, judged, ({ chain }) => chain),
      ...toTable('swaps by protocol', VERDICTS, judged, ({ protocol }) => protocol),
      ...byExchange(judged),
      ...toTable('changes of liquidity', CHANGE_VERDICTS, changes, ({ kind, protocol }) => `${protocol} ${kind}`),
      ...toTable('changes by chain', CHANGE_VERDICTS, changes, ({ chain }) => chain),
      ...[...judged, ...changes]
        .filter(({ verdict }) => verdict !== 'right' && verdict !== 'no pool')
        .map(({ verdict, expected, reason }) =>
          [verdict, expected.chain, expected.kind, expected.protocol, expected.txHash, reason].join(' | '),
        ),
      `${right} of ${judged.length} swaps are right, ${wrong} have the wrong trader, ${judged.length - right - wrong} are missed in part or whole`,
      `${held} of ${claimed.length} swaps whose whole route is on exchanges that are read are right (${share.toFixed(1)} %)`,
      `${count('right')} of ${changes.length} changes of liquidity are right, ${count('with fees')} with collected fees, ${wrongly} wrong; ${count('no pool')} change no pool`,
    ],
    isRight: wrong === 0 && wrongly === 0 && judged.length > 0,
  }
}

interface One {
  expected: Expectation
  verdict: string
}

function toTable(
  name: string,
  verdicts: readonly string[],
  judged: readonly One[],
  keyOf: (expected: Expectation) => string,
): string[] {
  const keys = [...new Set(judged.map(({ expected }) => keyOf(expected)))].sort()
  const head = [name.padEnd(24), ...['expected', ...verdicts].map((word) => word.padStart(15))].join('')
  const rows = keys.map((key) => {
    const own = judged.filter(({ expected }) => keyOf(expected) === key)
    const counts = [own.length, ...verdicts.map((verdict) => own.filter((each) => each.verdict === verdict).length)]
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
