// Applies blocks to the working set: block by block, transaction by transaction, log by log. All rows of a log were
// loaded before, so nothing here is asynchronous, and the same blocks give the same rows.
import type { Address } from '../base/address.ts'
import { LINK_KIND_ID } from '../base/vocabulary.ts'
import type { ChainBlock, DecodedLog, Transaction } from '../chain/event.ts'
import { countFunded } from './balances/balance.ts'
import { acquaint } from './balances/wallet-links.ts'
import { type Acted, actsOf } from './logs/acts.ts'
import { handlerOf } from './logs/logs.ts'
import { acquaintPaid, isCode } from './logs/payments.ts'
import { findLegs } from './logs/trade-legs.ts'
import { areSigners, tellTraders } from './logs/traders.ts'
import type { TransactionState } from './logs/transaction-state.ts'
import { settleLaunches } from './pools/launch.ts'
import { feesOf } from './pools/managed-fees.ts'
import { followReserves, isPool, keepsTokens } from './pools/pools.ts'
import { findPositions } from './pools/position-tokens.ts'
import type { Actor } from './rows/events.ts'
import type { Grouped } from './rows/group.ts'
import { learnCalled, learnSigner, noteRelay, walletAt } from './rows/new-rows.ts'
import { closeCandles } from './rows/periods.ts'
import type { PoolRecord, WalletRecord } from './rows/rows.ts'
import { enterWindows, leaveWindows } from './rows/windows.ts'
import type { Work } from './rows/working-set.ts'
import { nameTraders, readAttribution } from './trades/attribute.ts'
import { income } from './trades/trade.ts'
import { settle, type TradeEffects } from './trades/trade-settlement.ts'

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
  const payer = walletAt(work, sent.from)
  learnSigner(work, payer)
  const { plain, to, from, value } = sent
  if (plain && to && value > 0n) acquaint(work, payer, walletAt(work, to), LINK_KIND_ID.native)
  if (logs.length === 0) return
  const isCalled = !plain && to !== null && to !== from && isCode(to, logs)
  if (isCalled) learnCalled(work, walletAt(work, to, 'contract'))
  for (const log of logs) {
    if (log.kind === 'user_operation') learnSigner(work, walletAt(work, log.sender))
    const announced = handlerOf(log).announce?.(work.known, log)
    if (announced) work.announced.add(announced.address)
  }
  const isAccount = isCalled && walletAt(work, to).signed === true
  for (const act of actsOf(sent, logs, isAccount)) applyAct(work, act, payer)
}

function applyAct(work: Work, { transaction, logs, claimant: claims }: Acted, payer: WalletRecord): void {
  const sender = walletAt(work, transaction.from)
  const isRelayed = sender !== payer
  const claimant = claims && walletAt(work, claims)
  if (isRelayed || claimant) noteRelay(work, payer)
  const isLeg = findLegs(transaction, logs, { isRelayed, isPool: (address) => isPool(work, address) })
  const attribute = nameTraders(logs) ? readAttribution(transaction.from, logs) : null
  const tellTrader =
    !isRelayed && areSigners(transaction, logs)
      ? null
      : tellTraders(transaction, logs, {
          isRelayed,
          wrappedNative: work.known.wrappedNative,
          isAside: (address) => isAside(work, address),
          isAccount: (address) => work.store.wallets.find(address)?.signed === true,
        })
  const effects: TradeEffects = { deals: new Map(), acts: [], incomes: [], sent: [] }
  const self: Actor = { wallet: sender, signer: payer, attribution: isRelayed ? 'operation' : 'signer' }
  const positions = findPositions(work.known, logs)
  const fresh = {
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
    effects,
  }
  const state: TransactionState = { transaction, logs, sender, claimant, attribute, tellTrader, ...fresh }
  for (const log of logs) handlerOf(log).apply?.(work, log, state)
  acquaintPaid(work, transaction, logs)
  if (state.managed) for (const payment of feesOf(work, state.managed, logs)) income(work, payment, effects)
  settle(work, state.effects, state.moved)
  if (state.launches) settleLaunches(work, state.launches, { logs, positions, opened: openedPools(work, logs) })
  for (const wallet of state.pools) followPool(work, wallet)
  for (const position of state.moved.keys()) countFunded(work, position)
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
