// The sentence of each floor, and the topic with the same fact, so that a floor and its topic are one reason.
import { recordOf } from '../base/keys-of.ts'
import {
  CONTRACT_FINDINGS,
  type ContractFinding,
  type FindingTopic,
  FLOOR_REASONS,
  type FloorReason,
} from '../base/vocabulary.ts'
import { toPercent } from '../words/numbers.ts'
import { LARGE_OWNER, LEAST_USD } from './bounds.ts'
import { tellFinding } from './contract.ts'
import type { VerdictMeasures } from './facts.ts'
import { tellCluster, tellContract, tellLargestOwner, tellRecord, tellWithdrawal } from './tell.ts'
import { REASON_TOPICS, type TopicName } from './topics.ts'

interface ToldFloor {
  topic: TopicName
  /** Other topics with the same fact, which are then left out. */
  covers?: (measures: VerdictMeasures) => readonly TopicName[]
  tell: (measures: VerdictMeasures) => string
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
    tell: ({ leftAfterFall }) =>
      `Its pools hold only ${toPercent(leftAfterFall ?? 0)} of the money of their 30-day peak`,
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
  recently_higher: { topic: 'level', tell: () => 'Its risk was higher less than 10 minutes ago' },
  withdrawal_unknown: { topic: 'withdrawal', tell: tellWithdrawal },
  contract_not_checked: { topic: 'contract', tell: ({ contract }) => tellContract(contract) },
  pull_likely: {
    topic: 'chance',
    // What has been pulled will not be pulled. How many tokens were pulled is counted, and told by `tellAlike` alone.
    tell: (measures) => (isEmpty(measures) ? '' : 'The model expects a pull too often to call its risk low'),
  },
}

/** A floor that rests on one fact of a token's pools says nothing more where they hold nothing. */
const isEmpty = ({ liquidityUsd }: VerdictMeasures): boolean => liquidityUsd < LEAST_USD

function tellConcentration({ largestHolderShare, largestOwnerWalletCount, topTenShare }: VerdictMeasures): string {
  return (largestHolderShare ?? 0) >= LARGE_OWNER
    ? tellLargestOwner(largestHolderShare ?? 0, largestOwnerWalletCount ?? 1)
    : `Top 10 holders (without pools): ${toPercent(topTenShare ?? 0)}`
}

const isOfContract = (reason: FloorReason): reason is ContractFinding =>
  (CONTRACT_FINDINGS as readonly string[]).includes(reason)

export const FLOOR_WORDS = recordOf(FLOOR_REASONS, (reason) =>
  isOfContract(reason) ? ofContract(reason) : OTHERS[reason],
)

/** The subjects of the contract's findings; those of no other are about the owner. */
const ABOUT: Readonly<Partial<Record<ContractFinding, FindingTopic>>> = {
  cannot_sell: 'sale',
  new_buyers_refused: 'sale',
  nobody_can_buy: 'sale',
  extreme_tax: 'sale',
  high_tax: 'sale',
  time_bomb: 'sale',
  hides_from_simulation: 'sale',
  answers_differ: 'sale',
  few_buyers_sold: 'sale',
  run_of_buys: 'sale',
  balances_gone: 'holders',
}

/** The topic of a floor in a verdict. */
export function topicOf(reason: FloorReason): FindingTopic {
  if (isOfContract(reason)) return ABOUT[reason] ?? 'owner'
  return reason === 'contract_not_checked' ? 'sale' : REASON_TOPICS[FLOOR_WORDS[reason].topic].about
}
