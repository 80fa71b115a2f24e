// The powers over the holders of a token: a table of facts and points, without a fit. The sum of the points is the
// dimension `capability`, 0-100. Unknown facts cost points too.
import type { Dimension } from '../ledger/explanation.ts'
import { contractStrength } from '../verdict/contract.ts'
import { deployerPulledShare } from './flags.ts'
import type { TokenMeasures } from './measures.ts'
import { ramp, toDimension, toInput } from './ramp.ts'
import { CAPABILITY } from './weights.ts'

export function scoreCapability(measures: TokenMeasures): Dimension {
  const { points, ramps } = CAPABILITY
  const input = (name: keyof typeof points, value: number | null, share: (value: number) => number) =>
    toInput(name, value, points[name] / 100, share)
  return toDimension('capability', [
    input('liquidityUsd', measures.liquidityUsd, (usd) => 1 - ramp(log10(usd), ramps.liquidityUsd)),
    input('exitShare', measures.exitShare, (share) => ramp(share, ramps.exitShare)),
    input('reserveToPeak', measures.reserveToPeak, (left) => 1 - ramp(left, ramps.reserveToPeak)),
    input('providerCount', measures.providerCount, (count) => 1 - ramp(log10(count), ramps.providerCount)),
    input('topTenShare', measures.topTenShare, (share) => ramp(share, ramps.topTenShare)),
    input('holderHhi', measures.holderHhi, (index) => ramp(index, ramps.holderHhi)),
    input('matchedShare', measures.matchedShare, (share) => ramp(share, ramps.matchedShare)),
    input('traderCount', measures.cleanTraderCount, (count) => 1 - ramp(log10(count), ramps.traderCount)),
    input('volumeHhi', measures.volumeHhi, (index) => ramp(index, ramps.volumeHhi)),
    // Fewer than three such wallets say nothing either way.
    input('smartFlow', measures.smartFlow ?? 0, (flow) => 0.5 - 0.5 * Math.tanh(flow)),
    input('contractStrength', contractStrength(measures.contract), (strength) => strength / 100),
    input(
      'clusterSupplyShare',
      measures.clusterSupplyShare,
      (share) => measures.clusterStrength * ramp(share, ramps.clusterSupplyShare),
    ),
    input('pulledRecord', pulledRecord(measures), (share) => share),
  ])
}

/** The larger share of what its deployer's earlier tokens lost to pulls, and its opener's other pools; one unknown more than there are. */
const pulledRecord = (measures: TokenMeasures) =>
  Math.max(deployerPulledShare(measures), measures.openerEmptiedCount / (measures.openerPoolCount + 1))

const log10 = (value: number): number => Math.log10(Math.max(value, 1))
