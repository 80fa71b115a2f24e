// Computes all measures of a token for its score, flags and trending, by name. Null means unknown.
import type { ClusterMap } from '../ledger/clusters.ts'
import type { ContractFacts, SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { mapClusters } from './cluster-map.ts'
import { type FlowMeasures, measureFlow } from './flow.ts'
import { type HolderMeasures, measureHolders } from './holders.ts'
import { type LiquidityMeasures, measureLiquidity } from './liquidity.ts'
import { measureOpening, type OpeningMeasures } from './opening.ts'
import { withoutWash } from './organic.ts'
import { measureSignals, type TokenSignals } from './signals.ts'
import { measureSmartMoney, type SmartMoneyMeasures } from './smart-money.ts'
import { joinEvidence, listSybils, measureSybil, readEvidence, type SybilMeasures, weighClusters } from './sybil.ts'
import { measureTempo, type TempoMeasures } from './tempo.ts'
import { measureTenure, type TenureMeasures } from './tenure.ts'
import { measureTrades, type TradeMeasures } from './trades.ts'
import { measureWash, type WashMeasures } from './wash.ts'
import { listWashers } from './washers.ts'

export type TokenMeasures = LiquidityMeasures &
  HolderMeasures &
  WashMeasures &
  SmartMoneyMeasures &
  SybilMeasures &
  TradeMeasures &
  TokenSignals &
  FlowMeasures &
  TempoMeasures &
  TenureMeasures &
  OpeningMeasures & {
    /** The findings of the newest contract check; null: never checked. */
    contract: ContractFacts | null
    /** Earlier tokens of its deployer, and how many were pulled; 0 for an unknown deployer. */
    deployerTokenCount: number
    deployerPulledCount: number
    /** The same of wallets with its deployer's first funder; 0 for an unknown one. */
    funderTokenCount: number
    funderPulledCount: number
  }

export interface MeasuredToken {
  measures: TokenMeasures
  /** The swaps that count as wash trades. */
  washSwaps: ReadonlySet<SwapFacts>
  /** The wallets that stand behind them, ascending. */
  washerIds: number[]
  /** The wallets of the clusters that set `sybil_cluster`. */
  clusterWalletIds: number[]
  /** The clusters among its wallets; null: unknown. */
  clusterMap: ClusterMap | null
}

/** All measures of a token at its block, and the swaps and wallets behind its flags. */
export function measureToken(facts: TokenFacts): MeasuredToken {
  const evidence = readEvidence(facts)
  const clusters = evidence && joinEvidence(evidence)
  const weighed = weighClusters(facts, clusters)
  const wash = measureWash(facts, clusters)
  const organic = withoutWash(facts, wash.matched)
  // Here and in all code that runs once a score: V8 takes fifty times as long for a spread with further properties as
  // for `assign`.
  const measures = Object.assign(
    measureLiquidity(facts),
    measureHolders(facts, clusters),
    wash.measures,
    measureSmartMoney(organic),
    measureSybil(weighed),
    measureTrades(facts, wash.matched),
    measureSignals(organic),
    measureFlow(organic),
    measureTempo(organic),
    measureTenure(facts),
    measureOpening(facts),
    {
      contract: facts.contract,
      deployerTokenCount: facts.deployerRecord?.tokens ?? 0,
      deployerPulledCount: facts.deployerRecord?.pulled ?? 0,
      funderTokenCount: facts.deployerRecord?.funderTokens ?? 0,
      funderPulledCount: facts.deployerRecord?.funderPulled ?? 0,
    },
  )
  return {
    measures,
    washSwaps: wash.matched,
    washerIds: listWashers(wash.sure, clusters),
    clusterWalletIds: listSybils(weighed),
    clusterMap: mapClusters(facts, evidence, weighed),
  }
}
