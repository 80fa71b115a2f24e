// A pool whose queue ends: who comes when so many wait already is refused at once, instead of making all of them wait longer.
import pg from 'pg'

type Lend = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/** PostgreSQL's own code for "too many connections": passes by itself. */
const TOO_MANY = '53300'

/** A pool in which at most `maxWaiting` wait for a connection. */
export class QueuedPool extends pg.Pool {
  readonly #maxWaiting: number

  constructor(options: pg.PoolConfig, maxWaiting: number) {
    super(options)
    this.#maxWaiting = maxWaiting
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Lend): void
  // `query` comes by here too, with a callback.
  override connect(callback?: Lend): Promise<pg.PoolClient> | undefined {
    const error = this.waitingCount < this.#maxWaiting ? null : tooMany()
    if (!callback) return error ? Promise.reject(error) : super.connect()
    if (error) callback(error, undefined, () => {})
    else super.connect(callback)
    return undefined
  }
}

const tooMany = (): Error => Object.assign(new Error('too many statements wait for a connection'), { code: TOO_MANY })
