// Writes a token's summary from facts and score: one paragraph of plain sentences, at most 400 characters, never empty.
// Attackers choose the names, so they are cleaned.
import { NEVER } from '../base/time.ts'
import type { RiskFlag } from '../base/vocabulary.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { cleanName } from './clean-name.ts'
import type { TokenMeasures } from './measures.ts'
import { tellsLiquidity, tellsTopTen } from './reasons.ts'
import type { TokenRisk } from './token-risk.ts'
import { HOLDERS, LEAST_USD, WASH } from './weights.ts'
import { countOf, sayUsd, tellCluster, tellLargestOwner, toLife, toPercent } from './words.ts'

/** The longest summary, in characters. */
export const SUMMARY_LENGTH = 400

type Scored = Pick<TokenRisk, 'riskScore' | 'level' | 'flags' | 'confidence' | 'measures' | 'explanation'>

/** The sentences in order of importance, as many as fit. */
export function writeSummary(facts: TokenFacts, risk: Scored): string {
  const sentences = [
    `${nameToken(facts)}: ${risk.level} risk (${risk.riskScore.toFixed(0)} of 100), ${risk.confidence} confidence.`,
    ...risk.flags.map((flag) => FLAG_SENTENCES[flag](risk.measures)),
    describeReasons(risk),
    describeLiquidity(facts, risk),
    describeHolders(risk),
    describeTrades(facts, risk),
  ].filter((sentence) => sentence !== '')
  let text = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (text.length + 1 + sentence.length <= SUMMARY_LENGTH) text += ` ${sentence}`
  }
  return text.slice(0, SUMMARY_LENGTH)
}

/** The token's cleaned name and symbol; 'Unnamed token' if nothing of them is left. */
export function nameToken({ name, symbol }: Pick<TokenFacts, 'name' | 'symbol'>): string {
  const full = cleanName(name)
  const short = cleanName(symbol)
  if (!full && !short) return 'Unnamed token'
  if (!full || !short || full === short) return full || short
  return `${full} (${short})`
}

/** What set each flag; where a part of something did, how large it is. */
const FLAG_SENTENCES: Readonly<Record<RiskFlag, (measures: TokenMeasures) => string>> = {
  wash_trading: ({ matchedShare }) =>
    `${(matchedShare ?? 0) >= WASH.mostly ? 'Most' : 'Part'} of its volume is wash trading.`,
  liquidity_pulled: () => 'Most of its liquidity was pulled.',
  concentrated_ownership: ({ largestHolderShare, largestOwnerWalletCount }) =>
    (largestHolderShare ?? 0) >= HOLDERS.flag.largest
      ? toSentence(tellLargestOwner(largestHolderShare ?? 0, largestOwnerWalletCount ?? 1))
      : 'A few accounts own most of it.',
  sybil_cluster: ({ clusterHeldShare, clusterSupplyShare }) =>
    toSentence(tellCluster(clusterHeldShare ?? 0, clusterSupplyShare ?? 0)),
  smart_money_exiting: () => 'Wallets with a good record are leaving.',
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The reasons of the score as they are published, each with its points. */
function describeReasons({ explanation }: Scored): string {
  const told = explanation.reasons.map(({ text, points }) => `${text} (${points > 0 ? '+' : ''}${points})`)
  return told.length > 0 ? `What matters most: ${told.join(', ')}.` : ''
}

/** What its reason says of the liquidity is not said again. */
function describeLiquidity(facts: TokenFacts, { measures, explanation }: Scored): string {
  const isTold = explanation.reasons.some(tellsLiquidity)
  const parts = isTold ? [] : [`Liquidity ${sayUsd(facts.liquidityUsd)}`]
  if (measures.reserveToPeak !== null && measures.reserveToPeak < 0.8)
    parts.push(`${toPercent(1 - measures.reserveToPeak)} below its peak of a month`)
  // Of an empty pool there is nothing to withdraw; and money of the chain lies in pools of others, of which these shares say nothing.
  if (!isTold && measures.exitShare !== null && facts.liquidityUsd >= LEAST_USD && !facts.isQuote)
    parts.push(describeExit(measures.exitShare))
  const { datedShare, lockedUntil } = measures
  if (lockedUntil !== null && datedShare !== null && datedShare >= 0.005)
    parts.push(`${toPercent(datedShare)} locked ${lockedUntil === NEVER ? 'for good' : `until ${toDate(lockedUntil)}`}`)
  return parts.length > 0 ? `${isTold ? 'Its liquidity is ' : ''}${parts.join(', ')}.` : ''
}

function describeExit(share: number): string {
  if (share < 0.005) return 'nobody can withdraw it'
  return share >= 0.3
    ? `one wallet can withdraw ${toPercent(share)}`
    : `no wallet can withdraw more than ${toPercent(share)}`
}

/** What its reason says of the ten largest is not said again. */
function describeHolders({ measures, explanation }: Scored): string {
  const isTold = explanation.reasons.some(tellsTopTen)
  if (measures.topTenShare === null) return ''
  if (isTold) return measures.holderCount === null ? '' : `${countOf(measures.holderCount, 'holder')}.`
  const count = measures.holderCount === null ? '' : `${countOf(measures.holderCount, 'holder')}, `
  const top = `the ten largest own ${toPercent(measures.topTenShare)} of the supply.`
  return count ? count + top : `The${top.slice(3)}`
}

/** What is traded against money of the chain are trades of the other token, so its volume is told. */
function describeTrades({ isQuote, volume24hUsd }: TokenFacts, { measures }: Scored): string {
  if (isQuote) return `${sayUsd(volume24hUsd)} traded against it in 24 hours.`
  const swaps = measures.buyCount7d + measures.sellCount7d
  const by = measures.traderCount === null ? '' : ` by ${countOf(measures.traderCount, 'wallet')}`
  const text = swaps === 0 ? 'No trade in seven days.' : `${countOf(swaps, 'trade')}${by} in seven days.`
  return measures.isUnderWeek ? toLife(text) : text
}

/** The UTC day of a time in seconds since 1970, such as 2026-03-01. */
export const toDate = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
