// Applies blocks to the working set: block by block, transaction by transaction, log by log, fact by fact. All rows of a
// log were loaded before, so nothing here is asynchronous, and the same blocks give the same rows.
import type { Address } from '../base/address.ts'
import { LINK_KIND_ID } from '../base/vocabulary.ts'
import type { ChainBlock, DecodedLog, Transaction } from '../chain/event.ts'
import { countFunded } from './balances/balance.ts'
import { acquaint } from './balances/wallet-links.ts'
import { type Acted, actsOf } from './logs/acts.ts'
import type { Fact } from './logs/fact.ts'
import { handlerOf } from './logs/logs.ts'
import { acquaintPaid, isCode } from './logs/payments.ts'
import { findLegs } from './logs/trade-legs.ts'
import { areSigners, tellTraders } from './logs/traders.ts'
import { among, type TransactionView } from './logs/transaction-view.ts'
import { isLaunch, settleLaunches } from './pools/launch.ts'
import { feesOf } from './pools/managed-fees.ts'
import { isPool, keepsTokens, sharesOf } from './pools/pools.ts'
import { findPositions, followPosition, handOver, payOut } from './pools/position-tokens.ts'
import { endSale, followLog, followTransfers } from './pools/priced.ts'
import type { Grouped } from './rows/group.ts'
import { indexToken, learnCalled, learnSigner, noteRelay, walletAt } from './rows/new-rows.ts'
import { closeCandles } from './rows/periods.ts'
import type { PoolRecord, WalletRecord } from './rows/rows.ts'
import { enterWindows, leaveWindows } from './rows/windows.ts'
import { type Work, walletOf } from './rows/working-set.ts'
import { nameTraders, readAttribution } from './trades/attribute.ts'
import { incomeOf, liquidity, swap } from './trades/trade.ts'
import { type ActOutcome, noteDeal, settle } from './trades/trade-settlement.ts'
import { transfer } from './trades/transfer.ts'

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
  const legs = findLegs(transaction, logs, { isRelayed, isPool: (address) => isPool(work, address) })
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
  const positions = findPositions(work.known, logs)
  const view: TransactionView = {
    ...{ transaction, logs, claimant, attribute, tellTrader, positions, legs },
    isEmitter: among(() => logs.map(({ address }) => address)),
    self: { wallet: sender, signer: payer, attribution: isRelayed ? 'operation' : 'signer' },
  }
  const outcome: ActOutcome = { moved: new Map(), deals: new Map(), acts: [], incomes: [], sent: [], managed: [] }
  for (const log of logs) {
    const { apply, tell } = handlerOf(log)
    apply?.(work, log, view)
    if (tell) for (const fact of tell(work, log, view)) applyFact(work, view, outcome, fact)
  }
  acquaintPaid(work, transaction, logs)
  for (const payment of feesOf(work, outcome.managed, logs)) applyFact(work, view, outcome, payment)
  settle(work, outcome)
  const launches = logs.filter(isLaunch)
  if (launches.length > 0) settleLaunches(work, launches, { logs, positions, opened: openedPools(work, logs) })
  for (const { walletId } of outcome.moved.keys()) followPool(work, walletOf(work, walletId))
  for (const position of outcome.moved.keys()) countFunded(work, position)
}

/** Applies a fact. What the end of the act settles is noted here, and nowhere else. */
function applyFact(work: Work, view: TransactionView, outcome: ActOutcome, fact: Fact): void {
  switch (fact.kind) {
    case 'moved':
      note(outcome.sent, transfer(work, fact, view, outcome.moved))
      break
    case 'priced':
      followLog(work, fact)
      break
    case 'swapped':
      for (const deal of swap(work, fact)) noteDeal(work, outcome.deals, deal)
      break
    case 'provided':
      if (fact.position && 'tickLower' in fact.log) followPosition(work, fact.position, fact.pool, fact.log)
      note(outcome.acts, liquidity(work, fact, view))
      if (fact.position && fact.pool.kind === 'v4') outcome.managed.push({ ...fact, position: fact.position })
      break
    case 'handed':
      note(outcome.sent, handOver(work, fact, outcome.moved))
      break
    case 'paid':
      payOut(work, fact)
      outcome.incomes.push(incomeOf(work, fact))
      break
    case 'closed':
      endSale(work, fact.pool)
      break
    case 'shared':
      if (fact.pool.liquidityUsd > 0) indexToken(work, sharesOf(work, fact.pool))
  }
}

function note<Item>(list: Item[], item: Item | null): void {
  if (item !== null) list.push(item)
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

function followPool(work: Work, { kind, address }: WalletRecord): void {
  const pool = kind === 'pool' ? work.store.pools.find(address) : null
  if (pool && keepsTokens(work.known, pool)) followTransfers(work, pool)
}
