// The newest final block, by the provider's `finalized` tag, else by blocks or seconds below the head. Input: heads.
// Output: a block number below the head. The tag is asked for together with new blocks, once for a few of them. A tag that
// is nearer to the head than any before is asked for twice: one false answer must make no block final.
import type { Clock } from '../../base/clock.ts'
import type { Preset } from '../presets/preset.ts'
import { readHeaderTime, readLink } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { getBlock } from './blocks.ts'

export interface Finality {
  /** The newest final block. Asks the provider, unless an answer to `ask` is younger than eight blocks. */
  read(head: number): Promise<number>
  /** The call for the tag, to send with others; none while the last answer is young. */
  ask(head: number): Call[]
  /** The newest final block of all answers; -1: none came. */
  newest(): number
  /** Takes the answer to `ask`. */
  note(answers: readonly RpcAnswer[], head: number): void
}

/** How long a refused tag is not requested from a provider: the refusal may be one backend's, or a passing fault. */
const ASK_TAG_AGAIN_MS = 600_000
/** The tag is asked for once in so many blocks, and on chains of fast blocks once in so many seconds. */
const BLOCKS_PER_TAG = 8
const TAG_MS = 16_000
/** The blocks between two questions for the tag. */
export const blocksPerTag = (blockSeconds: number): number => Math.max(BLOCKS_PER_TAG, TAG_MS / 1_000 / blockSeconds)
/** The blocks whose times tell how long one takes, and how long that holds. */
const MEASURED_BLOCKS = 1_000
const MEASURE_AGAIN_MS = 600_000
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

/** Blocks below the head, or seconds. */
export type FinalityRule = Pick<Preset, 'finalityDepth' | 'finalitySeconds'>

/** The depth in blocks. A time is converted by how long the newest blocks took; null: the provider does not tell now. */
function createDepth(rpc: Rpc, { finalityDepth, finalitySeconds }: FinalityRule, clock: Clock) {
  let known: { depth: number; untilMs: number } | null = null

  async function measure(head: number, seconds: number): Promise<number | null> {
    const first = Math.max(0, head - MEASURED_BLOCKS)
    if (first === head) return 1
    const answers = await rpc.batch([getBlock(first, false), getBlock(head, false)], 1)
    const [from, to] = answers.map((answer) => (isAnswered(answer) ? readHeaderTime(answer.result) : null))
    if (typeof from !== 'number' || typeof to !== 'number') return null
    // Blocks of one second: as if all took that second.
    return Math.ceil((seconds * (head - first)) / Math.max(1, to - from))
  }

  return async (head: number): Promise<number | null> => {
    if (finalityDepth !== undefined) return finalityDepth
    if (known && clock.monotonicMs() < known.untilMs) return known.depth
    const depth = await measure(head, finalitySeconds ?? 0)
    if (depth !== null) known = { depth, untilMs: clock.monotonicMs() + MEASURE_AGAIN_MS }
    return depth ?? known?.depth ?? null
  }
}

interface State {
  rpc: Rpc
  clock: Clock
  newest: number
  askFromMs: number
  /** Answers in a row without a tag, from a provider that gave it before. */
  missing: number
}

/** The block that the answer names; null: the provider has no such block, or does not know the tag. */
function readTag(state: State, answer: RpcAnswer | undefined): number | null {
  if (answer && isAnswered(answer)) return readLink(answer.result)?.number ?? null
  const kind = answer?.error.kind
  if (kind === 'unsupported' || kind === 'rejected') state.askFromMs = state.clock.monotonicMs() + ASK_TAG_AGAIN_MS
  if (kind === 'transient' || kind === 'rate') return state.newest
  return null
}

/** A tag that is missing for a moment must not make the blocks above it final by their depth. */
async function ask(state: State, hasSeen: () => boolean): Promise<number | null> {
  const tagged = readTag(state, (await state.rpc.batch([GET_TAG], 1))[0])
  state.missing = tagged === null ? state.missing + 1 : 0
  return tagged === null && hasSeen() && state.missing < MISSING_TAGS ? state.newest : tagged
}

export function createFinality(rpc: Rpc, rule: FinalityRule, clock: Clock): Finality {
  const { hasSeen, confirm } = createTagCheck()
  const depthOf = createDepth(rpc, rule, clock)
  const state: State = { rpc, clock, newest: -1, askFromMs: -Infinity, missing: 0 }
  let notedAt = -Infinity
  let notedMs = -Infinity

  const isTagged = () => clock.monotonicMs() >= state.askFromMs
  const isYoung = (head: number) =>
    head >= notedAt && (head - notedAt < BLOCKS_PER_TAG || clock.monotonicMs() - notedMs < TAG_MS)

  async function readConfirmed(head: number): Promise<number | null> {
    const first = await ask(state, hasSeen)
    const confirmed = first === null ? null : confirm(head, first)
    if (first === null || confirmed !== null) return confirmed
    const second = await ask(state, hasSeen)
    return second === null ? null : confirm(head, second)
  }

  /** The newest block has no successor that would confirm it. */
  const below = (head: number, tagged: number): number => {
    state.newest = Math.min(head - 1, Math.max(state.newest, tagged))
    return state.newest
  }

  async function readDeep(head: number): Promise<number> {
    const depth = await depthOf(head)
    return depth === null ? state.newest : head - depth
  }

  return {
    newest: () => state.newest,
    ask: (head) => (isTagged() && !isYoung(head) ? [GET_TAG] : []),
    note(answers, head) {
      const [answer] = answers
      const tagged = answer ? readTag(state, answer) : null
      const confirmed = tagged === null || answer?.error ? null : confirm(head, tagged)
      if (confirmed === null) return
      notedAt = head
      notedMs = clock.monotonicMs()
      below(head, confirmed)
    },
    async read(head) {
      if (isYoung(head)) return below(head, state.newest)
      const tagged = isTagged() ? await readConfirmed(head) : null
      return below(head, tagged ?? (await readDeep(head)))
    },
  }
}
