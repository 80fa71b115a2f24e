// The entry of this folder: the schema over the ledger, for REST's documents and for /graphql.
import { randomBytes } from 'node:crypto'
import type { GraphQLSchema } from 'graphql'
import { type Caller, NOBODY } from '../../access/guard.ts'
import type { AlertTests } from '../../alerts/test-message.ts'
import type { WebhookReach } from '../../alerts/webhook-url.ts'
import type { Clock } from '../../base/clock.ts'
import { createTurns } from '../../base/turns.ts'
import type { BoardFeed } from '../../board/feed.ts'
import type { Database } from '../../database/client.ts'
import type { PrismaClient } from '../../database/prisma.ts'
import { createSigner, type Signer } from '../../gate/sign.ts'
import { createClaims } from '../../ledger/account/idempotency.ts'
import { readBacklog } from '../../ledger/backlog.ts'
import type { Head, HeadWatch } from '../../ledger/head.ts'
import type { Replicas } from '../../ledger/read/replicas.ts'
import type { CheckDesk } from '../../ledger/safety/desk.ts'
import type { SqlService } from '../../sql/sql.ts'
import type { Streams } from '../../stream/streams.ts'
import type { Log } from '../../telemetry/log.ts'
import { createLook } from '../../telemetry/look.ts'
import type { Sibling } from '../context.ts'
import { type AskGraph, createAsk } from '../run/ask.ts'
import { createExecute, createRun } from '../run/run.ts'
import { schema } from '../run/schema.ts'
import { createSubscribe } from '../run/subscribe.ts'
import { createServer, type HandleGraphql } from './server.ts'

/** How long the counts of waiting work are kept. */
const BACKLOG_MS = 5_000

export interface GraphDeps {
  database: Database
  /** Replicas that answer queries about the chain; without any, the primary does. */
  replicas?: Replicas | undefined
  prisma: PrismaClient
  head: HeadWatch
  clock: Clock
  log: Log
  /** None: there are no subscriptions. */
  streams?: Streams | undefined
  /** The rules for the URLs of webhooks. */
  webhookReach?: WebhookReach | undefined
  /** The tokens in memory. */
  board: BoardFeed
  /** Runs SQL of callers; none: it is off. */
  sql?: SqlService | undefined
  /** Takes requests for contract checks; none: nobody can ask. */
  checks?: CheckDesk | undefined
  /** Sends test messages of alerts; none: nobody can ask. */
  alertTests?: AlertTests | undefined
  /** Signs answers of the gate. Leave out for a key that ends with the process. */
  signer?: Signer | undefined
  /** The chain's name and path among several. */
  place?: { name: string; path: string } | undefined
  /** All chains of the installation; this one is added. */
  siblings?: Sibling[] | undefined
  /** Called with the code of each refused query's error. */
  onRefusal?: ((code: string) => void) | undefined
}

export interface Graph {
  schema: GraphQLSchema
  /** Runs one of our own documents, which is parsed and validated once. Throws the error behind the first field that failed. */
  execute(
    document: string,
    variables: Record<string, unknown>,
    caller: Caller,
    newAlertId?: string,
    signal?: AbortSignal,
  ): Promise<{ data: Record<string, unknown>; head: Head }>
  /** Opens one of our own subscriptions. */
  subscribe: ReturnType<typeof createSubscribe>
  /** Runs one of our own documents at the price of /graphql, for a caller that was charged one request. */
  ask: AskGraph
  /** Answers a request to /graphql that the guard has let in and charged as one request. */
  handle: HandleGraphql
}

/** Creates the GraphQL API over a ledger. */
export function createGraph({
  database,
  replicas,
  prisma,
  head,
  clock,
  log,
  streams,
  webhookReach,
  board,
  sql,
  checks,
  alertTests,
  signer = createSigner(randomBytes(32)),
  place = { name: 'default', path: '' },
  siblings = [],
  onRefusal,
}: GraphDeps): Graph {
  const run = createRun(
    {
      database,
      replicas,
      prisma,
      clock,
      webhookReach,
      board,
      walks: createTurns(),
      backtests: createTurns(),
      sql,
      signer,
      checks,
      alertTests,
      backlog: createLook(() => readBacklog(database.requestPool), clock.monotonicMs, BACKLOG_MS),
      siblings,
    },
    head,
  )
  const execute = createExecute(run)
  const ask: Sibling['ask'] = async (document, variables, signal) =>
    (await execute(document, variables, NOBODY, undefined, signal)).data
  siblings.push({ ...place, ask })
  return {
    schema,
    execute,
    subscribe: createSubscribe(run),
    ask: createAsk(run, log),
    handle: createServer({ run, head, log, streams, idempotency: createClaims(database.requestPool), onRefusal }),
  }
}
