// Finished answers that are the same for every caller, kept as bytes while they hold. Who asks for what is being made gets the
// same answer.
import { createCrowd } from '../database/shared-statement.ts'
import type { HeadWatch } from '../ledger/head.ts'
import { createKept } from '../ledger/kept.ts'
import { pack } from './packed.ts'
import type { Answer, ReadyAnswer } from './respond.ts'

/** Bytes of answers that are kept, in all their codings. */
const KEPT_BYTES = 32 * 1024 * 1024
/** What an answer weighs besides its body: its key, headers and objects. */
const OVERHEAD_BYTES = 1_024

export interface KeptAnswers {
  /**
   * The answer to what the key says, made only if it is not kept. `make` gets a signal that aborts when nobody waits for the
   * answer any more.
   */
  find(
    key: string,
    signal: AbortSignal | undefined,
    make: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<ReadyAnswer> | ReadyAnswer
  /** Bytes that are kept. */
  bytes(): number
}

/** An answer that is being made, and who waits for it. */
interface Work {
  crowd: ReturnType<typeof createCrowd>
  answer: Promise<ReadyAnswer>
}

/** Creates the store. `head` says when what is kept no longer holds. */
export function createKeptAnswers(head: Pick<HeadWatch, 'version'>, mostBytes = KEPT_BYTES): KeptAnswers {
  const underWay = new Map<string, Work>()
  const kept = createKept<ReadyAnswer>(
    head,
    mostBytes,
    ({ body }, key) => body.size() + key.length + OVERHEAD_BYTES,
    () => underWay.clear(),
  )
  const keep = (key: string, { body, ...rest }: Answer, begunAt: number): ReadyAnswer => {
    // Another coding makes it larger.
    const ready: ReadyAnswer = { ...rest, body: pack(body, () => kept.grow(key, ready)) }
    kept.keep(key, ready, begunAt)
    return ready
  }
  const start = (key: string, make: (signal: AbortSignal) => Promise<Answer>): Work => {
    const [crowd, ending, begunAt] = [createCrowd(), new AbortController(), kept.now()]
    crowd.onGone(() => ending.abort(null))
    const work: Work = { crowd, answer: make(ending.signal).then((answer) => keep(key, answer, begunAt)) }
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
      const work = running && !running.crowd.isGone() ? running : start(key, make)
      underWay.set(key, work)
      return work.crowd.join(() => work.answer, signal)
    },
    bytes: kept.bytes,
  }
}
