// Completes the logs of a transaction whose route they tell in part. A pool may log numbers of coins that it does not
// name. Curve's pools trade one coin for another by an addition and a removal. A wrapper gives its shares for another
// token without a log of its own. Transfers of the transaction tell the rest. Input: the logs of a transaction. Output:
// the same logs, with these trades as swaps. What no transfer tells, or two tell, stays as it was logged.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { traitsOf } from '../../chain/exchanges/venues.ts'
import type { Known } from '../rows/known.ts'
import { onlyOne } from '../trades/attribute.ts'
import { handlerOf } from './logs.ts'
import { comeToRest, joinCoins, type ShareExchange } from './resting-shares.ts'

type Transfer = LogOf<'transfer'>

/** Returns the list itself if nothing is to be completed, as for most transactions. */
export function completeRoute(known: Known, logs: DecodedLog[]): DecodedLog[] {
  const { isVague, hasSwap, hasMint } = survey(known, logs)
  if (!isVague && !(hasSwap && hasMint)) return logs
  const transfers = logs.filter((log) => log.kind === 'transfer')
  let completed = isVague ? nameCoins(known, joinCoins(logs), transfers) : logs
  if (isVague) completed = throughShares(completed, transfers)
  return addConversions(completed, transfers)
}

interface Survey {
  isVague: boolean
  hasSwap: boolean
  hasMint: boolean
}

/** One look at the logs, since this runs for every transaction. */
function survey(known: Known, logs: readonly DecodedLog[]): Survey {
  const found: Survey = { isVague: false, hasSwap: false, hasMint: false }
  for (const log of logs) {
    const { kind } = log
    if (kind === 'transfer') found.hasMint ||= log.from === ZERO_ADDRESS || log.to === ZERO_ADDRESS
    else if (kind === 'coins_change' || kind === 'coins_taken') found.isVague = true
    else if (handlerOf(log).isSwap) {
      found.hasSwap = true
      if (kind === 'coins_swap') found.isVague ||= isUnnamed(known, log)
    }
  }
  return found
}

/** Whether the numbers of its coins say nothing: those of a market maker, or those below the shares of a metapool. */
const isUnnamed = ({ factories }: Known, { isUnderlying, coinIn, address }: LogOf<'coins_swap'>): boolean =>
  isUnderlying || (coinIn !== null && traitsOf(factories.get(address)).tradesAnyPair === true)

function nameCoins(known: Known, logs: readonly DecodedLog[], transfers: readonly Transfer[]): DecodedLog[] {
  return logs.map((log) => {
    if (log.kind !== 'coins_swap' || !isUnnamed(known, log) || logs.some((other) => isSame(log, other))) return log
    const { address, amountIn, amountOut } = log
    if (amountIn === 0n && amountOut === 0n) return byTotals(log, transfers)
    const tokenIn = tokenOf(transfers, amountIn, { to: address })
    const tokenOut = tokenOf(transfers, amountOut, { from: address })
    if (tokenIn === null || tokenOut === null || tokenIn === tokenOut) return log
    return { ...log, coinIn: null, coinOut: null, tokenIn, tokenOut, isUnderlying: false }
  })
}

/** A swap without amounts: the only token that the contract got, for the only one that it gave. */
function byTotals(log: LogOf<'coins_swap'>, transfers: readonly Transfer[]): DecodedLog {
  const got = transfers.filter(({ to }) => to === log.address)
  const given = transfers.filter(({ from }) => from === log.address)
  const [tokenIn, tokenOut] = [got, given].map((list) => onlyOne(list.map(({ address }) => address)))
  if (!tokenIn || !tokenOut || tokenIn === tokenOut) return log
  const [amountIn = 0n, amountOut = 0n] = [got, given].map((list) => list.reduce((sum, { amount }) => sum + amount, 0n))
  return { ...log, coinIn: null, coinOut: null, tokenIn, tokenOut, amountIn, amountOut, isUnderlying: false }
}

