// What an answer reads with, over a pool, without any check of its block.
import type { pg } from '../../src/database/client.ts'
import type { Head } from '../../src/ledger/head.ts'
import type { Reading } from '../../src/ledger/read/consistent-read.ts'

export const readingOf = (pool: pg.Pool, head: Head): Reading => ({
  head,
  // Unprepared: a real reading of the same pool prepares another text under the same name.
  query: async ({ text, values }) => (await pool.query(text, values as unknown[])).rows,
  send: (statement, values) => pool.query(statement as string, values),
  queryPrimary: (statement, values) => pool.query(statement as string, values),
  outdate: () => {},
  lack: () => {},
})
