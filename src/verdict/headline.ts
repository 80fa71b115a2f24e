// The headline of a verdict: one sentence that a trader would send on. It concludes, and repeats no finding. It has no
// text of a contract. Pure.
import type { RiskFlag, RiskLevel } from '../base/vocabulary.ts'
import { capitalise, toCount, toDuration, toPercent } from '../words/numbers.ts'
import { LARGE_OWNER, LEAST_USD } from './bounds.ts'
import type { VerdictMeasures } from './facts.ts'
import { NOT_JUDGED, type VerdictFinding } from './finding.ts'
import { FLAG_WORDS } from './flag-words.ts'
import { HELD_LEVEL } from './settle.ts'

/** In characters. */
export const HEADLINE_LENGTH = 90

export interface Concluded {
  level: RiskLevel
  /** In the order in which they matter. */
  findings: readonly VerdictFinding[]
  measures: VerdictMeasures
  isBase: boolean
}

export function writeHeadline(concluded: Concluded): string {
  const { level, findings, measures, isBase } = concluded
  const harms = findings.filter(({ kind, name }) => (kind === 'danger' || kind === 'caution') && name !== HELD_LEVEL)
  const [danger] = harms.filter(({ kind }) => kind === 'danger')
  if (danger) return sentenceOf(danger, measures)
  if (isBase) return NOT_JUDGED
  const [caution] = harms
  if (level === 'low' || !caution) return tellCalm(concluded)
  return sentenceOf(caution, measures)
}

/** No advice stands over less than a danger. */
function sentenceOf(finding: VerdictFinding, measures: VerdictMeasures): string {
  const text = SENTENCES[finding.name]?.(measures, finding) ?? 'Several weak signs add up to its risk.'
  return finding.kind === 'danger' ? text : capitalise(text.replace(ADVICE, ''))
}

const ADVICE = /^Do not buy: /

type Sentence = (measures: VerdictMeasures, finding: VerdictFinding) => string

const tellExit: Sentence = ({ liquidityUsd, exitShare, lockedUntil }) => {
  if (liquidityUsd < LEAST_USD) return 'Do not buy: nothing is left in its pools to sell into.'
  if (exitShare === null) return 'Who can take its liquidity is unknown.'
  if (exitShare <= 0.1) return 'Its pools are small.'
  return `One wallet can take ${toPercent(exitShare)} of the liquidity ${lockedUntil === null ? 'at any time' : 'within 30 days'}.`
}

const tellMakers: Sentence = () => 'Its makers left others with empty pools before.'
const ofFlag = (flag: RiskFlag): string => `${capitalise(FLAG_WORDS[flag])}.`
const tellOwners: Sentence = ({ largestHolderShare: share, largestOwnerWalletCount: wallets }) =>
  share === null || share < LARGE_OWNER
    ? ofFlag('concentrated_ownership')
    : `${(wallets ?? 1) > 1 ? 'Linked wallets' : 'One wallet'} can crash the price with ${toPercent(share)} of the supply.`
const tellLinked: Sentence = ({ clusterSupplyShare: share }) =>
  share === null
    ? ofFlag('sybil_cluster')
    : `Linked wallets can crash the price with ${toPercent(share)} of the free float.`
const tellLittle: Sentence = () => 'Too little is known to trust it.'
const tellStaged: Sentence = () => ofFlag('wash_trading')
const tellExperts: Sentence = () => ofFlag('smart_money_exiting')
const tellAge: Sentence = () => 'It has yet to prove itself: launched within the last day.'
const tellLoss: Sentence = ({ leftAfterFall }) =>
  `${(leftAfterFall ?? 0) < 0.5 ? 'Most' : 'Much'} of the money in its pools is gone.`
const tellUnpriced: Sentence = () => 'No price of it can be trusted.'
const tellKind: Sentence = () => 'It resembles tokens whose pools were emptied.'
const tellUntried: Sentence = () => 'A trap cannot be ruled out: whether it can be sold is unknown.'