/** Another swap of the contract in the same amounts: the transfers are those of one of them. */
const isSame = (log: LogOf<'coins_swap'>, other: DecodedLog): boolean =>
  other !== log &&
  other.kind === 'coins_swap' &&
  other.address === log.address &&
  other.amountIn === log.amountIn &&
  other.amountOut === log.amountOut

/** The only token whose transfers to or from the account have this amount. */
function tokenOf(
  transfers: readonly Transfer[],
  amount: bigint,
  { from, to }: { from?: Address; to?: Address },
): Address | null {
  const fits = transfers.filter(
    (each) =>
      each.amount === amount && (from === undefined ? each.to === to : each.from === from && each.to !== ZERO_ADDRESS),
  )
  return onlyOne(fits.map(({ address }) => address))
}

interface Step extends ShareExchange {
  log: LogOf<'coins_change' | 'coins_taken'>
  amount: bigint
  shareAmount: bigint
}

/**
 * An addition of one coin and a removal of one coin by the same account are a trade of the two. Either alone is a trade
 * for the shares if these only pass through the transaction, and else a change of liquidity.
 */
function throughShares(logs: readonly DecodedLog[], transfers: readonly Transfer[]): DecodedLog[] {
  const steps = logs.flatMap((log) => stepOf(log, transfers) ?? [])
  if (steps.length === 0) return [...logs]
  const swaps = new Map<number, DecodedLog | null>()
  for (const step of steps) {
    if (swaps.has(step.log.logIndex)) continue
    const taken = step.isAdd
      ? steps.find((other) => isReturn(step, other) && !swaps.has(other.log.logIndex))
      : undefined
    if (taken) {
      swaps.set(step.log.logIndex, null)
      swaps.set(taken.log.logIndex, toSwap(taken.log, step, { token: taken.token, amount: taken.amount }))
    } else if (passesOn(step, transfers) && !comeToRest(step, logs, transfers)) {
      const shares = { token: step.shares, amount: step.shareAmount }
      swaps.set(step.log.logIndex, step.isAdd ? toSwap(step.log, step, shares) : toSwap(step.log, shares, step))
    } else if (step.log.kind === 'coins_taken') swaps.set(step.log.logIndex, toRemoval(step, step.log))
  }
  return logs.flatMap((log) => {
    const swap = swaps.get(log.logIndex)
    return swap === undefined ? [log] : swap === null ? [] : [swap]
  })
}

const isReturn = (add: Step, other: Step): boolean =>
  !other.isAdd &&
  other.log.address === add.log.address &&
  other.log.provider === add.log.provider &&
  other.log.logIndex > add.log.logIndex &&
  other.shares === add.shares &&
  other.token !== add.token

/** Null: several coins moved, or the transfers do not tell which coin and which shares. */
function stepOf(log: DecodedLog, transfers: readonly Transfer[]): Step | null {
  if (log.kind !== 'coins_change' && log.kind !== 'coins_taken') return null
  const { address, provider } = log
  const moved = log.kind === 'coins_change' ? log.amounts.filter((amount) => amount !== 0n) : log.numbers
  const [only = 0n] = moved
  if (log.kind === 'coins_change' && moved.length !== 1) return null
  const isAdd = log.kind === 'coins_change' && only > 0n
  const minted = transfers.filter((each) => (isAdd ? each.from : each.to) === ZERO_ADDRESS)
  const [share] = minted.filter((each) => (isAdd ? each.to : each.from) === provider && isNear(each, log))
  if (!share) return null
  const sizes = moved
    .map((amount) => (amount < 0n ? -amount : amount))
    .filter((amount) => amount !== 0n && amount !== share.amount)
  for (const amount of sizes) {
    const token = tokenOf(transfers, amount, isAdd ? { to: address } : { from: address })
    if (token !== null && token !== share.address)
      return { log, isAdd, token, amount, shares: share.address, shareAmount: share.amount }
  }
  return null
}

/** Shares are minted or burned just before or after the pool's log. */
const SHARES_WITHIN = 6
const isNear = ({ logIndex }: Transfer, log: DecodedLog): boolean => Math.abs(logIndex - log.logIndex) <= SHARES_WITHIN

