// Whether the token can be sold, from the results of the trials. Input: answers, and the taxes of real trades. Output: the sale's
// part of the report, and findings. Pure.
import { lossPct } from '../loss.ts'
import type { NotCheckedReason, RpcCall, SellCheck, SellMethod } from '../report.ts'
import { areGone } from '../sale/balances.ts'
import { isJustBought } from '../sale/pause.ts'
import type { SaleAnswers } from '../sale/sale.ts'
import type { SampledHolder } from '../sale/sample.ts'
import type { SendAnswer } from '../sale/sends.ts'
import type { Trade } from '../sale/trades.ts'
import type { RealTaxes } from './measure-taxes.ts'

interface Refusal {
  text: string
  call: RpcCall
}

/** The answers in the terms of the judgement. */
export interface SaleWeight {
  /** Free holders by whether they could sell, each by its gravest answer. */
  tried: number
  blocked: number
  refusal: Refusal | null
  /** Holders that bought within the hour and were refused: an honest pause could be the reason. */
  waiting: { count: number; refusal: Refusal | null }
  /** Whether most holders could sell, or a stranger could after buying; null: unknown. */
  sellable: boolean | null
  buyable: boolean | null
  refusedBuy: RpcCall | null
  buyTaxPct: number | null
  sellTaxPct: number | null
  taxCall: RpcCall | null
  method: SellMethod | null
}

/** A meaningful trade: it was tried, and there was something to trade with. */
const isTold = ({ outcome }: Trade): boolean => outcome !== null && outcome.stage !== 'funds'
const isDone = ({ outcome }: Trade): boolean => outcome?.stage === 'none'
/** A sale without proceeds is no sale. */
const isPaid = (trade: Trade): boolean => isDone(trade) && (trade.outcome?.received ?? 0n) > 0n

export function weighSale(answers: SaleAnswers): SaleWeight {
  const { laterSales } = answers
  const { told, blocked, waiting } = gravest(answers)
  const later = laterSales.filter(isTold)
  const failedLater = later.length > 0 && !later.some(isPaid)
  const mostBlocked = blocked.length * 2 > told.length
  // Nobody has what logs say that they bought.
  const isVanished = told.length === 0 && areGone(answers.balances)
  const isStuck = failedLater || mostBlocked || isVanished
  const [worst] = blocked
  const [refused] = waiting
  return {
    tried: told.length,
    blocked: blocked.length,
    refusal: failedLater && !mostBlocked && later[0] ? textOf(later[0]) : worst ? refusalOf(worst) : null,
    waiting: { count: waiting.length, refusal: refused ? refusalOf(refused) : null },
    sellable: isStuck ? false : told.length > 0 || later.length > 0 || soldAtOnce(answers) ? true : null,
    ...weighBuys(answers),
    ...weighTax(answers),
    method: methodOf(answers),
  }
}

interface ToldHolder {
  holder: SampledHolder
  send: SendAnswer | undefined
  sale: Trade | undefined
  isBlocked: boolean
  /** Refused soon after its purchase, which may be an honest pause; `null`: a later trial showed that it is one. */
  isWaiting: boolean | null
}

interface Weighed {
  told: readonly ToldHolder[]
  blocked: readonly ToldHolder[]
  waiting: readonly ToldHolder[]
}

/**
 * The sample, or all that were asked, by the larger share of blocked ones. The sample has few sellers, who may be the
 * deployer's own accounts. A blacklist may hit others alone.
 */
function gravest(answers: SaleAnswers): Weighed {
  const { holders, others } = answers
  const weigh = (asked: readonly SampledHolder[]): Weighed => {
    const tried = tellHolders(answers, asked)
    const told = freeOf(tried.filter(({ isWaiting }) => isWaiting === false))
    const waiting = tried.filter(({ isWaiting }) => isWaiting === true)
    return { told, blocked: told.filter(({ isBlocked }) => isBlocked), waiting }
  }
  const [sample, all] = [weigh(holders), weigh([...holders, ...others])]
  return shareOf(sample) > shareOf(all) ? sample : all
}

/** The share of blocked holders. One who is blocked among others that are not proves nothing. */
function shareOf({ told, blocked }: Weighed): number {
  const isChance = blocked.length === 1 && told.length > 1
  return blocked.length === 0 || isChance ? 0 : blocked.length / told.length
}

/** Holders with a meaningful trial. A recent buyer that can sell a day later is in a cooldown. */
function tellHolders(answers: SaleAnswers, asked: readonly SampledHolder[]): ToldHolder[] {
  const { sends, otherSends, restedSends, otherRestedSends, holderSales, poor } = answers
  const sendOf = new Map([...sends, ...otherSends].map((send) => [send.from, send]))
  const restedOf = new Map([...restedSends, ...otherRestedSends].map((send) => [send.from, send.outcome]))
  const saleOf = new Map(holderSales.filter(isTold).map((trade) => [trade.who, trade]))
  return asked.flatMap((holder): ToldHolder[] => {
    const [send, sale] = [sendOf.get(holder.address), saleOf.get(holder.address)]
    const isTried = (send && send.outcome !== 'unknown') || sale
    // A refusal for want of tokens says nothing about a sale.
    if (!isTried || poor.has(holder.address)) return []
    const rested = restedOf.get(holder.address) ?? 'unknown'
    const isRefused = send?.outcome === 'refused'
    const isPaused = isRefused && rested === 'sent'
    const isWaiting = isPaused ? null : isRefused && rested === 'unknown' && isJustBought(holder)
    return [{ holder, send, sale, isBlocked: isRefused || (!!sale && !isPaid(sale)), isWaiting }]
  })
}

