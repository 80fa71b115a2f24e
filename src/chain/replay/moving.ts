// The demo as a moving chain: the recording, shifted so that it ends now, and then a block every few seconds. The times
// in its logs shift too. Some of the new blocks are replaced by a reorganisation of one block.
import { itemAt } from '../../base/item-at.ts'
import { answerCall } from './call.ts'
import { bornBy, type RecordedBlock, type Recording } from './recording.ts'
import type { Rounds } from './rounds.ts'
import { shiftTimes } from './shift-times.ts'
import type { Tape } from './tape.ts'
import type { Timeline } from './timeline.ts'

/** The number of blocks remembered by hash: far more than a follower asks for. */
const REMEMBERED = 4_096

export function createMovingTape(recording: Recording, rounds: Rounds, timeline: Timeline): Tape {
  const { blocks, chainId, finalityDepth, codes } = recording
  const first = blocks.length
  const numbers = new Map(blocks.map(({ hash }, number) => [hash, number]))
  const { head } = timeline
  /** Whether the block is shown without the transactions of its place in the round. */
  const isEmptied = (number: number) => number === head() && rounds.isReplaced(number)

  /** The block whose end the contracts' state is. */
  const shownBy = (number: number) => (isEmptied(number) ? number - 1 : number)

  function block(number: number): RecordedBlock | undefined {
    const recorded = blocks[number]
    if (recorded) {
      const time = timeline.timeOf(number, recorded.time)
      const { hash, bloom, transactions, logs } = recorded
      return { hash, time, bloom, transactions, logs: logs.map((log) => shiftTimes(log, time - recorded.time)) }
    }
    if (number < first || number > head()) return undefined
    const made = { ...rounds.block(number, isEmptied(number) ? 1 : 0), time: timeline.timeOf(number) }
    numbers.delete(made.hash)
    numbers.set(made.hash, number)
    if (numbers.size > first + REMEMBERED) forgetOldest(numbers, first)
    return made
  }

  return {
    chainId,
    finalityDepth,
    head,
    block,
    mayHave: (number, keys) => blocks[number]?.keys?.hasAny(keys) ?? true,
    find(hash) {
      const number = numbers.get(hash)
      return number !== undefined && block(number)?.hash === hash ? number : null
    },
    call: (call, number) => answerCall(rounds.contract, rounds.state, call, shownBy(number)),
    contract: (address, number) => bornBy(rounds.contract(address), shownBy(number)),
    code: ({ code }) => itemAt(codes, code),
  }
}

/** Forgets the least recently requested block after the recording. */
function forgetOldest(numbers: Map<string, number>, first: number): void {
  for (const [hash, number] of numbers) {
    if (number < first) continue
    numbers.delete(hash)
    return
  }
}
