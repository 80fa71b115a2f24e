// DuckDB reads exported files as an analyst does. Its binaries exist for some platforms only: null on the others.

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value }

interface DuckDb {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, Value>[] }>
        closeSync(): void
      }>
    }>
  }
}

/** Not a literal, because the compiler would need the types of a package that may be missing. */
const NAME: string = '@duckdb/node-api'

/** Runs one query in a database of its own; 64-bit integers and times come as text. Null: there is no DuckDB here. */
export const findDuckDb = async (): Promise<((sql: string) => Promise<Record<string, Value>[]>) | null> => {
  const found = (await import(NAME).catch(() => null)) as DuckDb | null
  if (!found) return null
  return async (sql) => {
    const connection = await (await found.DuckDBInstance.create(':memory:')).connect()
    try {
      await connection.runAndReadAll(`SET TimeZone = 'UTC'`)
      return (await connection.runAndReadAll(sql)).getRowObjectsJson()
    } finally {
      connection.closeSync()
    }
  }
}
