// From a key's hash to its holder. What was found is believed for a few seconds, so that a revocation takes effect
// everywhere soon; what was not found too, in a list of its own, so that no flood of made-up keys pushes real ones out.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { KeyHolder } from '../ledger/account/key.ts'

/** How long a look-up is believed. The contract allows a revoked key 5 s; the look-up itself takes some of them. */
const BELIEVED_MS = 3000
/** Keys in memory at most; as many again that nobody holds. */
const CACHE_SIZE = 10_000
/** Between two statements for the keys of senders who wait. */
const TOGETHER_EVERY_MS = 250
/** Keys of such senders that wait for the next statement at most: more than a process is sent in that time. */
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
  /** Many in one statement, in the order of the hashes. */
  findKeyHolders(hashes: readonly Buffer[]): Promise<(KeyHolder | null)[]>
  clock: Clock
}

export interface Holders {
  /**
   * Who holds the key; null: nobody. A key that is not known here is looked up at once, unless `mustWait` says that its
   * sender has sent too many bad ones: those keys are looked up together, four times a second. A good one among them is
   * served a moment later; of bad ones the database gets four statements a second, however many come.
   */
  find(hash: Buffer, mustWait: () => Promise<boolean>): Promise<KeyHolder | null>
}

/** Look-ups of this process. */
export function createHolders({ findKeyHolder, findKeyHolders, clock }: HoldersDeps): Holders {
  const held = new LRUCache<string, Answer>({ max: CACHE_SIZE })
  const unheld = new LRUCache<string, Answer>({ max: CACHE_SIZE })
  const underWay = new Map<string, Answer>()
  const findTogether = createTogether(findKeyHolders, clock)

  const isBelieved = (answer: Answer | undefined): answer is Answer =>
    answer !== undefined && clock.monotonicMs() - answer.askedAtMs < BELIEVED_MS

  /** Asked once at a time, and kept where it belongs. */
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
      // Somebody held it a moment ago: no guess.
      if (known || !(await mustWait())) return underWay.get(id)?.holder ?? ask(id, () => findKeyHolder(hash))
      return underWay.get(id)?.holder ?? ask(id, () => findTogether(hash))
    },
  }
}

/** One statement at a time for all that have come since the last one. */
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
    headers: { 'retry-after': '1' },
    reason: 'key_queue',
  })
