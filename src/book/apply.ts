// Applies blocks to the working set: block by block, transaction by transaction, log by log. All rows of a log were
// loaded before, so nothing here is asynchronous, and the same blocks give the same rows.
import type { Address } from '../base/address.ts'
import { LINK_KIND_ID } from '../base/vocabulary.ts'
import type { ChainBlock, DecodedLog, Transaction } from '../chain/event.ts'
import { countFunded } from './balances/balance.ts'
import { acquaint } from './balances/wallet-links.ts'
import { handlerOf } from './logs/logs.ts'
import { acquaintPaid, isCode } from './logs/payments.ts'
import type { Scene } from './logs/scene.ts'
import { findLegs } from './logs/trade-legs.ts'
import { areSigners, calledMover, tellTraders } from './logs/traders.ts'
import { settleLaunches } from './pools/launch.ts'
import { feesOf } from './pools/managed-fees.ts'
import { followReserves, isPool, keepsTokens } from './pools/pools.ts'
import { findPositions } from './pools/position-tokens.ts'
import type { Actor } from './rows/events.ts'
import type { Grouped } from './rows/group.ts'
import { learnKind, learnSigner, walletAt } from './rows/new-rows.ts'
import { closeCandles } from './rows/periods.ts'
import type { PoolRecord, WalletRecord } from './rows/rows.ts'
import { enterWindows, leaveWindows } from './rows/windows.ts'
import type { Work } from './rows/working-set.ts'
import { nameTraders, readAttribution } from './trades/attribute.ts'
import { income } from './trades/trade.ts'
import { type Doings, settle } from './trades/trade-settlement.ts'

/** Applies a block; `transactions` come from `group`. */
export function applyBlock(work: Work, block: ChainBlock, transactions: Grouped): void {
  const { number, hash, parentHash, time } = block
  Object.assign(work.block, { number, hash, parentHash, time: Math.max(time, work.block.time) })
  leaveWindows(work)
  for (const [transaction, logs] of transactions) applyTransaction(work, transaction, logs)
  for (const [token, effect] of work.effects) closeCandles(work, token, effect)
  enterWindows(work)
}

function applyTransaction(work: Work, sent: Transaction, logs: DecodedLog[]): void {
  learnSigner(work, walletAt(work, sent.from))
  const transaction = actedIn(work, sent, logs)
  const sender = walletAt(work, transaction.from)
  if (transaction.plain && transaction.to && transaction.value > 0n) {
    acquaint(work, sender, walletAt(work, transaction.to), LINK_KIND_ID.native)
  }
  if (logs.length === 0) return
  if (!transaction.plain && transaction.to && transaction.to !== transaction.from && isCode(logs)) {
    learnKind(work, walletAt(work, transaction.to, 'contract'), 'contract')
  }
  for (const log of logs) {
    const announced = handlerOf(log).announce?.(work.known, log)
    if (announced) work.announced.add(announced.address)
  }
  const isLeg = findLegs(transaction, logs, (address) => isPool(work, address))
  const attribute = nameTraders(logs) ? readAttribution(transaction.from, logs) : null
  const tellTrader = areSigners(transaction, logs)
    ? null
    : tellTraders(transaction, logs, work.known.wrappedNative, (address) => isAside(work, address))
  const doings: Doings = { deals: new Map(), acts: [], incomes: [], sent: [] }
  const self: Actor = { wallet: sender, signer: sender, attribution: 'signer' }
  const positions = findPositions(work.known, logs)
  const begun = {
    self,
    positions,
    isLeg,
    paid: null,
    moved: new Map(),
    hooks: null,
    managed: null,
    pools: [],
    emitters: null,
    launches: null,
    doings,
  }
  const scene: Scene = { transaction, logs, sender, attribute, tellTrader, ...begun }
  for (const log of logs) handlerOf(log).apply?.(work, log, scene)
  acquaintPaid(work, transaction, logs)
  if (scene.managed) for (const payment of feesOf(work, scene.managed, logs)) income(work, payment, doings)
  settle(work, scene.doings, scene.moved)
  if (scene.launches) settleLaunches(work, scene.launches, { logs, positions, opened: openedPools(work, logs) })
  for (const wallet of scene.pools) followPool(work, wallet)
  for (const position of scene.moved.keys()) countFunded(work, position)
}

/**
 * The transaction as one of the account that it calls, if that is an account with code (EIP-7702) that moved tokens.
 * Whoever sent the transaction paid its gas, and did nothing else.
 */
function actedIn(work: Work, sent: Transaction, logs: readonly DecodedLog[]): Transaction {
  const called = calledMover(sent, logs)
  if (called === null || !work.store.wallets.find(called)?.signed) return sent
  return { ...sent, from: called, to: null }
}

/** The pools that the transaction has opened at exchanges. */
const openedPools = (work: Work, logs: readonly DecodedLog[]): PoolRecord[] =>
  logs.flatMap((log) => {
    const announced = handlerOf(log).announce?.(work.known, log)
    return (announced && announced.kind !== 'curve' && work.store.pools.find(announced.address)) || []
  })

/** Whether an address holds tokens for others, so that it is never the trader. */
function isAside(work: Work, address: Address): boolean {
  if (isPool(work, address)) return true
  const kind = work.store.wallets.find(address)?.kind ?? 'account'
  return kind !== 'account' && kind !== 'contract'
}

/** Transfers to and from a V3 pool without a log of the pool (collected fees, donations) change its reserves too. */
function followPool(work: Work, { address }: WalletRecord): void {
  const pool = work.store.pools.find(address)
  if (pool && keepsTokens(work.known, pool)) followReserves(work, pool, false)
}
