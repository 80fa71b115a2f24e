// Caches finished answers that are the same for every caller, as bytes until the next block, reorganisation or scores.
// Requests for an answer that is being computed wait for it.
import { createWaiters } from '../../database/shared-statement.ts'
import type { HeadWatch } from '../../ledger/head.ts'
import { createKept } from '../../ledger/kept.ts'
import { pack } from '../edge/packed.ts'
import type { Answer, ReadyAnswer } from '../edge/respond.ts'

/** The most bytes of cached answers, in all their codings. */
const KEPT_BYTES = 32 * 1024 * 1024
/** The weight of an answer besides its body and its key: headers and objects. */
const OVERHEAD_BYTES = 1_024

type Make = (signal: AbortSignal) => Promise<Answer>

export interface KeptAnswers {
  /**
   * The answer of this key, computed only if it is not cached. `make` gets a signal that aborts when nobody waits for
   * the answer any more.
   */
  find(key: string, signal: AbortSignal | undefined, make: Make): Promise<ReadyAnswer> | ReadyAnswer
  /** Bytes in the cache. */
  bytes(): number
}

/** An answer that is being computed, and its waiters. */
interface Work {
  waiters: ReturnType<typeof createWaiters>
  answer: Promise<ReadyAnswer>
  begunAt: number
}

/** Creates the cache. `head` tells when its answers are out of date. */
export function createKeptAnswers(head: Pick<HeadWatch, 'version'>, mostBytes = KEPT_BYTES): KeptAnswers {
  const underWay = new Map<string, Work>()
  const kept = createKept<ReadyAnswer>(
    head,
    mostBytes,
    ({ body }, key) => body.size() + 2 * key.length + OVERHEAD_BYTES,
  )
  const keep = (key: string, { body, ...rest }: Answer, begunAt: number): ReadyAnswer => {
    // A further coding makes the answer larger. The store weighs only bytes that it does not hold yet, so it gets a
    // copy.
    const grow = () => kept.keep(key, { ...answer }, begunAt)
    const answer: ReadyAnswer = { ...rest, body: pack(body, grow) }
    kept.keep(key, answer, begunAt)
    return answer
  }
  const start = (key: string, make: Make): Work => {
    const [waiters, ending, begunAt] = [createWaiters(), new AbortController(), kept.now()]
    waiters.onGone(() => ending.abort(null))
    const work: Work = { waiters, begunAt, answer: make(ending.signal).then((answer) => keep(key, answer, begunAt)) }
    const forget = () => {
      if (underWay.get(key) === work) underWay.delete(key)
    }
    work.answer.then(forget, forget)
    return work
  }
  return {
    find: (key, signal, make) => {
      const known = kept.find(key)
      if (known) return known
      const running = underWay.get(key)
      const isOfNow = running && running.begunAt === kept.now() && !running.waiters.isGone()
      const work = isOfNow ? running : start(key, make)
      underWay.set(key, work)
      return work.waiters.join(() => work.answer, signal)
    },
    bytes: kept.bytes,
  }
}
