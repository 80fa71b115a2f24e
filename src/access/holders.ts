// Finds the holder of a key by the key's hash. Results are cached for 3 s, so that a revocation soon takes effect
// everywhere. Unknown keys have a cache of their own, so that a flood of made-up keys cannot evict real ones.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { KeyHolder } from '../ledger/account/key.ts'

/**
 * How long a look-up is cached, in ms. The contract allows 5 s until a revoked key is refused; the look-up takes some
 * of it.
 */
const BELIEVED_MS = 3000
/** Capacity of each cache: known keys, and as many unknown ones. */
const CACHE_SIZE = 10_000
/** Pause between two statements for the keys of throttled senders. */
const TOGETHER_EVERY_MS = 250
/** Keys of throttled senders that may wait for the next statement: more than one process receives in that time. */
const MAX_WAITING = 2000

interface Answer {
  holder: Promise<KeyHolder | null>
  askedAtMs: number
}

interface Waiting {
  hash: Buffer
  resolve(holder: KeyHolder | null): void
  reject(error: unknown): void
}

export interface HoldersDeps {
  findKeyHolder(hash: Buffer): Promise<KeyHolder | null>
  /** Finds many holders in one statement, in the order of the hashes. */
  findKeyHolders(hashes: readonly Buffer[]): Promise<(KeyHolder | null)[]>
  clock: Clock
}

export interface Holders {
  /**
   * Returns the key's holder, or null. A key outside the cache is looked up at once, unless `mustWait` says that its
   * sender has sent too many invalid keys. Keys of such senders are looked up together, four times a second. A valid
   * one is then slightly slower, and invalid ones cost the database four statements a second, however many come.
   */
  find(hash: Buffer, mustWait: () => Promise<boolean>): Promise<KeyHolder | null>
}

/** Creates the look-up with its caches. */
export function createHolders({ findKeyHolder, findKeyHolders, clock }: HoldersDeps): Holders {
  const held = new LRUCache<string, Answer>({ max: CACHE_SIZE })
  const unheld = new LRUCache<string, Answer>({ max: CACHE_SIZE })
  const underWay = new Map<string, Answer>()
  const findTogether = createTogether(findKeyHolders, clock)

  const isBelieved = (answer: Answer | undefined): answer is Answer =>
    answer !== undefined && clock.monotonicMs() - answer.askedAtMs < BELIEVED_MS

  /** Looks a key up, at most once at a time, and stores the result in the right cache. */
  const ask = (id: string, find: () => Promise<KeyHolder | null>): Promise<KeyHolder | null> => {
    const answer = { holder: find(), askedAtMs: clock.monotonicMs() }
    underWay.set(id, answer)
    answer.holder
      .then((holder) => {
        const [right, wrong] = holder ? [held, unheld] : [unheld, held]
        right.set(id, answer)
        wrong.delete(id)
      })
      .catch(() => {})
      .finally(() => underWay.delete(id))
    return answer.holder
  }

  return {
    find: async (hash, mustWait) => {
      const id = hash.toString('latin1')
      const known = held.get(id)
      const answer = isBelieved(known) ? known : (underWay.get(id) ?? unheld.get(id))
      if (isBelieved(answer)) return answer.holder
      // The key was valid a moment ago, so it is no guess and need not wait.
      if (known || !(await mustWait())) return underWay.get(id)?.holder ?? ask(id, () => findKeyHolder(hash))
      return underWay.get(id)?.holder ?? ask(id, () => findTogether(hash))
    },
  }
}

/** Runs one statement at a time for all the keys since the last one. */
function createTogether(findKeyHolders: HoldersDeps['findKeyHolders'], clock: Clock) {
  let waiting: Waiting[] = []
  let isRunning = false
  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const holders = await findKeyHolders(batch.map(({ hash }) => hash))
      for (const [at, { resolve }] of batch.entries()) resolve(holders[at] ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await settle(batch)
      await clock.sleep(TOGETHER_EVERY_MS)
    }
    isRunning = false
  }
  return (hash: Buffer): Promise<KeyHolder | null> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAX_WAITING) return reject(tooMany())
      waiting.push({ hash, resolve, reject })
      if (!isRunning) void run()
    })
}

const tooMany = (): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'Too many keys are being checked. Try again in a moment.', {
    retryAfterSeconds: 1,
    reason: 'key_queue',
  })
