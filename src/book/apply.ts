// Applies blocks to the working set: block by block, transaction by transaction, log by log. Everything that a log
// needs was loaded before, so nothing here is asynchronous, and the same blocks give the same rows.
import { type Address, ZERO_ADDRESS } from '../base/address.ts'
import { toUsd } from '../base/amount.ts'
import {
  type ChainBlock,
  type CurveLog,
  type DecodedLog,
  isCurveLog,
  isLockLog,
  type LockLog,
  type LogOf,
  type Transaction,
} from '../chain/event.ts'
import { countFunded, type Ends, learnDeployer, type Moved, move, quantityOf } from './balances/balance.ts'
import { applyStake } from './balances/stakes.ts'
import { applyLock } from './balances/token-lock.ts'
import { acquaint, isSameOwner, NATIVE_LINK, TOKEN_LINK } from './balances/wallet-links.ts'
import { applyLaunch, type LaunchLog, noteCurve, settleLaunches } from './pools/launch.ts'
import { feesOf, type ManagedChange } from './pools/managed-fees.ts'
import { announcedPool, followBalances, isPool, keepsTokens, openPool, poolAt } from './pools/pools.ts'
import {
  collect,
  directOwner,
  findPositions,
  followPosition,
  movePosition,
  type PositionKey,
  type Provider,
} from './pools/position-tokens.ts'
import { followActive, learnDepth } from './prices/depth.ts'
import { quoteSide, revalue } from './prices/prices.ts'
import { type Actor, emit } from './rows/events.ts'
import { isDust } from './rows/funded.ts'
import type { Grouped } from './rows/group.ts'
import { isZero, learnKind, tokenAt, walletAt } from './rows/new-rows.ts'
import { closeCandles, noteQuoteSide } from './rows/periods.ts'
import type { PoolRecord, WalletRecord } from './rows/rows.ts'
import { enterWindows, leaveWindows } from './rows/windows.ts'
import { tokenOf, type Work, walletOf } from './rows/working-set.ts'
import { type Attribute, type Attributed, nameTraders, readAttribution } from './trades/attribute.ts'
import { applyCoins, coinsAt } from './trades/coins.ts'
import { applyCurve } from './trades/curves.ts'
import { applyPairSwap, closePairs, openPair } from './trades/launch-pairs.ts'
import { applyManagedChange, applyManagedSwap } from './trades/managed.ts'
import { income, type LiquidityChange, liquidity, swap } from './trades/trade.ts'
import { findLegs } from './trades/trade-legs.ts'
import { type Doings, settle } from './trades/trade-settlement.ts'
import { areSigners, type TellTrader, tellTraders } from './trades/traders.ts'

type PoolLog = Exclude<
  DecodedLog,
  | LockLog
  | { kind: 'transfer' | 'deposit' | 'withdrawal' | 'pool_opened' | 'v4_initialize' }
  | { kind: 'user_operation' | 'settled' | 'filled' }
  | {
      kind:
        | 'position_moved'
        | 'position_changed'
        | 'position_collected'
        | 'position_staked'
        | 'shares_staked'
        | 'shares_unstaked'
    }
  | CurveLog
  | { kind: 'launched' | 'launch_moved' | 'launch_locked' | 'pair_launched' | 'pair_reserves' | 'pair_closed' }
  | { kind: 'coins_listed' }
>

/** The state that a transaction passes from log to log. */
interface Scene {
  transaction: Transaction
  logs: readonly DecodedLog[]
  sender: WalletRecord
  /** Whose change of liquidity a pool's log is; null: all are the signer's. */
  attribute: Attribute | null
  /** Whose swap it is; null: all are the signer's. */
  tellTrader: TellTrader | null
  self: Actor
  /** The position tokens whose liquidity changed, by the log index of the pool's log. */
  positions: ReadonlyMap<number, PositionKey>
  isLeg: (from: Address, to: Address) => boolean
  /** The tokens that the signer sent into trades; null: nobody asked yet. */
  paid: Set<Address> | null
  moved: Moved
  /** The hooks of the managed pools that were swapped in so far; null: no such pool was. */
  hooks: Set<string> | null
  /** Changes of positions whose tokens lie with a manager; null: none so far. */
  managed: ManagedChange[] | null
  /** The pools among the wallets that gave or got tokens. */
  pools: WalletRecord[]
  /** The addresses that logged something; null: nobody asked yet. */
  emitters: Set<Address> | null
  /** What launch venues logged; null: nothing. */
  launches: LaunchLog[] | null
  doings: Doings
}

