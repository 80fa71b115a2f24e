// Finished answers that are the same for every caller, kept as bytes while they hold: until a block or its scores change what
// they read. Who asks for what is being made gets the same answer.
import { LRUCache } from 'lru-cache'
import { createCrowd } from '../database/shared-statement.ts'
import type { Head, HeadWatch } from '../ledger/head.ts'
import { pack } from './packed.ts'
import type { Answer, ReadyAnswer } from './respond.ts'

/** Bytes of answers that are kept, in all their codings. */
const KEPT_BYTES = 32 * 1024 * 1024
/** What an answer weighs besides its body: its key, headers and objects; and each address that it read. */
const OVERHEAD_BYTES = 1_024
const ADDRESS_BYTES = 64

/** What an answer depends on, where that is less than the block. */
export interface Lasting {
  /** The tokens and wallets, by address. While none of them changes, the answer is the same at the next block, but for: */
  reads: readonly string[]
  /** the block that its headers name, */
  headersAt?(head: Head): Record<string, string>
  /** or what has to be put in anew, in the body too. Null: it has to be made anew. */
  renew?(): Promise<MadeAnswer | null>
}

/** Without `lasting` it holds until the next block. */
export interface MadeAnswer extends Answer {
  lasting?: Lasting
}

type Make = (signal: AbortSignal) => Promise<MadeAnswer>

export interface KeptAnswers {
  /**
   * The answer to what the key says, made only if it is not kept. `make` gets a signal that aborts when nobody waits for the
   * answer any more.
   */
  find(key: string, signal: AbortSignal | undefined, make: Make): Promise<ReadyAnswer> | ReadyAnswer
  /** Bytes that are kept. */
  bytes(): number
}

/** An answer that is being made, and who waits for it. */
interface Work {
  crowd: ReturnType<typeof createCrowd>
  answer: Promise<ReadyAnswer>
}

interface Entry {
  answer: ReadyAnswer
  lasting: Lasting | undefined
  /** The version of the head that it is known to hold at. */
  version: number
}

/** Creates the store. `head` says when what is kept no longer holds. */
export function createKeptAnswers(
  head: Pick<HeadWatch, 'version' | 'holds' | 'current'>,
  mostBytes = KEPT_BYTES,
): KeptAnswers {
  const underWay = new Map<string, Work>()
  const entries = new LRUCache<string, Entry>({
    maxSize: mostBytes,
    sizeCalculation: ({ answer: { body }, lasting }, key) =>
      body.size() + key.length + OVERHEAD_BYTES + ADDRESS_BYTES * (lasting?.reads.length ?? 0),
  })
  let version = head.version()

  const keep = (key: string, { body, lasting, ...rest }: MadeAnswer, begunAt: number): ReadyAnswer => {
    const grow = () => {
      // A further coding makes the answer larger.
      if (entries.peek(key) === entry) entries.set(key, entry)
    }
    const entry: Entry = { answer: { ...rest, body: pack(body, grow) }, lasting, version: begunAt }
    if (begunAt === head.version()) entries.set(key, entry)
    return entry.answer
  }
  const start = (key: string, make: Make): Work => {
    const [crowd, ending, begunAt] = [createCrowd(), new AbortController(), head.version()]
    crowd.onGone(() => ending.abort(null))
    const work: Work = { crowd, answer: make(ending.signal).then((answer) => keep(key, answer, begunAt)) }
    const forget = () => {
      if (underWay.get(key) === work) underWay.delete(key)
    }
    work.answer.then(forget, forget)
    return work
  }
  /** The kept answer where it holds, or how to make one of what is left of it. */
  const look = (key: string): ReadyAnswer | Lasting['renew'] => {
    const entry = entries.get(key)
    if (!entry || entry.version === version) return entry?.answer
    const { lasting, answer } = entry
    if (!lasting || !head.holds(lasting.reads, entry.version)) return undefined
    if (lasting.renew) return lasting.renew
    entry.version = version
    entry.answer = { ...answer, headers: { ...answer.headers, ...lasting.headersAt?.(head.current()) } }
    return entry.answer
  }
  return {
    find: (key, signal, make) => {
      if (version !== head.version()) {
        version = head.version()
        underWay.clear()
      }
      const known = look(key)
      if (typeof known === 'object') return known
      const running = underWay.get(key)
      const work =
        running && !running.crowd.isGone()
          ? running
          : start(key, known ? async (ending) => (await known()) ?? make(ending) : make)
      underWay.set(key, work)
      return work.crowd.join(() => work.answer, signal)
    },
    bytes: () => entries.calculatedSize,
  }
}
