// Ponder requires an API; the benchmark reads a sample from it to compare with Assay.

import { db } from 'ponder:api'
import { balance, event, pool } from 'ponder:schema'
import { Hono } from 'hono'
import { count, gt, sql } from 'ponder'

const app = new Hono()
const text = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

app.get('/sample', async (context) => {
  const positions = await db
    .select({ token: balance.token, wallet: balance.holder, balance: balance.amount })
    .from(balance)
    .where(gt(balance.amount, 0n))
    .orderBy(sql`md5(${balance.token} || ${balance.holder})`)
    .limit(300)
  const pools = await db.select().from(pool).limit(300)
  const [swaps] = await db.select({ count: count() }).from(event).where(sql`${event.type} = 'swap'`)
  return context.body(JSON.stringify({ positions, pools, swaps: swaps?.count }, text))
})

// biome-ignore lint/style/noDefaultExport: Ponder reads it.
export default app
