// Folders of labelled tokens -> the fitted scorecard. In: the same snapshots that the evaluation judges, of all folders
// together. Out: plain points, the same for the same folders and seed, and how well they do on tokens held out.
import { composeParts, settleScore } from '../composite.ts'
import { applyScorecard, type Branch, type LinearTerm, type Scorecard, type ScorecardInput } from '../scorecard.ts'
import { scoreToken, type TokenRisk } from '../token-risk.ts'
import { SETTLED_HOURS } from '../weights.ts'
import { type BoostOptions, boost, type Example } from './boost.ts'
import { hasFile } from './csv.ts'
import { readTokenFolder } from './folder.ts'
import type { TokenHistory } from './history.ts'
import { createLeftOut } from './left-out.ts'
import { areaUnderCurve, createRandom } from './metrics.ts'
import { PROTOCOLS, type Protocol, type Snapshot, takeSnapshots } from './snapshots.ts'

/** What the scorecard may ask. Directions hold where the meaning demands them; the data decide the rest. */
const ASKED: readonly ScorecardInput[] = [
  { name: 'lifeHours', activity: false, direction: 0 },
  { name: 'exitShare', activity: false, direction: 1 },
  { name: 'exitUsd', activity: false, direction: 0 },
  { name: 'exitHeldHours', activity: false, direction: 0 },
  { name: 'lockedShare', activity: false, direction: -1 },
  { name: 'liquidityUsd', activity: false, direction: -1 },
  { name: 'ownerCount', activity: false, direction: -1 },
  { name: 'reserveToPeak', activity: false, direction: 0 },
  { name: 'swapCount', activity: true, direction: -1 },
  { name: 'tradingHours7d', activity: true, direction: -1 },
  { name: 'tradingHours24h', activity: true, direction: -1 },
  { name: 'volume7dUsd', activity: true, direction: -1 },
  { name: 'meanTradeUsd', activity: false, direction: 0 },
  { name: 'tradeToReserve', activity: false, direction: 0 },
  { name: 'sellShare', activity: false, direction: 0 },
  { name: 'openingUsd', activity: false, direction: 0 },
  { name: 'reserveGrowth', activity: false, direction: 0 },
  { name: 'turnover', activity: true, direction: 0 },
  { name: 'firstBuysToOpening', activity: false, direction: 0 },
  { name: 'firstBuyShare', activity: false, direction: 0 },
  { name: 'sellVolumeUsd', activity: true, direction: 0 },
  { name: 'roundTripShare', activity: false, direction: 0 },
  { name: 'sellToBuySize', activity: false, direction: 0 },
  { name: 'tradeConcentration', activity: false, direction: 0 },
  { name: 'medianBuyUsd', activity: false, direction: 0 },
  { name: 'sizeDeviation', activity: false, direction: 0 },
  { name: 'priceChange', activity: false, direction: 0 },
  { name: 'firstSwapHours', activity: true, direction: 0 },
  { name: 'firstSellHours', activity: true, direction: 0 },
  { name: 'sinceSwapHours', activity: true, direction: 0 },
  { name: 'medianGapSeconds', activity: true, direction: 0 },
  { name: 'gapVariation', activity: true, direction: 0 },
  { name: 'halfwayShare', activity: true, direction: 0 },
  { name: 'nextExitShare', activity: false, direction: 0 },
  { name: 'burnedLiquidityShare', activity: false, direction: -1 },
  { name: 'sharesMovedHours', activity: false, direction: 0 },
  { name: 'sharesHeldHours', activity: false, direction: 0 },
  { name: 'lockDelayHours', activity: false, direction: 0 },
  { name: 'lockHeldHours', activity: false, direction: 0 },
  { name: 'exitMovedHours', activity: false, direction: 0 },
  { name: 'keptShare', activity: false, direction: 0 },
  { name: 'peakLiquidityUsd', activity: false, direction: 0 },
  { name: 'liquidityToPeak', activity: false, direction: 0 },
  { name: 'openingStep', activity: false, direction: 0 },
]

/** The last input is asked by one branch of its own, and not fitted. */
const INPUTS: readonly ScorecardInput[] = [...ASKED, { name: 'openerEmptiedExcess', activity: false, direction: 1 }]

/**
 * Log-odds of a token whose opener has emptied more of its other pools than not: what gains most on tokens held out of both
 * chains (1 to 3 do alike). Trees learn next to nothing of a thing that is known of one rug in eleven.
 */
const OPENER: Branch = [ASKED.length, 1, 0, 0, 1.5, 0]

/**
 * Log-odds per point of a dimension. Liquidity and wash: what held-out Polygon pools gain (24 h +.03) for the least loss on
 * Ethereum (-.007). Holders and smart money are not in the data: small [G].
 */
const LINEAR: readonly LinearTerm[] = [
  { dimension: 'liquidity', weight: 0.015, centre: 50 },
  { dimension: 'holders', weight: 0.01, centre: 60 },
  { dimension: 'wash', weight: 0.01, centre: 60 },
  { dimension: 'smartMoney', weight: 0.01, centre: 50 },
]