/** Applies a block; `transactions` come from `group`. */
export function applyBlock(work: Work, block: ChainBlock, transactions: Grouped): void {
  const { number, hash, parentHash, time } = block
  Object.assign(work.block, { number, hash, parentHash, time: Math.max(time, work.block.time) })
  leaveWindows(work)
  for (const [transaction, logs] of transactions) applyTransaction(work, transaction, logs)
  for (const [token, effect] of work.effects) closeCandles(work, token, effect)
  enterWindows(work)
}

function applyTransaction(work: Work, transaction: Transaction, logs: DecodedLog[]): void {
  const sender = walletAt(work, transaction.from)
  learnKind(work, sender, 'account')
  if (transaction.plain && transaction.to && transaction.value > 0n) {
    acquaint(work, sender, walletAt(work, transaction.to), NATIVE_LINK, true)
  }
  if (logs.length === 0) return
  if (!transaction.plain && transaction.to && transaction.to !== transaction.from) {
    learnKind(work, walletAt(work, transaction.to, 'contract'), 'contract')
  }
  for (const log of logs) {
    if (log.kind !== 'pool_opened' && log.kind !== 'v4_initialize' && log.kind !== 'pair_launched') continue
    const announced = announcedPool(work.known, log)
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
  for (const log of logs) applyLog(work, scene, log)
  if (scene.managed) for (const payment of feesOf(work, scene.managed, logs)) income(work, payment, doings)
  settle(work, scene.doings, scene.moved)
  if (scene.launches) settleLaunches(work, scene.launches, scene)
  for (const wallet of scene.pools) followPool(work, wallet)
  for (const position of scene.moved.keys()) countFunded(work, position)
}

function applyLog(work: Work, scene: Scene, log: DecodedLog): void {
  if (log.kind === 'transfer') transfer(work, scene, log)
  else if (log.kind === 'deposit' || log.kind === 'withdrawal') wrap(work, scene, log)
  else if (log.kind === 'pool_opened' || log.kind === 'v4_initialize' || log.kind === 'coins_listed') birth(work, log)
  else if (isLockLog(log)) applyLock(work, log)
  else if (log.kind === 'launched' || log.kind === 'launch_moved' || log.kind === 'launch_locked')
    launch(work, scene, log)
  else if (log.kind === 'pair_launched') launchPair(work, log, scene.logs)
  else if (log.kind === 'pair_closed') closePairs(work, log)
  else if (isCurveLog(log)) applyCurve(work, log, scene.sender, scene.doings)
  else if (log.kind === 'position_moved') movePosition(work, log, scene)
  else if (log.kind === 'position_collected') {
    const payment = collect(work, log)
    if (payment) income(work, payment, scene.doings)
  } else if (log.kind === 'shares_staked' || log.kind === 'shares_unstaked') applyStake(work, log, scene.logs)
  else if (log.kind === 'user_operation' || log.kind === 'settled' || log.kind === 'filled') return
  else if (log.kind === 'position_changed' || log.kind === 'position_staked' || log.kind === 'pair_reserves') return
  else applyPoolLog(work, scene, log)
}

function applyPoolLog(work: Work, scene: Scene, log: PoolLog): void {
  if (log.kind === 'coins_swap' || log.kind === 'coins_change') {
    const coins = coinsAt(work, log)
    if (coins) applyCoins(work, coins, log, actorOf(work, scene, coins, log), scene.doings)
    return
  }
  if (log.kind === 'pair_swap') {
    const pair = poolAt(work, log.address)
    if (pair?.kind === 'curve') applyPairSwap(work, pair, log, actorOf(work, scene, pair, log), scene.doings.deals)
    return
  }
  const isManaged = log.kind === 'v4_modify' || log.kind === 'v4_swap'
  const pool = poolAt(work, isManaged ? log.pool : log.address)
  if (!pool || pool.kind !== log.kind.slice(0, 2)) return
  if (isManaged) {
    const actor = actorOf(work, scene, pool, log)
    if (log.kind === 'v4_swap') {
      scene.hooks ??= new Set()
      applyManagedSwap(work, pool, log, { actor, hooks: scene.hooks, around: scene }, scene.doings.deals)
    } else {
      const by = { actor, ...providerOf(work, scene, pool, log, actor) }
      const change = applyManagedChange(work, pool, log, by, scene.doings)
      if (change) scene.managed = [...(scene.managed ?? []), change]
    }
    return
  }
  if (log.kind === 'v2_sync') {
    sync(work, pool, log)
    return
  }
  if (log.kind === 'v3_initialize' || log.kind === 'v3_swap') pool.sqrtPriceX96 = log.sqrtPriceX96
  if (log.kind === 'v3_swap' || log.kind === 'v3_mint' || log.kind === 'v3_burn') followActive(pool, log)
  if (log.kind === 'v3_swap') learnDepth(work, pool, log)
  if (pool.kind === 'v3') follow(work, pool, true)
  if (log.kind === 'v3_initialize') return
  if (log.kind === 'v2_swap' || log.kind === 'v3_swap')
    swap(work, pool, log, actorOf(work, scene, pool, log), scene.doings.deals)
  else {
    const change = changeOf(log)
    const owner = log.kind === 'v2_mint' || log.kind === 'v2_burn' ? null : directOwner(work, pool, log)
    const actor = owner ? ofOwner(scene, owner) : actorOf(work, scene, pool, log)
    const by = owner ? { holder: owner, position: null } : providerOf(work, scene, pool, log, actor)
    liquidity(work, pool, { ...change, ...by }, actor, scene.doings)
  }
}

/** The owner's change of its own liquidity. */
const ofOwner = ({ sender, self }: Scene, wallet: WalletRecord): Actor =>
  wallet === sender ? self : { wallet, signer: sender, attribution: 'position' }

/** Whose liquidity changed: who holds the position's token, else who traded. */
function providerOf(work: Work, { positions }: Scene, pool: PoolRecord, log: PoolLog, { wallet }: Actor): Provider {
  const key = positions.get(log.logIndex)
  if (!key || (log.kind !== 'v3_mint' && log.kind !== 'v3_burn' && log.kind !== 'v4_modify'))
    return { holder: wallet, position: null }
  const position = followPosition(work, pool, log, key, wallet)
  return { holder: walletOf(work, position.ownerId), position }
}

/** Whose trade or change of liquidity a pool's log is. */
function actorOf(work: Work, scene: Scene, pool: PoolRecord, log: PoolLog): Actor {
  const { sender, self } = scene
  const { address, attribution } = attributed(work, scene, pool, log) ?? SIGNERS
  if (attribution === 'signer') return self
  return { wallet: walletAt(work, address), signer: sender, attribution }
}

const SIGNERS: Attributed = { address: ZERO_ADDRESS, attribution: 'signer' }

function attributed(work: Work, scene: Scene, pool: PoolRecord, log: PoolLog): Attributed | null {
  const { attribute, tellTrader } = scene
  if (!attribute && !tellTrader) return null
  const token0 = tokenOf(work, pool.token0Id).address
  const token1 = tokenOf(work, pool.token1Id).address
  const isZeroIn = sellsFirst(log, token0)
  if (isZeroIn === null || !tellTrader) return attribute?.(log.logIndex, [token0, token1]) ?? null
  const holder = walletOf(work, pool.walletId).address
  const [sold, bought] = isZeroIn ? [token0, token1] : [token1, token0]
  return tellTrader({ logIndex: log.logIndex, holder, sold, bought })
}

/** Whether a swap paid the pool's first token in; null for a log that is no swap. */
function sellsFirst(log: PoolLog, token0: Address): boolean | null {
  switch (log.kind) {
    case 'v2_swap':
    case 'pair_swap':
      return log.amount0In > log.amount0Out
    case 'v3_swap':
    case 'v4_swap':
      return log.amount0 > 0n
    case 'coins_swap':
      return log.tokenIn === null ? (log.coinIn ?? 0) < (log.coinOut ?? 0) : log.tokenIn === token0
    default:
      return null
  }
}

/** Whether an address holds tokens for others, so that it never is the trader. */
function isAside(work: Work, address: Address): boolean {
  if (isPool(work, address)) return true
  const kind = work.store.wallets.find(address)?.kind ?? 'account'
  return kind !== 'account' && kind !== 'contract'
}

const changeOf = (log: LogOf<'v2_mint' | 'v2_burn' | 'v3_mint' | 'v3_burn'>): Omit<LiquidityChange, keyof Provider> => {
  const { amount0, amount1 } = log
  const isAdd = log.kind === 'v2_mint' || log.kind === 'v3_mint'
  const shares = log.kind === 'v3_mint' ? log.liquidity : log.kind === 'v3_burn' ? -log.liquidity : null
  return { log, isAdd, amount0, amount1, shares }
}

function transfer(work: Work, scene: Scene, log: LogOf<'transfer'>): void {
  const { from, to, amount } = log
  const token = tokenAt(work, log.address)
  if (isZero(from) && amount > 0n) learnDeployer(work, token, scene.sender)
  if (token.kind === 'lp' && amount > 0n) work.changes.dueShares.add(token.id)
  if (amount === 0n) return
  const moved = move(work, token, from, to, amount, scene.moved)
  noteEnds(work, scene, moved)
  if (scene.isLeg(from, to)) return
  const wallet = moved.from ?? walletAt(work, from)
  const counterparty = moved.to ?? walletAt(work, to)
  // Asked before the transfers become links: a transfer is no proof of itself, or losses could be sent to any new wallet.
  const isOwn = isSameOwner(wallet, counterparty)
  const isSigned = from === scene.transaction.from && !isTax(scene, log)
  if (!isDust(token, amount)) acquaint(work, wallet, counterparty, TOKEN_LINK, isSigned)
  scene.doings.sent.push({ token, from: wallet, to: counterparty, amount, isOwn })
  if (!token.indexed) return
  const quantity = quantityOf(token, amount)
  const amountUsd = toUsd(quantity * token.priceUsd)
  const by = { wallet, signer: wallet, attribution: 'signer' } as const
  const sides = { by, counterparty, pool: null }
  emit(work, { type: 'transfer', direction: null, log, token, ...sides, quantity, amountUsd, part: 0 })
}

/** Beside a sale of the same token, the contract itself sends a part on: to whom, no seller chooses. */
function isTax(scene: Scene, { address }: LogOf<'transfer'>): boolean {
  scene.paid ??= new Set(
    scene.logs.flatMap((log) =>
      log.kind === 'transfer' && log.from === scene.transaction.from && scene.isLeg(log.from, log.to)
        ? [log.address]
        : [],
    ),
  )
  return scene.paid.has(address)
}

/**
 * The wrapped native token's mint and burn emit Deposit and Withdrawal instead of Transfer. The same events of any
 * other contract are ignored.
 */
function wrap(work: Work, scene: Scene, log: LogOf<'deposit' | 'withdrawal'>): void {
  if (log.address !== work.known.wrappedNative) return
  const token = tokenAt(work, log.address)
  if (log.amount === 0n) return
  const [from, to] = log.kind === 'deposit' ? [ZERO_ADDRESS, log.to] : [log.from, ZERO_ADDRESS]
  noteEnds(work, scene, move(work, token, from, to, log.amount, scene.moved))
}

function noteEnds(work: Work, scene: Scene, { from, to }: Ends): void {
  for (const wallet of [from, to]) {
    if (wallet?.kind === 'pool' && !scene.pools.includes(wallet)) scene.pools.push(wallet)
    if (wallet?.kind === 'account' && wallet !== scene.sender) learnEmitter(work, scene, wallet)
  }
}

/** Only a contract can log, so a holder that logs has no private key: a pair of an unnamed factory, or a token that holds itself. */
function learnEmitter(work: Work, scene: Scene, wallet: WalletRecord): void {
  scene.emitters ??= new Set(scene.logs.map(({ address }) => address))
  if (scene.emitters.has(wallet.address)) learnKind(work, wallet, 'contract')
}

function launch(work: Work, scene: Scene, log: LaunchLog): void {
  scene.launches ??= []
  scene.launches.push(log)
  if (log.kind === 'launched') applyLaunch(work, log)
}

function launchPair(work: Work, log: LogOf<'pair_launched'>, logs: readonly DecodedLog[]): void {
  const announced = announcedPool(work.known, log)
  if (!announced || work.store.pools.find(announced.address)) return
  openPair(work, announced, logs)
  const pair = poolAt(work, announced.address)
  if (pair) noteCurve(work, pair, log.token, null)
}

function birth(work: Work, log: LogOf<'pool_opened' | 'v4_initialize' | 'coins_listed'>): void {
  const announced = announcedPool(work.known, log)
  if (announced && !work.store.pools.find(announced.address)) openPool(work, announced.address, announced)
}

function sync(work: Work, pool: PoolRecord, log: LogOf<'v2_sync'>): void {
  const before = quoteSide(work, pool)
  pool.reserve0 = log.reserve0
  pool.reserve1 = log.reserve1
  noteQuoteSide(work, pool, before, revalue(work, pool))
}

function follow(work: Work, pool: PoolRecord, repriced: boolean): void {
  const before = quoteSide(work, pool)
  if (!followBalances(work, pool) && !repriced) return
  noteQuoteSide(work, pool, before, revalue(work, pool))
}

/** Transfers to and from a V3 pool without a log of the pool (collected fees, donations) change its reserves too. */
function followPool(work: Work, { address }: WalletRecord): void {
  const pool = work.store.pools.find(address)
  if (pool && keepsTokens(work.known, pool)) follow(work, pool, false)
}
