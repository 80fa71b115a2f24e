// The sentence of each floor, and the topic with the same fact, so that a floor and its topic are one reason.
import { CONTRACT_FINDINGS, type ContractFinding, FLOOR_REASONS, type FloorReason } from '../base/vocabulary.ts'
import { tellFinding } from './contract.ts'
import { leftAfterFall } from './liquidity.ts'
import type { TokenMeasures } from './measures.ts'
import { tellContract, tellRecord, tellWithdrawal } from './tell.ts'
import type { TopicName } from './topics.ts'
import { HOLDERS, LEAST_USD } from './weights.ts'
import { tellCluster, tellLargestOwner, tellPullChance, toPercent } from './words.ts'

/** The sentence of a held level. */
export const HELD_LEVEL = 'Its risk was higher less than 10 minutes ago'

interface ToldFloor {
  topic: TopicName
  /** Other topics with the same fact, which are then left out. */
  covers?: (measures: TokenMeasures) => readonly TopicName[]
  /** Whether it is no danger, however high it lifts. */
  isCaution?: true
  /** `pullChancePct` is the published chance. */
  tell: (measures: TokenMeasures, pullChancePct: number) => string
}

const ofContract = (name: ContractFinding): ToldFloor => ({
  topic: 'contract',
  tell: ({ contract }) => tellFinding(name, contract),
})

const OTHERS: Readonly<Record<Exclude<FloorReason, ContractFinding>, ToldFloor>> = {
  liquidity_pulled: {
    topic: 'removals',
    covers: (measures) => (isEmpty(measures) ? ['drawdown', 'withdrawal'] : ['drawdown']),
    tell: (measures) =>
      `${toPercent(measures.pulledShare)} of a pool was withdrawn within a day${isEmpty(measures) ? ', and nothing is left' : ''}`,
  },
  opener_emptied: { topic: 'record', tell: tellRecord },
  deployer_pulled: { topic: 'record', tell: tellRecord },
  fell_within_a_day: {
    topic: 'drawdown',
    tell: ({ priceFall24h, reserveFall }) =>
      priceFall24h >= reserveFall
        ? `The price fell by ${toPercent(priceFall24h)} within a day`
        : `The money in its pools fell by ${toPercent(reserveFall)} within a day`,
  },
  fell_within_a_month: {
    topic: 'drawdown',
    tell: (measures) =>
      `Its pools hold only ${toPercent(leftAfterFall(measures) ?? 0)} of the money of their 30-day peak`,
  },
  wash_trading: {
    topic: 'wash',
    tell: ({ matchedShare }) => `${toPercent(matchedShare ?? 0)} of its volume is wash trading`,
  },
  concentrated_ownership: { topic: 'holders', tell: tellConcentration },
  sybil_cluster: {
    topic: 'cluster',
    tell: ({ clusterHeldShare, clusterSupplyShare }) => tellCluster(clusterHeldShare ?? 0, clusterSupplyShare ?? 0),
  },
  smart_money_exiting: {
    topic: 'smartMoney',
    tell: ({ smartSoldShare }) => `Wallets with a good record sold ${toPercent(smartSoldShare)} of theirs within a day`,
  },
  not_priced: { topic: 'price', tell: () => 'It has no price: its decimals are unknown, or its pools are too small' },
  barely_known: { topic: 'known', tell: () => 'Fewer than ten trades and changes of liquidity so far' },
  low_confidence: { topic: 'known', tell: () => 'Too little is known of it to call its risk low' },
  young: { topic: 'age', tell: () => 'Under 24 hours old: too young for a low risk' },
  one_wallet_can_withdraw: { topic: 'withdrawal', tell: tellWithdrawal },
  recently_higher: { topic: 'level', isCaution: true, tell: () => HELD_LEVEL },
  withdrawal_unknown: { topic: 'withdrawal', tell: tellWithdrawal },
  contract_not_checked: { topic: 'contract', tell: ({ contract }) => tellContract(contract) },
  pull_likely: {
    topic: 'chance',
    // What has been pulled will not be pulled.
    tell: (measures, pullChancePct) => (isEmpty(measures) ? '' : tellPullChance(pullChancePct)),
  },
}

/** A floor that rests on one fact of a token's pools says nothing more where they hold nothing. */
const isEmpty = ({ liquidityUsd }: TokenMeasures): boolean => liquidityUsd < LEAST_USD

function tellConcentration({ largestHolderShare, largestOwnerWalletCount, topTenShare }: TokenMeasures): string {
  return (largestHolderShare ?? 0) >= HOLDERS.flag.largest
    ? tellLargestOwner(largestHolderShare ?? 0, largestOwnerWalletCount ?? 1)
    : `Top 10 holders (without pools): ${toPercent(topTenShare ?? 0)}`
}

const isOfContract = (reason: FloorReason): reason is ContractFinding =>
  (CONTRACT_FINDINGS as readonly string[]).includes(reason)

export const FLOOR_WORDS = Object.fromEntries(
  FLOOR_REASONS.map((reason) => [reason, isOfContract(reason) ? ofContract(reason) : OTHERS[reason]]),
) as Readonly<Record<FloorReason, ToldFloor>>