/** Whether the shares go on to another account, or came from one. */
const passesOn = ({ isAdd, shares, log: { provider } }: Step, transfers: readonly Transfer[]): boolean =>
  transfers.some(
    (each) =>
      each.address === shares &&
      (isAdd ? each.from : each.to) === provider &&
      (isAdd ? each.to : each.from) !== ZERO_ADDRESS,
  )

interface Amount {
  token: Address
  amount: bigint
}

const toSwap = ({ address, logIndex, txHash }: DecodedLog, into: Amount, out: Amount): LogOf<'coins_swap'> => ({
  kind: 'coins_swap',
  address,
  logIndex,
  txHash,
  pool: null,
  coinIn: null,
  coinOut: null,
  tokenIn: into.token,
  tokenOut: out.token,
  amountIn: into.amount,
  amountOut: out.amount,
  fee: null,
  isUnderlying: false,
})

const toRemoval = (
  { token, amount }: Step,
  { address, logIndex, txHash, provider }: LogOf<'coins_taken'>,
): LogOf<'coins_change'> => ({
  ...{ kind: 'coins_change', address, logIndex, txHash, pool: null, provider },
  ...{ coins: [token], fees: [], amounts: [-amount] },
})

/**
 * Adds the conversions of wrappers: a token mints shares for an account that pays it another token, or pays out for
 * burned shares. It counts only if the shares go on in the transaction, or came in it.
 */
function addConversions(logs: DecodedLog[], transfers: readonly Transfer[]): DecodedLog[] {
  const speakers = new Set(logs.flatMap((log) => (isToken(log) ? [] : [log.address])))
  const found = new Map<number, LogOf<'converted'>>()
  for (const shares of transfers) {
    const isMint = shares.from === ZERO_ADDRESS
    if (isMint === (shares.to === ZERO_ADDRESS) || shares.amount === 0n || speakers.has(shares.address)) continue
    const account = isMint ? shares.to : shares.from
    if (!transfers.some((each) => goesOn(each, shares, account))) continue
    const paid = transfers.filter((each) => isPaid(each, shares, account))
    const [payment] = paid
    if (!payment || onlyOne(paid.map(({ address }) => address)) === null || found.has(payment.logIndex)) continue
    found.set(payment.logIndex, toConversion(shares, payment, isMint))
  }
  if (found.size === 0) return logs
  return logs.flatMap((log) => {
    const conversion = found.get(log.logIndex)
    return conversion ? [log, conversion] : [log]
  })
}

const TOKEN_LOGS: ReadonlySet<string> = new Set([
  'transfer',
  'deposit',
  'withdrawal',
  'shares_staked',
  'shares_unstaked',
])
const isToken = ({ kind }: DecodedLog): boolean => TOKEN_LOGS.has(kind)

/** Another movement of the shares: on from the account that got them, or to the account that gave them back. */
const goesOn = (each: Transfer, shares: Transfer, account: Address): boolean =>
  each.address === shares.address &&
  each !== shares &&
  (shares.from === ZERO_ADDRESS
    ? each.from === account && each.to !== ZERO_ADDRESS
    : each.to === account && each.from !== ZERO_ADDRESS)

/** The other token between the account and the wrapper. */
const isPaid = (each: Transfer, { address, from }: Transfer, account: Address): boolean =>
  each.address !== address &&
  each.amount > 0n &&
  (from === ZERO_ADDRESS ? each.from === account && each.to === address : each.from === address && each.to === account)

function toConversion(shares: Transfer, payment: Transfer, isMint: boolean): LogOf<'converted'> {
  const [into, out] = isMint ? [payment, shares] : [shares, payment]
  return {
    kind: 'converted',
    address: shares.address,
    // The payment's transfer is a leg, so that its place is free for an event.
    logIndex: payment.logIndex,
    txHash: payment.txHash,
    tokenIn: into.address,
    tokenOut: out.address,
    amountIn: into.amount,
    amountOut: out.amount,
  }
}
