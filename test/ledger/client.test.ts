import { expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

const { readPool } = await createTestDatabase()

it('a new connection for reading plans once, and is asked for one thing at a time: the driver warns of more', async () => {
  const warnings: string[] = []
  const listen = ({ message }: Error) => warnings.push(message)
  process.on('warning', listen)
  const { rows } = await readPool.query('SHOW plan_cache_mode')
  // Node tells of a warning in the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', listen)
  expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }])
  expect(warnings).toEqual([])
})
