// The facts of reasons, one a topic: the model's inputs behind it, and its sentence. An empty sentence means that the
// fact is not worth showing; its points then belong to "other measures".
import type { FindingTopic, RiskDimension } from '../base/vocabulary.ts'
import { countOf, sayUsd, toDuration, toPercent, toRatio, toTimes } from '../words/numbers.ts'
import { FREE_SHARE, LEAST_USD, WASHED_SHARE } from './bounds.ts'
import { contractStrength } from './contract.ts'
import type { LiquidityCounts, VerdictMeasures } from './facts.ts'
import { isContractSound, tellCluster, tellContract, tellRecord, tellWithdrawal } from './tell.ts'

export interface Telling {
  measures: VerdictMeasures
  counts: LiquidityCounts
  /** Whether its points raise the risk. */
  isRaising: boolean
}

export interface Topic {
  dimension: RiskDimension
  /** Its topic in a verdict. */
  about: FindingTopic
  /** Its inputs, each as dimension.input. */
  inputs: readonly string[]
  tell: (told: Telling) => string
  /** Whether the fact counts as in favour if it lowers the risk; else it is then a plain fact. */
  isComfort?: (told: Telling) => boolean
  /** Whether it is a danger, whatever its points. */
  isDanger?: (told: Telling) => boolean
  /** Whether it is a warning, whatever its points: an unknown fact never counts in favour. */
  isUnknown?: (told: Telling) => boolean
  /** Whether its words are no warning, even where the measures raise the risk. */
  isPlain?: (told: Telling) => boolean
}

const HOURS_OF_DAY = 24
/** Of the liquidity: less in a week is thin. */
const THIN_VOLUME = 0.5
const always = () => true