/**
 * Received tokens may be locked for a time, like a team's shares. Holders that paid therefore decide, if there are at
 * least two.
 */
function freeOf(told: readonly ToldHolder[]): readonly ToldHolder[] {
  const buyers = told.filter(({ holder }) => holder.hasBought)
  return buyers.length >= MIN_BUYERS ? buyers : told
}

const MIN_BUYERS = 2

const soldAtOnce = ({ sameCall }: SaleAnswers): boolean => sameCall !== null && isPaid(sameCall.sale)

const textOf = ({ outcome, call }: Trade): Refusal => ({
  text: outcome?.stage === 'none' ? 'the sale paid nothing' : (outcome?.text ?? ''),
  call,
})

function refusalOf({ send, sale }: ToldHolder): Refusal | null {
  if (send?.outcome === 'refused') return { text: send.text, call: send.call }
  return sale ? textOf(sale) : null
}

/**
 * Strangers' purchases count. A hook may require data of its own router, so the pool's delivery must be refused as
 * well.
 */
function weighBuys({ buys, sameCall, delivery, pool }: SaleAnswers): Pick<SaleWeight, 'buyable' | 'refusedBuy'> {
  const told = [...buys, ...(sameCall ? [sameCall.buy] : [])].filter(isTold)
  const delivered = delivery && delivery.outcome !== 'unknown' ? delivery.outcome === 'sent' : null
  if (told.some(isDone)) return { buyable: true, refusedBuy: null }
  if (told.length === 0)
    return { buyable: delivered, refusedBuy: delivered === false ? (delivery?.call ?? null) : null }
  if (pool?.hooks && delivered !== false) return { buyable: null, refusedBuy: null }
  return { buyable: false, refusedBuy: told[0]?.call ?? null }
}

/** The median of the trials: a single holder may be exempt, or punished. */
function weighTax({ buys, laterSales, holderSales, sameCall }: SaleAnswers) {
  const sales = [...holderSales, ...laterSales, ...(sameCall ? [sameCall.sale] : [])].filter(isDone)
  const losses = sales
    .flatMap(({ outcome, call }) => {
      const pct = outcome && lossPct(outcome)
      return pct === null ? [] : [{ pct, call }]
    })
    .toSorted((a, b) => a.pct - b.pct)
  const middle = losses[Math.floor(losses.length / 2)]
  const bought = [...buys, ...(sameCall ? [sameCall.buy] : [])].find(isDone)
  return {
    buyTaxPct: bought?.outcome ? lossPct(bought.outcome) : null,
    sellTaxPct: middle?.pct ?? null,
    taxCall: middle?.call ?? null,
  }
}

function methodOf({ laterSales, holderSales, buys, sameCall, sends }: SaleAnswers): SellMethod | null {
  if (laterSales.some(isTold) || buys.some(({ call }) => call.method === 'eth_simulateV1')) return 'simulation'
  if (holderSales.some(isTold) || buys.some(isTold)) return 'override'
  if (sameCall && isTold(sameCall.buy)) return 'constructor'
  return sends.some(({ outcome }) => outcome !== 'unknown') ? 'transfer' : null
}

/** Nobody but refused buyers of the last hour told anything. */
export const isOnlyWaiting = ({ tried, sellable, waiting }: SaleWeight): boolean =>
  tried === 0 && sellable === null && waiting.count > 0

/** The sale's part of the report. */
export function toSellCheck(answers: SaleAnswers, weight: SaleWeight, taxes: RealTaxes, block: number): SellCheck {
  const { sellable, buyable, buyTaxPct, sellTaxPct, method, taxCall } = weight
  const isWaiting = isOnlyWaiting(weight)
  const { tried, blocked, refusal } = isWaiting
    ? { tried: weight.waiting.count, blocked: weight.waiting.count, refusal: weight.waiting.refusal }
    : weight
  const isRestricted = answers.pool?.kind === 'curve' && sellable === false
  const isChecked = method !== null && sellable !== null && !isRestricted
  return {
    status: isChecked ? 'checked' : 'not_checked',
    sellable: isChecked ? sellable : null,
    buyable: isRestricted ? null : buyable,
    buyTaxPct,
    sellTaxPct,
    measuredSellTaxPct: taxes.sellTaxPct,
    holdersTried: tried,
    holdersBlocked: blocked,
    checkedBlock: block,
    method,
    reason: isChecked ? null : isWaiting && !isRestricted ? 'just_bought' : reasonOf(answers, isRestricted),
    refusal: refusal?.text ?? '',
    call: refusal?.call ?? taxCall ?? answers.sends[0]?.call ?? null,
  }
}

/**
 * A launch venue's token may forbid transfers until it graduates, so a refusal there says nothing about a sale to the
 * venue.
 */
function reasonOf({ pool, holders, sends }: SaleAnswers, isRestricted: boolean): NotCheckedReason {
  if (!pool) return 'no_pool'
  if (isRestricted) return 'exchange_not_supported'
  if (holders.length === 0) return 'no_holders'
  return sends.every(({ outcome }) => outcome === 'unknown') ? 'node_failed' : 'node_cannot_simulate'
}
