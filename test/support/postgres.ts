// One PostgreSQL for the whole run, with one migrated template that each test file clones.
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/ledger/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    template: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const template = `assay_template_${process.pid}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${template}`)
  const target = new URL(url)
  target.pathname = template
  const pool = new pg.Pool({ connectionString: target.href })
  await migrate(pool)
  await pool.end()
  project.provide('postgresUrl', url)
  project.provide('template', template)
  return async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
    await admin.end()
  }
}