export const REASON_TOPICS = {
  withdrawal: {
    dimension: 'liquidity',
    about: 'liquidity',
    inputs: ['liquidity.exitShare', 'capability.exitShare'],
    tell: ({ measures }) => tellWithdrawal(measures),
    isDanger: ({ measures: { liquidityUsd, exitShare } }) => liquidityUsd < LEAST_USD || (exitShare ?? 0) > FREE_SHARE,
    isUnknown: ({ measures }) => measures.exitShare === null,
    isComfort: always,
  },
  // One reason with the withdrawal, but where a deep pool would hide how bad that is.
  depth: {
    dimension: 'liquidity',
    about: 'liquidity',
    inputs: ['liquidity.liquidityUsd', 'opening.openingUsd', 'capability.liquidityUsd'],
    tell: () => 'Pools as deep as its own are pulled less often',
  },
  owners: {
    dimension: 'liquidity',
    about: 'liquidity',
    inputs: ['liquidity.ownerCount', 'capability.providerCount'],
    tell: ({ measures: { ownerCount } }) =>
      ownerCount ? `${countOf(ownerCount, 'wallet')} provided the liquidity` : '',
    isComfort: ({ measures }) => (measures.ownerCount ?? 0) > 1,
  },
  drawdown: {
    dimension: 'liquidity',
    about: 'liquidity',
    inputs: ['liquidity.reserveToPeak', 'liquidity.liquidityToPeak', 'capability.reserveToPeak'],
    tell: ({ measures: { reserveToPeak } }) =>
      reserveToPeak === null || reserveToPeak > 0.95
        ? ''
        : `The money in its pools is at ${toPercent(reserveToPeak)} of its 30-day peak`,
  },
  removals: {
    dimension: 'liquidity',
    about: 'liquidity',
    inputs: ['liquidity.keptShare', 'liquidity.removalCount'],
    tell: ({ counts: { liquidityRemoveCount } }) =>
      liquidityRemoveCount === 0
        ? 'Liquidity was never removed'
        : `Liquidity was removed ${toTimes(liquidityRemoveCount)}`,
    isComfort: ({ counts }) => counts.liquidityRemoveCount === 0,
  },
  opening: {
    dimension: 'opening',
    about: 'market',
    inputs: ['opening.openingStep'],
    tell: ({ measures: { openingStep }, isRaising }) =>
      openingStep && isRaising ? 'Opened with the typical amount of a scripted launch' : '',
  },
  firstBuys: {
    dimension: 'opening',
    about: 'market',
    inputs: ['opening.firstSwapHours', 'opening.firstBuysToOpening', 'opening.firstBuyShare'],
    tell: ({ measures: { firstBuysToOpening, isUnderWeek } }) =>
      firstBuysToOpening === null || !isUnderWeek
        ? ''
        : `Its first five buys were ${toPercent(firstBuysToOpening)} of the money in its pools`,
  },
  trades: {
    dimension: 'activity',
    about: 'market',
    inputs: [
      'activity.swapCount',
      'activity.tradingHours7d',
      'activity.volume7dUsd',
      'activity.dayShare',
      'activity.hourShare',
      'activity.volumeToLiquidity',
      'capability.traderCount',
      'capability.volumeHhi',
    ],
    tell: ({ measures, isRaising }) => tellTrades(measures, isRaising),
    // Wash trades speak for nothing.
    isComfort: ({ measures }) =>
      measures.buyCount7d + measures.sellCount7d > 0 && (measures.matchedShare ?? 0) < WASHED_SHARE,
    isPlain: ({ measures }) => measures.buyCount7d + measures.sellCount7d > 0 && !isThin(measures),
  },
  pace: {
    dimension: 'activity',
    about: 'market',
    inputs: ['activity.sinceSwapHours', 'activity.medianGapSeconds', 'activity.sinceToGap', 'activity.gapTrend'],
    tell: ({ measures: { sinceSwapHours } }) =>
      sinceSwapHours === null
        ? ''
        : `The last trade was ${sinceSwapHours === 0 ? 'just now' : `${toDuration(3_600 * sinceSwapHours)} ago`}`,
    isPlain: ({ measures }) => (measures.sinceSwapHours ?? HOURS_OF_DAY) < HOURS_OF_DAY,
  },
  tradeSize: {
    dimension: 'trading',
    about: 'market',
    inputs: ['trading.tradeToReserve', 'trading.tradeConcentration', 'trading.sellToBuySize'],
    tell: ({ measures: { tradeToReserve, liquidityUsd, pulledShare } }) =>
      tradeToReserve === null || liquidityUsd < LEAST_USD || pulledShare > 0.5
        ? ''
        : `The average trade is ${toPercent(Math.min(1, tradeToReserve))} of the money in its pools`,
  },
  sales: {
    dimension: 'trading',
    about: 'market',
    inputs: ['trading.sellShare', 'trading.newestBuyShare', 'trading.sellVolumeUsd', 'trading.roundTripShare'],
    tell: ({ measures }) => tellSales(measures),
  },
  growth: {
    dimension: 'trading',
    about: 'liquidity',
    inputs: ['trading.reserveGrowth', 'trading.lateGrowth'],
    tell: ({ measures: { reserveGrowth, isUnderWeek } }) =>
      reserveGrowth === null || Math.abs(reserveGrowth - 1) < 0.05
        ? ''
        : `The money in its pools is ${toRatio(reserveGrowth)} times what it was ${isUnderWeek ? 'at its launch' : 'a week ago'}`,
  },
  age: {
    dimension: 'maturity',
    about: 'age',
    inputs: ['maturity.lifeHours'],
    tell: ({ measures }) => `Its liquidity is ${toDuration(3_600 * measures.lifeHours)} old`,
    isComfort: ({ measures }) => !isYoung(measures),
  },
  additions: {
    dimension: 'maturity',
    about: 'liquidity',
    inputs: ['maturity.additionCount'],
    tell: ({ counts: { liquidityAddCount } }) =>
      liquidityAddCount === 0 ? '' : `Liquidity was added ${toTimes(liquidityAddCount)}`,
    isComfort: ({ counts }) => counts.liquidityAddCount > 1,
  },
  sharesMoved: {
    dimension: 'maturity',
    about: 'liquidity',
    inputs: ['maturity.sharesMovedHours'],
    tell: ({ measures: { sharesMovedHours } }) =>
      sharesMovedHours === null || sharesMovedHours < 0.02
        ? ''
        : `Shares of its liquidity first changed hands on day ${Math.floor(sharesMovedHours / HOURS_OF_DAY) + 1}`,
  },
  holders: {
    dimension: 'holders',
    about: 'holders',
    inputs: ['capability.topTenShare', 'capability.holderHhi'],
    tell: ({ measures: { topTenShare } }) =>
      topTenShare === null ? 'Who holds it is not known' : `Top 10 holders (without pools): ${toPercent(topTenShare)}`,
    isUnknown: ({ measures }) => measures.topTenShare === null,
    isComfort: ({ measures }) => (measures.topTenShare ?? 1) < 0.5,
  },
  wash: {
    dimension: 'wash',
    about: 'market',
    inputs: ['capability.matchedShare'],
    tell: ({ measures }) => tellWash(measures),
    isUnknown: ({ measures }) => measures.matchedShare === null,
    isComfort: ({ measures }) => (measures.matchedShare ?? 1) < 0.01,
  },
  smartMoney: {
    dimension: 'smart_money',
    about: 'market',
    inputs: ['capability.smartFlow'],
    tell: ({ measures: { smartFlow } }) =>
      smartFlow === null ? '' : `Wallets with a good record are ${smartFlow < 0 ? 'leaving' : 'buying'}`,
    isComfort: ({ measures }) => (measures.smartFlow ?? 0) > 0,
  },
  contract: {
    dimension: 'capability',
    about: 'owner',
    inputs: ['capability.contractStrength'],
    tell: ({ measures }) => tellContract(measures.contract),
    isUnknown: ({ measures }) => contractStrength(measures.contract) === null,
    isComfort: ({ measures }) => isContractSound(measures.contract),
  },
  cluster: {
    dimension: 'holders',
    about: 'holders',
    inputs: ['capability.clusterSupplyShare'],
    tell: ({ measures: { clusterHeldShare, clusterSupplyShare } }) =>
      (clusterHeldShare ?? 0) < 0.01 ? '' : tellCluster(clusterHeldShare ?? 0, clusterSupplyShare ?? 0),
  },
  record: {
    dimension: 'capability',
    about: 'maker',
    inputs: ['capability.pulledRecord'],
    tell: ({ measures }) => tellRecord(measures),
    isDanger: ({ measures: { deployerPulledCount, deployerTokenCount, funderPulledCount, funderTokenCount } }) => {
      const pulled = deployerPulledCount + funderPulledCount
      return pulled > 0 && 2 * pulled >= deployerTokenCount + funderTokenCount
    },
  },
  price: { dimension: 'liquidity', about: 'market', inputs: [], tell: () => '' },
  known: { dimension: 'activity', about: 'age', inputs: [], tell: () => '' },
  chance: { dimension: 'capability', about: 'liquidity', inputs: [], tell: () => '' },
  level: { dimension: 'activity', about: 'age', inputs: [], tell: () => '' },
} as const satisfies Record<string, Topic>

