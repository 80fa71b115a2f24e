// DuckDB in this process: it reads and writes the files of one folder, and nothing else. Its threads, its memory and
// the statements at a time are bounded; further statements wait in a queue that is bounded too.
import type { DuckDBConnection } from '@duckdb/node-api'
import { StartupError } from '../../base/errors.ts'
import { quote } from '../../base/sql-text.ts'
import { createStatementTurns } from '../turns.ts'

export interface EngineLimits {
  threads: number
  memoryMb: number
  /** Statements at a time. */
  connections: number
  /** How long a statement may take. */
  withinMs: number
  /**
   * Where statements put what exceeds their memory; null: such a statement fails. No other engine may use it: two engines
   * in one folder read each other's files, and crash.
   */
  spillFolder: string | null
}

/**
 * Passes of the planner that read the bounds of every column in every row group. The questions are look-ups by key, which
 * gain nothing by them.
 */
const USELESS =
  'statistics_propagation,join_order,late_materialization,build_side_probe_side,column_lifetime,common_subexpressions'
/** The most that a statement may write beside its memory. */
const MOST_SPILLED = '32GiB'

type EngineValue = number | string | boolean | null
export type EngineRow = Record<string, EngineValue>

/** Runs a statement. */
export type RunSql = (sql: string) => Promise<EngineRow[]>

export interface Engine {
  query: RunSql
  /** Runs the work on a connection of its own, with its own tables. */
  withConnection<T>(work: (run: RunSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export async function openEngine(folder: string, limits: EngineLimits): Promise<Engine> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((error) => {
    throw new StartupError('HISTORY_DIR needs DuckDB, which has no binary for this system: unset it.', 78, error)
  })
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${limits.memoryMb}MiB`,
    temp_directory: limits.spillFolder ?? '',
    max_temp_directory_size: MOST_SPILLED,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const setup = await instance.connect()
  for (const statement of [
    'SET parquet_metadata_cache = true',
    `SET disabled_optimizers = '${USELESS}'`,
    `SET allowed_directories = [${quote(folder)}]`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ])
    await setup.run(statement)
  setup.closeSync()
  const turns = createStatementTurns(limits.connections)
  const idle: DuckDBConnection[] = []
  const run = async (connection: DuckDBConnection, sql: string): Promise<EngineRow[]> => {
    const timer = setTimeout(() => connection.interrupt(), limits.withinMs)
    try {
      const result = await connection.runAndReadAll(sql)
      return result.getRowObjectsJS() as EngineRow[]
    } finally {
      clearTimeout(timer)
    }
  }
  const withConnection = async <T>(work: (run: RunSql) => Promise<T>): Promise<T> => {
    await turns.take()
    try {
      const connection = idle.pop() ?? (await instance.connect())
      try {
        return await work((sql) => run(connection, sql))
      } finally {
        idle.push(connection)
      }
    } finally {
      turns.give()
    }
  }
  return {
    query: (sql) => withConnection((ask) => ask(sql)),
    withConnection,
    close: async () => {
      await turns.close()
      for (const connection of idle) connection.closeSync()
      instance.closeSync()
    },
  }
}
