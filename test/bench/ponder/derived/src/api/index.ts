// Ponder requires an API; the benchmark reads a sample from it to compare with Assay.

import { db } from 'ponder:api'
import { event, pool, position, token, tokenHour, wallet } from 'ponder:schema'
import { Hono } from 'hono'
import { count, gt, sql, sum } from 'ponder'

const app = new Hono()
const text = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

app.get('/sample', async (context) => {
  const positions = await db
    .select()
    .from(position)
    .where(gt(position.balance, 0n))
    .orderBy(sql`md5(${position.token} || ${position.wallet})`)
    .limit(300)
  const pools = await db.select().from(pool).limit(300)
  const tokens = await db.select().from(token).where(gt(token.swapCount, 0)).limit(300)
  const wallets = await db
    .select()
    .from(wallet)
    .where(gt(wallet.swapCount, 0))
    .orderBy(sql`md5(${wallet.address})`)
    .limit(300)
  const [swaps] = await db.select({ count: count() }).from(event).where(sql`${event.type} = 'swap'`)
  const [hours] = await db.select({ volumeUsd: sum(tokenHour.volumeUsd) }).from(tokenHour)
  const sample = { positions, pools, tokens, wallets, swaps: swaps?.count, volumeUsd: Number(hours?.volumeUsd ?? 0) }
  return context.body(JSON.stringify(sample, text))
})

// biome-ignore lint/style/noDefaultExport: Ponder reads it.
export default app
