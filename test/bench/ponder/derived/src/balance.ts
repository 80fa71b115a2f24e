// Transfers, deposits and withdrawals: balances, holders, supply, links between wallets, and events of plain transfers.
import { type Context, type Event, ponder } from 'ponder:registry'
import { event, link, pool, position, token, wallet } from 'ponder:schema'
import type { Hex } from 'viem'
import { STABLECOINS, tokenAbi } from '../../chain'
import { newPosition, newToken, newWallet } from './blank'
import { shrink } from './cost'

type Transfer = Event<'Token:Transfer'>
type Wrapping = Event<'Weth:Deposit'> | Event<'Weth:Withdrawal'>

const ZERO: Hex = '0x0000000000000000000000000000000000000000'
export const toQuantity = (raw: bigint, decimals: number) => Number(raw) / 10 ** decimals

async function findToken(context: Context, address: Hex) {
  const known = await context.db.find(token, { address })
  if (known) return known
  const ask = (functionName: 'name' | 'symbol' | 'decimals') =>
    context.client.readContract({ abi: tokenAbi, address, functionName, cache: 'immutable' })
  const [name, symbol, decimals] = await Promise.all([ask('name'), ask('symbol'), ask('decimals')])
  const said = { name: String(name), symbol: String(symbol), decimals: Number(decimals) }
  return context.db.insert(token).values(newToken(address, said, STABLECOINS.has(address)))
}

type TokenRow = Awaited<ReturnType<typeof findToken>>

/** Changes a wallet's balance; returns the change of the number of holders. */
async function change(context: Context, of: TokenRow, holder: Hex, amount: bigint, time: bigint, isLeg: boolean) {
  await context.db.insert(wallet).values(newWallet(holder, time)).onConflictDoNothing()
  const key = { token: of.address, wallet: holder }
  const known = await context.db.find(position, key)
  const before = known?.balance ?? 0n
  const balance = before + amount
  if (!known) await context.db.insert(position).values({ ...newPosition(of.address, holder, time), balance })
  else
    await context.db
      .update(position, key)
      .set({ balance, lastAt: time, ...(isLeg ? {} : shrink(known, toQuantity(balance, of.decimals))) })
  return before === 0n && balance > 0n ? 1 : before > 0n && balance === 0n ? -1 : 0
}

async function move(context: Context, log: Transfer | Wrapping, from: Hex, to: Hex, amount: bigint, isLeg: boolean) {
  const of = await findToken(context, log.log.address)
  if (amount === 0n) return of
  const { timestamp } = log.block
  let holders = 0
  if (from !== ZERO) holders += await change(context, of, from, -amount, timestamp, isLeg)
  if (to !== ZERO) holders += await change(context, of, to, amount, timestamp, true)
  if (holders === 0 && from !== ZERO && to !== ZERO) return of
  return context.db.update(token, { address: of.address }).set((row) => {
    const supply = row.supply + (from === ZERO ? amount : 0n) - (to === ZERO && from !== ZERO ? amount : 0n)
    const burned = row.burned + (from === ZERO && to === ZERO ? amount : 0n)
    return {
      supply,
      burned,
      holderCount: row.holderCount + holders,
      deployer: row.deployer ?? (from === ZERO ? log.transaction.from : null),
      marketCapUsd: row.priceUsd * toQuantity(supply - burned, row.decimals),
    }
  })
}

ponder.on('Token:Transfer', async ({ event: log, context }) => {
  const { from, to, amount } = log.args
  const [fromPool, toPool] = await Promise.all([
    context.db.find(pool, { address: from }),
    context.db.find(pool, { address: to }),
  ])
  const called = log.transaction.to
  const isLeg = fromPool !== null || toPool !== null || from === called || to === called
  // A transfer to oneself does not leave the wallet, so it counts like a leg.
  const of = await move(context, log, from, to, amount, isLeg || from === to)
  if (isLeg || amount === 0n) return
  if (from !== to && from !== ZERO && to !== ZERO && from === log.transaction.from) {
    await context.db.insert(link).values({ from, to, block: log.block.number }).onConflictDoNothing()
    await context.db.update(wallet, { address: to }).set((row) => ({ firstFunder: row.firstFunder ?? from }))
  }
  if (!of.priced) return
  const quantity = toQuantity(amount, of.decimals)
  await context.db.insert(event).values({
    id: log.id,
    type: 'transfer',
    direction: null,
    token: of.address,
    wallet: from,
    counterparty: to,
    pool: null,
    quantity,
    amountUsd: quantity * of.priceUsd,
    time: log.block.timestamp,
    block: log.block.number,
    logIndex: log.log.logIndex,
    txHash: log.transaction.hash,
  })
  const counted = (row: { eventCount: number; transferCount: number }) => ({
    eventCount: row.eventCount + 1,
    transferCount: row.transferCount + 1,
  })
  await context.db.update(token, { address: of.address }).set(counted)
  if (from === ZERO) return
  await context.db.update(wallet, { address: from }).set(counted)
  await context.db.update(position, { token: of.address, wallet: from }).set(counted)
})

ponder.on('Weth:Deposit', async ({ event: log, context }) => {
  await move(context, log, ZERO, log.args.to, log.args.amount, true)
})
ponder.on('Weth:Withdrawal', async ({ event: log, context }) => {
  await move(context, log, log.args.from, ZERO, log.args.amount, true)
})
