// The newest final block, by the provider's `finalized` tag, else by a number of blocks below the head. Input: heads.
// Output: a block number below the head. The tag is asked for together with new blocks, once for a few of them. A tag that
// is nearer to the head than any before is asked for twice: one false answer must make no block final.
import type { Clock } from '../../base/clock.ts'
import { readLink } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { getBlock } from './blocks.ts'

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
/** After so many answers without the tag the provider counts as one that does not know it. */
const MISSING_TAGS = 10

const GET_TAG = getBlock('finalized', false)

/** Believes a tag that is nearer to its head than any before when it was seen twice. */
function createTagCheck() {
  /** The smallest distance of a tag to its head that was seen twice. */
  let nearest = Number.POSITIVE_INFINITY
  /** A nearer tag that was seen once. */
  let seenOnce: number | null = null
  return {
    hasSeen: () => Number.isFinite(nearest),
    /** The tag, if it is no nearer than usual, or the lower of two; null: it was seen once only. */
    confirm(head: number, tagged: number): number | null {
      if (head - tagged >= nearest) return tagged
      const before = seenOnce
      seenOnce = before === null ? tagged : null
      if (before === null) return null
      const agreed = Math.min(before, tagged)
      nearest = Math.min(nearest, head - agreed)
      return agreed
    },
  }
}

export function createFinality(rpc: Rpc, depth: number, clock: Clock): Finality {
  const { hasSeen, confirm } = createTagCheck()
  let newest = -1
  let askFromMs = -Infinity
  let notedAt = -Infinity
  /** Answers in a row without a tag, from a provider that gave it before. */
  let missing = 0

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

  /** A tag that is missing for a moment must not make the blocks above it final by their depth. */
  async function ask(): Promise<number | null> {
    const tagged = readTag((await rpc.batch([GET_TAG], 1))[0])
    missing = tagged === null ? missing + 1 : 0
    return tagged === null && hasSeen() && missing < MISSING_TAGS ? newest : tagged
  }

  async function readConfirmed(head: number): Promise<number | null> {
    const first = await ask()
    const confirmed = first === null ? null : confirm(head, first)
    if (first === null || confirmed !== null) return confirmed
    const second = await ask()
    return second === null ? null : confirm(head, second)
  }

  /** The newest block has no successor that would confirm it. */
  const below = (head: number, tagged: number | null): number => {
    newest = Math.min(head - 1, Math.max(newest, tagged ?? head - depth))
    return newest
  }

  return {
    ask: (head) => (isTagged() && !isYoung(head) ? [GET_TAG] : []),
    note(answers, head) {
      const [answer] = answers
      const tagged = answer ? readTag(answer) : null
      const confirmed = tagged === null || answer?.error ? null : confirm(head, tagged)
      if (confirmed === null) return
      notedAt = head
      below(head, confirmed)
    },
    async read(head) {
      if (isYoung(head)) return below(head, newest)
      return below(head, isTagged() ? await readConfirmed(head) : null)
    },
  }
}
