// The entry of this folder: the schema over the ledger, for REST's documents and for /graphql.
import type { GraphQLSchema } from 'graphql'
import type { Caller } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { Database } from '../database/client.ts'
import type { PrismaClient } from '../database/prisma.ts'
import { createAlertRows } from '../ledger/account/alert.ts'
import { createClaims } from '../ledger/account/idempotency.ts'
import type { Head, HeadWatch } from '../ledger/head.ts'
import { createReader } from '../ledger/read/consistent-read.ts'
import { createWalks } from '../ledger/read/walks.ts'
import type { Streams } from '../stream/streams.ts'
import type { Log } from '../telemetry/log.ts'
import { type AskGraph, createAsk } from './ask.ts'
import { createReadList, type ReadList } from './ready-list.ts'
import { createExecute, createRun } from './run.ts'
import { schema } from './schema.ts'
import { createServer, type HandleGraphql } from './server.ts'

export interface GraphDeps {
  database: Database
  prisma: PrismaClient
  head: HeadWatch
  clock: Clock
  log: Log
  /** None: there are no subscriptions. */
  streams?: Streams | undefined
  /** Whether webhooks may lead to this machine. */
  allowsLoopback?: boolean | undefined
  /** The tokens in memory; none: lists are read from the database. */
  board?: BoardFeed | undefined
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
  /** Runs one of our own documents at the price of /graphql, for a caller that was charged one request. */
  ask: AskGraph
  /** The list of tokens of one of our own documents, as JSON; null where the document has to be run. */
  readList: ReadList
  /** Answers a request to /graphql that the guard has let in and charged as one request. */
  handle: HandleGraphql
}

/** Creates the GraphQL API over a ledger. */
export function createGraph({
  database,
  prisma,
  head,
  clock,
  log,
  streams,
  allowsLoopback,
  board,
  onRefusal,
}: GraphDeps): Graph {
  const alerts = createAlertRows(prisma, clock)
  const run = createRun(
    { database, prisma, clock, alerts, allowsLoopback, board: board ?? null, walks: createWalks() },
    head,
  )
  return {
    schema,
    execute: createExecute(run),
    ask: createAsk(run, log),
    readList: createReadList(
      board ?? null,
      createReader(database.requestPool, head, (reading) => reading, database.cancel),
    ),
    handle: createServer({ run, head, log, streams, idempotency: createClaims(database.requestPool), onRefusal }),
  }
}