export type TopicName = keyof typeof REASON_TOPICS

/** Under a day old. */
export const isYoung = ({ lifeHours }: Pick<VerdictMeasures, 'lifeHours'>): boolean => lifeHours < HOURS_OF_DAY

const span = ({ isUnderWeek }: VerdictMeasures): string => (isUnderWeek ? 'so far' : 'in 7 days')

const isThin = (measures: VerdictMeasures): boolean =>
  !isYoung(measures) && measures.volume7dUsd < THIN_VOLUME * measures.liquidityUsd

function tellTrades(measures: VerdictMeasures, isRaising: boolean): string {
  const { buyCount7d, sellCount7d, traderCount, volume7dUsd, lifeHours } = measures
  const count = buyCount7d + sellCount7d
  if (count === 0) return `No trade ${span(measures)}`
  const by = traderCount === null ? '' : ` by ${countOf(traderCount, 'wallet')}`
  const thin = isRaising && isThin(measures) ? `: thin for ${toDuration(3_600 * lifeHours)}` : ''
  return `${countOf(count, 'trade')}${by} ${span(measures)}, ${sayUsd(volume7dUsd)}${thin}`
}

function tellSales(measures: VerdictMeasures): string {
  const { buyCount7d, sellCount7d } = measures
  const count = buyCount7d + sellCount7d
  if (count === 0) return ''
  return sellCount7d === 0
    ? `Nobody sold it ${span(measures)}`
    : `${toPercent(sellCount7d / count)} of its trades are sales`
}

/** Empty without trades. */
function tellWash({ matchedShare, buyCount7d, sellCount7d }: VerdictMeasures): string {
  if (buyCount7d + sellCount7d === 0) return ''
  if (matchedShare === null) return 'Who trades it is not known'
  return matchedShare < 0.01 ? 'No wash trading was found' : `${toPercent(matchedShare)} of its volume is wash trading`
}
