// Statements to a ClickHouse server over HTTP. The time, memory, rows and connections of each are bounded. No error has
// the address or the password.

import type { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { StartupError } from '../../base/errors.ts'
import { createStatementTurns } from '../turns.ts'

export interface StatementLimits {
  /** Statements at a time. */
  connections: number
  /** How long a statement may take. */
  withinMs: number
  threads: number
  memoryMb: number
  /** The most rows that a statement reads, and that it returns. */
  rowsRead: number
  rowsFound: number
  /** Whether statements may only read. */
  isReader: boolean
}

/** The server ends a statement first, so that its reason is known. */
const ANSWER_MS = 1_000

type Value = number | string | null
export type StoredRow = Record<string, Value>

export interface Connection {
  /** The rows of a question. */
  ask(sql: string): Promise<StoredRow[]>
  /** Runs a statement without rows. */
  run(sql: string): Promise<void>
  /** Inserts rows in the format RowBinary. */
  insert(into: string, rows: Readable): Promise<void>
  close(): Promise<void>
}

/** Opens lazily: the first statement connects. */
export function openConnection(url: string, limits: StatementLimits): Connection {
  const client = open(url, limits)
  const turns = createStatementTurns(limits.connections)
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await turns.take()
    try {
      return await work()
    } finally {
      turns.give()
    }
  }
  return {
    ask: (sql) =>
      inTurn(async () => {
        const found = await client.query({ query: sql, format: 'JSON' })
        return (await found.json<StoredRow>()).data
      }),
    run: (sql) => inTurn(async () => void (await client.command({ query: sql }))),
    insert: (into, rows) =>
      inTurn(async () => {
        const { stream } = await client.exec({ query: `INSERT INTO ${into} FORMAT RowBinary`, values: rows })
        // The connection is free once the answer was read.
        for await (const _ of stream);
      }),
    close: async () => {
      await turns.close()
      await client.close()
    },
  }
}

function open(url: string, limits: StatementLimits) {
  try {
    return createClient({
      url,
      application: 'assay',
      max_open_connections: limits.connections,
      request_timeout: limits.withinMs + ANSWER_MS,
      // Our log tells faults; the client's own would have statements.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: {
        max_execution_time: Math.ceil(limits.withinMs / 1_000),
        max_memory_usage: String(limits.memoryMb * 1024 * 1024),
        max_threads: limits.threads,
        max_rows_to_read: String(limits.rowsRead),
        max_result_rows: String(limits.rowsFound),
        output_format_json_quote_64bit_integers: 0,
        // An error after the first rows would have the status 200.
        wait_end_of_query: 1,
        ...(limits.isReader ? { readonly: '2' } : {}),
      },
    })
  } catch {
    throw new StartupError('HISTORY_URL: must be like http://user:password@host:8123/database.', 78)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refuses connections',
  ECONNRESET: 'the server ended the connection',
  EPIPE: 'the server ended the connection',
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the host has no address at the moment',
  ETIMEDOUT: 'the server does not answer',
  60: 'a table is missing',
  81: 'the database is missing',
  158: 'the statement would read too many rows',
  159: 'the statement takes too long',
  160: 'the statement takes too long',
  164: 'the user may only read',
  192: 'the user or the password is wrong',
  193: 'the user or the password is wrong',
  194: 'the user or the password is wrong',
  241: 'the statement needs too much memory',
  242: 'a table can only be read',
  243: 'the disk is full',
  252: 'there are too many parts: merges lag behind',
  396: 'the answer has too many rows',
  497: 'the user lacks a right',
  516: 'the user or the password is wrong',
}

/** The fault of a statement in some words. A server's own words may have values, so they are left out. */
export function reasonOfFault(error: unknown): string {
  if (!(error instanceof Error)) return 'the server gave an unknown answer'
  // Old servers give the code in the text alone.
  const text = /^Code: (\d+)/.exec(error.message)?.[1]
  const code = 'code' in error && error.code !== undefined ? String(error.code) : text
  if (code !== undefined) return REASONS[code] ?? `ClickHouse has the error ${code}`
  if (/timeout/i.test(error.message)) return 'the server does not answer'
  return error instanceof StartupError || error instanceof HistoryFault
    ? error.message
    : 'the server gave an unknown answer'
}

/** A fault that the store itself found. */
export class HistoryFault extends Error {}
