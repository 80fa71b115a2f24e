// Whether a token can be sold, and at what loss, in lines.
import { blocks, duration, foreign, percent, secondsBetween, UNKNOWN, whole } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { type Line, plain, unknown } from './line.ts'

type SellCheck = TokenData['sellCheck']

const REASONS: Readonly<Record<string, string>> = {
  checks_off: 'the operator switched contract checks off (CONTRACT_CHECKS=off)',
  vouched_by_preset: 'it is a coin of the chain’s preset, which nobody checks',
  low_liquidity: 'it has under $1,000 of liquidity',
  few_buyers: 'it has under ten buyers and under ten holders',
  waits_for_check: 'it waits for its first check',
  no_pool: 'no pool of it is known',
  no_holders: 'no account that bought it holds it',
  exchange_not_supported: 'its exchange cannot be tried',
  node_cannot_simulate: 'the node offers no way to try it',
  node_failed: 'the node did not answer',
  out_of_time: 'the check ran out of time',
  just_bought: 'all holders that were tried bought within the hour, and all were refused',
}

const METHODS: Readonly<Record<string, string>> = {
  simulation: 'a simulated purchase and sale, a block apart',
  override: 'sales that holders were made to try',
  constructor: 'a purchase and a sale in one call',
  transfer: 'transfers of holders',
}

interface Head {
  block: number
  time: string
}

/** The operator's word comes after the evidence, and is never good news by itself. */
function tellVouch({ vouch }: SellCheck): Line[] {
  if (!vouch) return []
  const source = vouch.source ? `, source: \u2068${foreign(vouch.source, 200)}\u2069` : ', without a source'
  return [plain(`The operator of this server vouches for it: “\u2068${foreign(vouch.reason, 200)}\u2069”${source}.`)]
}

/** The lines; `head` is the newest block, null where the page has not heard of it. */
export const tellSale = (check: SellCheck, head: Head | null): Line[] => [
  ...tellCheck(check, head),
  ...tellVouch(check),
]

function tellCheck(check: SellCheck, head: Head | null): Line[] {
  if (check.status !== 'checked')
    return [unknown(`Not checked: ${REASONS[check.reason ?? ''] ?? 'no reason is known'}.`)]
  const lines = [tellResult(check), tellTaxes(check)]
  if (check.buyable === false) lines.push(plain('Only insiders can buy it.'))
  if (check.refusal) lines.push(plain(`Its contract said: “\u2068${foreign(check.refusal, 80)}\u2069”`))
  lines.push(plain(`Checked ${ago(check, head)} by ${METHODS[check.method ?? ''] ?? 'a trial'}.`))
  return lines
}

function tellResult(check: SellCheck): Line {
  const { sellable, holdersTried: tried, holdersBlocked: blocked, checkedBlock, method } = check
  const at = `at block ${whole(checkedBlock)}`
  const verb = method === 'transfer' ? 'send it to the pool' : 'sell'
  if (sellable === null) return unknown(`A sale was tried ${at}, and its end is not known.`)
  if (!sellable)
    return plain(
      tried > 0
        ? `No: ${whole(blocked)} of ${whole(tried)} holders could not ${verb} ${at}.`
        : `No: it could not be sold ${at}.`,
    )
  if (blocked > 0) return plain(`Not by all: ${whole(blocked)} of ${whole(tried)} holders could not ${verb} ${at}.`)
  // A transfer to the pool is half of a sale: what the pool pays, and what a tax takes, stays unknown.
  if (method === 'transfer')
    return plain(`${whole(tried)} of ${whole(tried)} holders could send it to the pool ${at}; no trade was tried.`)
  if (tried === 0) return plain(`Bought and sold again in a trial ${at}.`)
  return plain(`Sellable by ${whole(tried)} of ${whole(tried)} holders ${at}.`)
}

type Tax = readonly [pct: number | null, origin: string]

/** Each known number with its origin: the same tax may be told by both. */
function tellTax(taxes: readonly Tax[]): string {
  const known = taxes.filter(([pct]) => pct !== null)
  if (known.length === 0) return UNKNOWN
  return known.map(([pct, origin]) => `${percent(pct)} (${origin})`).join(', ')
}

function tellTaxes(check: SellCheck): Line {
  const into = tellTax([[check.buyTaxPct, 'trial']])
  const out = tellTax([
    [check.sellTaxPct, 'trial'],
    [check.measuredSellTaxPct, 'real sales'],
  ])
  if (into === UNKNOWN && out === UNKNOWN) return unknown('Tax in and out: unknown.')
  return plain(`Tax in: ${into}. Tax out: ${out}.`)
}

function ago({ checkedBlock, checkedAt }: SellCheck, head: Head | null): string {
  const seconds = secondsBetween(checkedAt, head?.time)
  if (head === null || checkedBlock === null || seconds === null) return `at block ${whole(checkedBlock)}`
  if (checkedBlock >= head.block) return 'at the newest block'
  return `${blocks(head.block - checkedBlock)} / ${duration(Math.max(0, seconds), 'long')} ago`
}
