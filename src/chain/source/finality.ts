// The newest final block, by the provider's `finalized` tag, else by a number of blocks below the head. Input: heads.
// Output: a block number that never decreases. The tag is asked for together with new blocks, once for a few of them.
import type { Clock } from '../../base/clock.ts'
import { readLink } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'

export interface Finality {
  /** The newest final block. Asks the provider, unless an answer to `ask` is younger than eight blocks. */
  read(head: number): Promise<number>
  /** The call for the tag, to send with others; none while the last answer is young. */
  ask(head: number): Call[]
  /** Takes the answer to `ask`. */
  note(answers: readonly RpcAnswer[], head: number): void
}

/** How long a refused tag is not requested from a provider: the refusal may be one backend's, or a passing fault. */
const ASK_TAG_AGAIN_MS = 600_000
/** The tag is asked for once in so many blocks. */
export const BLOCKS_PER_TAG = 8

const GET_TAG: Call = { method: 'eth_getBlockByNumber', params: ['finalized', false] }

export function createFinality(rpc: Rpc, depth: number, clock: Clock): Finality {
  let newest = 0
  let askFromMs = -Infinity
  let notedAt = -Infinity

  const isTagged = () => clock.monotonicMs() >= askFromMs
  const isYoung = (head: number) => head >= notedAt && head - notedAt < BLOCKS_PER_TAG

  /** The block that the answer names; null: the provider has no such block, or does not know the tag. */
  function readTag(answer: RpcAnswer | undefined): number | null {
    if (answer && isAnswered(answer)) return readLink(answer.result)?.number ?? null
    const kind = answer?.error.kind
    if (kind === 'unsupported' || kind === 'rejected') askFromMs = clock.monotonicMs() + ASK_TAG_AGAIN_MS
    if (kind === 'transient' || kind === 'rate') return newest
    return null
  }

  const raise = (head: number, tagged: number | null): number => {
    newest = Math.max(newest, Math.min(head, tagged ?? head - depth))
    return newest
  }

  return {
    ask: (head) => (isTagged() && !isYoung(head) ? [GET_TAG] : []),
    note(answers, head) {
      const [answer] = answers
      const tagged = answer ? readTag(answer) : null
      if (tagged === null || answer?.error) return
      notedAt = head
      raise(head, tagged)
    },
    async read(head) {
      if (isYoung(head)) return newest
      return raise(head, isTagged() ? readTag((await rpc.batch([GET_TAG], 1))[0]) : null)
    },
  }
}
