// The whole server over a small seeded ledger, or over what a test fills in: guard, GraphQL and REST, as a caller sees them.
import { afterAll } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { createSigner } from '../../src/gate/sign.ts'
import { createGraph } from '../../src/graph/http/graph.ts'
import { readGateSecret } from '../../src/ledger/account/secret.ts'
import { createHead } from '../../src/ledger/head.ts'
import { createCheckDesk } from '../../src/ledger/safety/desk.ts'
import { createAlertTests } from '../../src/roles/alert-tests.ts'
import type { SqlService } from '../../src/sql/sql.ts'
import type { Streams } from '../../src/stream/streams.ts'
import { silentLog } from './access.ts'
import { openBoard } from './board.ts'
import { createTestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { makeFolder } from './folder.ts'
import { createTestServer, type TestServer, type TestServerOptions } from './rest.ts'
import { type Seeded, seedLedger } from './seed.ts'

export interface Served extends TestServer {
  database: TestDatabase
  /** Empty where a test filled the ledger itself. */
  seeded: Seeded
  /** Starts another process on the same database. */
  another(): Promise<TestServer>
}

interface ServedOptions
  extends Pick<TestServerOptions, 'readDemoKey' | 'signup' | 'publicUrl' | 'requestWithinMs' | 'oauth' | 'pay'> {
  /** A ledger that is filled already, in place of the seed. */
  filled?: TestDatabase
  sql?: SqlService
}

const NOTHING: Seeded = { tokens: [], wallets: [], positions: [], events: [] }

/** Serves until the file's tests are over. */
export async function createServed({ filled, sql, ...options }: ServedOptions = {}): Promise<Served> {
  const database = filled ?? (await createTestDatabase())
  const seeded = filled ? NOTHING : await seedLedger(database.pool)
  const serve = async () => {
    const head = await createHead(database, systemClock)
    afterAll(head.stop)
    const board = await openBoard(database, head)
    afterAll(board.stop)
    const signer = createSigner(await readGateSecret(database))
    const checks = createCheckDesk(database, systemClock)
    afterAll(checks.stop)
    const clock = createTestClock()
    // Mails become files.
    const alertTests = createAlertTests({ config: readConfig({ DATA_DIR: makeFolder('mails') }), database, clock })
    const graph = (streams: Streams) =>
      createGraph({
        signer,
        board,
        database,
        prisma: database.prisma,
        head,
        clock,
        log: silentLog,
        streams,
        sql,
        checks,
        alertTests,
      })
    return createTestServer({ keys: [signer.key], database, graph, streams: { head, board }, ...options })
  }
  return { ...(await serve()), database, seeded, another: serve }
}
