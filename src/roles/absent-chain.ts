// A chain of the installation that another process serves, as `chains` sees it here. Its wallets come from the shared
// database. Its tokens are searched in the memory of its own process, so their field fails and says so.
import type { ChainPlace } from '../base/chains.ts'
import type { Clock } from '../base/clock.ts'
import { chainPathOf } from '../base/config.ts'
import { AssayError } from '../base/errors.ts'
import type { BoardFeed } from '../board/feed.ts'
import { DEFAULT_SCHEMA, toChainUrl } from '../database/chain-schema.ts'
import { openDatabase, type pg } from '../database/client.ts'
import { openPrisma } from '../database/prisma.ts'
import type { Sibling } from '../graph/context.ts'
import { createGraph } from '../graph/http/graph.ts'
import { type HeadWatch, NO_HEAD, readHead } from '../ledger/head.ts'
import type { Log } from '../telemetry/log.ts'

/** The connections for one other chain: they answer one field. */
const POOL_SIZE = 2

export interface AbsentChainDeps {
  /** Of the shared database. */
  url: string
  place: Pick<ChainPlace, 'name' | 'schema'>
  clock: Clock
  log: Log
}

/** Connects at the first question. */
export function openAbsentChain({ url, place, clock, log }: AbsentChainDeps): Sibling & { close(): Promise<void> } {
  const { name, schema } = place
  const path = chainPathOf(place)
  const database = openDatabase(toChainUrl(url, schema ?? DEFAULT_SCHEMA), { size: POOL_SIZE, schema })
  const prisma = openPrisma(database)
  const head = watchOnDemand(database.requestPool)
  const board = refuseBoard(`The tokens of ${name} are in the memory of its own process: ask ${path}/graphql.`)
  const siblings: Sibling[] = []
  createGraph({ database, prisma, head, clock, log, board, place: { name, path }, siblings })
  const [own] = siblings
  return {
    name,
    path,
    ask: async (document, variables, signal) => {
      await requireSchema(database.requestPool, name, schema)
      await head.refresh()
      return (await own?.ask(document, variables, signal)) ?? {}
    },
    close: async () => {
      await prisma.$disconnect()
      await database.close()
    },
  }
}

/** Without its schema, the chain's connections would see the tables of the default chain. */
async function requireSchema(pool: pg.Pool, name: string, schema = DEFAULT_SCHEMA): Promise<void> {
  const { rows } = await pool.query<{ schema: string }>('SELECT current_schema() AS schema')
  if (rows[0]?.schema !== schema) throw new AssayError('SERVICE_UNAVAILABLE', `The chain ${name} has no index yet.`)
}

/** The newest block, read when somebody asks. */
function watchOnDemand(pool: pg.Pool): HeadWatch {
  let head = NO_HEAD
  let version = 0
  return {
    current: () => head,
    version: () => version,
    refresh: async () => {
      head = await readHead(pool)
      version += 1
      return head
    },
    onChange: () => () => {},
    stop: async () => {},
  }
}

function refuseBoard(message: string): BoardFeed {
  const refuse = (): never => {
    throw new AssayError('SERVICE_UNAVAILABLE', message)
  }
  return {
    at: async () => refuse(),
    reread: async () => refuse(),
    newest: refuse,
    onMove: () => () => {},
    isLoaded: () => false,
    follow: () => () => {},
    settle: async () => {},
    stop: async () => {},
  }
}
