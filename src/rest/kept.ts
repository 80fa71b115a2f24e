// Finished answers that are the same for every caller, kept as bytes while nothing has changed: the process has heard of no
// newer block and of no newer scores. Who asks for what is being made gets the same answer. So a kept answer is never older
// than the block that the process serves, which is where an answer made anew begins too.
import { LRUCache } from 'lru-cache'
import { createCrowd } from '../database/shared-statement.ts'
import type { HeadWatch } from '../ledger/head.ts'
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

/** Creates the store. `head` says when what is kept no longer holds. */
export function createKeptAnswers(head: Pick<HeadWatch, 'version'>, mostBytes = KEPT_BYTES): KeptAnswers {
  const kept = new LRUCache<string, ReadyAnswer>({
    maxSize: mostBytes,
    sizeCalculation: ({ body }, key) => body.size() + key.length + OVERHEAD_BYTES,
  })
  const underWay = new Map<string, Work>()
  let version = head.version()

  const letGo = (): void => {
    if (version === head.version()) return
    version = head.version()
    kept.clear()
    underWay.clear()
  }
  const keep = (key: string, { body, ...rest }: Answer, since: number): ReadyAnswer => {
    const ready: ReadyAnswer = {
      ...rest,
      // Another coding makes it larger.
      body: pack(body, () => {
        if (kept.peek(key) === ready) kept.set(key, ready)
      }),
    }
    letGo()
    // What was begun before the last change may say what was true before it.
    if (since === version) kept.set(key, ready)
    return ready
  }
  const start = (key: string, make: (signal: AbortSignal) => Promise<Answer>): Work => {
    const [crowd, ending, since] = [createCrowd(), new AbortController(), version]
    crowd.onGone(() => ending.abort(null))
    const work: Work = { crowd, answer: make(ending.signal).then((answer) => keep(key, answer, since)) }
    const forget = () => {
      if (underWay.get(key) === work) underWay.delete(key)
    }
    work.answer.then(forget, forget)
    return work
  }
  return {
    find: (key, signal, make) => {
      letGo()
      const known = kept.get(key)
      if (known) return known
      const running = underWay.get(key)
      const work = running && !running.crowd.isGone() ? running : start(key, make)
      underWay.set(key, work)
      return work.crowd.join(() => work.answer, signal)
    },
    bytes: () => kept.calculatedSize,
  }
}

/** An answer that is being made, and who waits for it. */
interface Work {
  crowd: ReturnType<typeof createCrowd>
  answer: Promise<ReadyAnswer>
}