const OPTIONS: BoostOptions = {
  rounds: 500,
  depth: 5,
  rate: 0.05,
  l2: 5,
  minWeight: 5,
  bins: 48,
  rowShare: 0.7,
  inputShare: 0.4,
}

/** Weights of the protocols: the last block before a rug is where a warning counts most. */
const PROTOCOL_WEIGHT: Record<Protocol, number> = { '1h': 0.5, '24h': 1, '72h': 0.5, aligned: 10, aligned_complete: 8 }
/** Peers for each rug, so that the healthy side is known as well. */
const PEERS = 5
const FOLDS = 5
/** Sum of the weights of one class of a protocol of a folder, for a protocol of weight 1. */
const CLASS_WEIGHT = 150

interface Case extends Snapshot {
  source: string
  fold: number
  risk: TokenRisk
  values: (number | null)[]
}

export interface Calibration {
  scorecard: Scorecard
  /** AUC of the published score of tokens held out by the time of their creation, deployers kept together. */
  heldOut: { source: string; protocol: Protocol; n: number; auc: number | null }[]
}

/** The scorecard of all folders; the same bytes for the same folders and seed. */
export function calibrate(folders: readonly string[], seed: number): Calibration {
  const cases = folders.filter((folder) => hasFile(folder, 'labels.csv')).flatMap((folder) => readCases(folder, seed))
  const fitted = fitScorecard(cases, seed)
  return { scorecard: fitted, heldOut: crossValidate(cases, seed) }
}

function readCases(folder: string, seed: number): Case[] {
  const histories = [...readTokenFolder(folder, createLeftOut())].sort((a, b) => a.createdAt - b.createdAt)
  const folds = new Map(histories.map((history, at) => [history, Math.floor((at * FOLDS) / histories.length)]))
  const random = createRandom(seed)
  const snapshots = PROTOCOLS.flatMap((protocol) => takeSnapshots(histories, protocol, random, PEERS))
  return snapshots.map((snapshot) => {
    const risk = scoreToken(snapshot.facts)
    const fold = folds.get(snapshot.history) ?? 0
    return { ...snapshot, source: folder, fold, risk, values: toValues(risk) }
  })
}

function toValues({ measures: own }: TokenRisk): (number | null)[] {
  const measures: Readonly<Record<string, unknown>> = { ...own }
  return INPUTS.map(({ name }) => {
    const value = measures[name]
    if (typeof value !== 'number' || !Number.isFinite(value)) return null
    return name.endsWith('Hours') ? Math.min(value, SETTLED_HOURS) : value
  })
}

/** Each class of each protocol of each folder weighs the same, so a score of 50 is as many rugs as not. */
function fitScorecard(cases: readonly Case[], seed: number): Scorecard {
  const keyOf = ({ source, protocol, positive }: Case) => `${source} ${protocol} ${positive}`
  const counts = new Map<string, number>()
  for (const one of cases) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  const examples: Example[] = cases.map((one) => ({
    values: one.values,
    positive: one.positive,
    weight: (CLASS_WEIGHT * PROTOCOL_WEIGHT[one.protocol]) / (counts.get(keyOf(one)) ?? 1),
  }))
  const { intercept, trees } = boost(examples, ASKED, OPTIONS, createRandom(seed))
  return { intercept, trees: [OPENER, ...trees], inputs: INPUTS, linear: LINEAR }
}

/** The published score that a token would have with another scorecard: leaned to the prior, lifted to its floors. */
function settleWith(scorecard: Scorecard, { measures, dimensions, explanation }: TokenRisk): number {
  const contributions = applyScorecard(scorecard, { ...measures }, dimensions)
  const parts = { link: 'logistic' as const, intercept: scorecard.intercept, contributions }
  return settleScore({ ...explanation, ...parts, composite: composeParts(parts) })
}

function crossValidate(cases: readonly Case[], seed: number): Calibration['heldOut'] {
  const ownerOf = ({ source, history }: { source: string; history: TokenHistory }) => `${source} ${history.deployer}`
  const scored = Array.from({ length: FOLDS }, (_, fold) => {
    const held = cases.filter((one) => one.fold === fold)
    const owners = new Set(held.map(ownerOf))
    const scorecard = fitScorecard(
      cases.filter((one) => one.fold !== fold && !owners.has(ownerOf(one))),
      seed,
    )
    return held.map(({ source, protocol, positive, risk }) => {
      return { source, protocol, positive, score: settleWith(scorecard, risk) }
    })
  }).flat()
  return [...new Set(cases.map((one) => one.source))].flatMap((source) =>
    PROTOCOLS.map((protocol) => {
      const own = scored.filter((one) => one.source === source && one.protocol === protocol)
      return { source, protocol, n: own.length, auc: areaUnderCurve(own) }
    }),
  )
}
