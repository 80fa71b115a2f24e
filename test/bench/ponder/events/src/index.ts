import { type Context, ponder } from 'ponder:registry'
import { balance, event, pool } from 'ponder:schema'
import type { Hex } from 'viem'

const ZERO = '0x0000000000000000000000000000000000000000'

async function move(context: Context, token: Hex, holder: Hex, change: bigint): Promise<void> {
  if (holder === ZERO) return
  await context.db
    .insert(balance)
    .values({ token, holder, amount: change })
    .onConflictDoUpdate((row) => ({ amount: row.amount + change }))
}

ponder.on('Token:Transfer', async ({ event: log, context }) => {
  const { from, to, amount } = log.args
  await move(context, log.log.address, from, -amount)
  await move(context, log.log.address, to, amount)
})
ponder.on('Weth:Deposit', ({ event: log, context }) => move(context, log.log.address, log.args.to, log.args.amount))
ponder.on('Weth:Withdrawal', ({ event: log, context }) =>
  move(context, log.log.address, log.args.from, -log.args.amount),
)
ponder.on('Pair:Sync', async ({ event: log, context }) => {
  const { reserve0, reserve1 } = log.args
  await context.db
    .insert(pool)
    .values({ address: log.log.address, reserve0, reserve1 })
    .onConflictDoUpdate({ reserve0, reserve1 })
})
ponder.on('Pair:Swap', async ({ event: log, context }) => {
  const { in0, in1, out0, out1 } = log.args
  await context.db.insert(event).values({
    id: log.id,
    type: 'swap',
    pool: log.log.address,
    wallet: log.transaction.from,
    time: log.block.timestamp,
    amount0: in0 - out0,
    amount1: in1 - out1,
  })
})
ponder.on('Pair:Mint', async ({ event: log, context }) => {
  const { amount0, amount1 } = log.args
  await context.db.insert(event).values({
    id: log.id,
    type: 'add',
    pool: log.log.address,
    wallet: log.transaction.from,
    time: log.block.timestamp,
    amount0,
    amount1,
  })
})
ponder.on('Pair:Burn', async ({ event: log, context }) => {
  const { amount0, amount1 } = log.args
  await context.db.insert(event).values({
    id: log.id,
    type: 'remove',
    pool: log.log.address,
    wallet: log.transaction.from,
    time: log.block.timestamp,
    amount0: -amount0,
    amount1: -amount1,
  })
})