/** By the name of the finding. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  cannot_sell: (_, { severity }) =>
    severity >= 95 ? 'Do not buy: holders are locked in.' : 'Do not buy: some of its holders are locked in.',
  new_buyers_refused: (_, { severity }) =>
    severity >= 50
      ? 'Do not buy: nobody who bought it just now got out again.'
      : 'Somebody who just bought it did not get out again.',
  balances_gone: () => 'Do not buy: what holders had was taken from them.',
  extreme_tax: () => 'Do not buy: its contract keeps most of what a trade is worth.',
  taken_without_approval: () => 'Do not buy: holders were robbed.',
  nobody_can_buy: () => 'Its market is closed to outsiders.',
  late_mint: () => 'Do not buy: insiders made themselves new supply.',
  time_bomb: () => 'Do not buy: its contract is about to lock holders in.',
  spends_without_allowance: () => 'Do not buy: its deployer can empty the wallets of holders.',
  hidden_power: () => 'A hidden hand can change the rules at any time.',
  confiscating_power: () => 'What holders own can be taken from them at any time.',
  high_tax: () => 'Its contract keeps a fifth or more of what a trade is worth.',
  open_power: () => 'Somebody can still change the rules for holders.',
  hides_from_simulation: () => 'Do not buy: its contract deceives whoever only tries it.',
  answers_differ: () => 'Its contract contradicts itself: nothing that it shows is sure.',
  few_buyers_sold: () => 'Hardly anybody who bought it ever got out.',
  run_of_buys: () => 'Everybody buys and nobody sells: that rarely is chance.',
  liquidity_pulled: () => `Do not buy: ${FLAG_WORDS.liquidity_pulled}.`,
  opener_emptied: tellMakers,
  deployer_pulled: tellMakers,
  record: tellMakers,
  fell_within_a_day: () => 'It has just collapsed.',
  fell_within_a_month: tellLoss,
  drawdown: () => 'Money has left its pools.',
  wash_trading: tellStaged,
  wash: () => 'Part of its volume may be staged.',
  concentrated_ownership: tellOwners,
  holders: () => 'A few hold much of it.',
  sybil_cluster: tellLinked,
  cluster: () => 'Wallets that belong together hold a part of it.',
  smart_money_exiting: tellExperts,
  smartMoney: tellExperts,
  not_priced: tellUnpriced,
  barely_known: tellLittle,
  low_confidence: tellLittle,
  known: tellLittle,
  young: tellAge,
  age: tellAge,
  one_wallet_can_withdraw: tellExit,
  withdrawal_unknown: tellExit,
  withdrawal: tellExit,
  contract_not_checked: tellUntried,
  contract: () => 'Its contract is known only in part.',
  pull_likely: tellKind,
  chance: tellKind,
  depth: () => 'Its pools are shallow.',
  owners: () => 'Few stand behind its liquidity.',
  removals: () => 'Its liquidity has come and gone before.',
  additions: () => 'Its liquidity may not be there to stay.',
  opening: () => 'A script launched it, as it does with many.',
  firstBuys: () => 'Its first buyers took much of it.',
  trades: () => 'Few trade it: getting out may be slow and costly.',
  pace: () => 'It has gone quiet.',
  tradeSize: () => 'Single trades can move its price.',
  sales: () => 'Its sales do not look like those of a healthy token.',
  growth: () => 'The money in its pools moves as in tokens that failed.',
  sharesMoved: () => 'The shares of its liquidity changed hands.',
}

const ESTABLISHED_HOURS = 30 * 24

/** What speaks for it, as far as it fits. */
function tellCalm({ findings, measures }: Concluded): string {
  const has = (name: string) => findings.some((finding) => finding.name === name && finding.kind === 'comfort')
  const { lifeHours, traderCount, withdrawableShare } = measures
  const parts = [
    has('withdrawal') &&
      ((withdrawableShare ?? 1) < 0.005 ? 'nobody can take its liquidity' : 'no wallet can take much of its liquidity'),
    has('contract') && 'nothing bad in its contract',
    has('trades') && traderCount && `${toCount(traderCount)} traders a week`,
  ].filter((part): part is string => typeof part === 'string')
  let text = lifeHours >= ESTABLISHED_HOURS ? 'Established' : `No danger found in ${toDuration(3_600 * lifeHours)}`
  for (const [at, part] of parts.entries()) {
    const longer = `${text}${at === 0 ? ': ' : ', '}${part}`
    if (longer.length < HEADLINE_LENGTH) text = longer
  }
  return `${text}.`
}
