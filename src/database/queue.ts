// A pool with a bounded queue: when too many callers wait already, further ones are refused at once instead of delaying
// all.
import pg from 'pg'

type Lend = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/** PostgreSQL's code for "too many connections", which counts as a temporary error. */
const TOO_MANY = '53300'

/** A pool in which at most `maxWaiting` callers wait for a connection. */
export class QueuedPool extends pg.Pool {
  readonly #maxWaiting: number

  constructor(options: pg.PoolConfig, maxWaiting: number) {
    super(options)
    this.#maxWaiting = maxWaiting
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Lend): void
  // `query` calls this too, with a callback.
  override connect(callback?: Lend): Promise<pg.PoolClient> | undefined {
    const error = this.waitingCount < this.#maxWaiting ? null : tooMany()
    if (!callback) return error ? Promise.reject(error) : super.connect()
    if (error) callback(error, undefined, () => {})
    else super.connect(callback)
    return undefined
  }
}

const tooMany = (): Error => Object.assign(new Error('too many statements wait for a connection'), { code: TOO_MANY })
