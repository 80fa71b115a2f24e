// The creator and the holders of a token, in lines.
import { percent } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AddressLink } from '../parts/address.tsx'
import { danger, type Line, plain, toneFrom, unknown } from './line.ts'

export function tellMaker({ deployer, deployerRecord }: Pick<TokenData, 'deployer' | 'deployerRecord'>): Line[] {
  if (deployer === null) return [unknown('Not known.')]
  const made = plain(
    <>
      Deployed by <AddressLink address={deployer.address} />.
    </>,
  )
  if (deployerRecord === null) return [made, unknown('Earlier tokens: not known.')]
  const { tokens, pulled } = deployerRecord
  if (tokens === 0) return [made, plain('No earlier token of it is known.')]
  return [made, (pulled > 0 ? danger : plain)(`Pulled ${pulled} of its ${tokens} earlier tokens.`)]
}

type HolderFacts = Pick<TokenData, 'topHolders' | 'riskFlags' | 'score'>

/** Of the supply, in one wallet, in ten, and in wallets that belong together. */
const ONE = [10, 30] as const
const TEN = [40, 70] as const
const LINKED = [10, 30] as const
/** Holders that never sell. */
const HELD = ['pool', 'burned', 'locker']

export function tellHolders({ topHolders, riskFlags, score }: HolderFacts): Line[] {
  const free = topHolders.filter(({ classification }) => !HELD.includes(classification))
  const [largest] = free
  const lines: Line[] = []
  if (!largest)
    return [topHolders.length > 0 ? plain('Pools, lockers and burn addresses hold it.') : unknown('Not known.')]
  const { address, holdingPct } = largest
  lines.push({
    tone: toneFrom(holdingPct, ...ONE),
    text: (
      <>
        Largest: <AddressLink address={address} /> with {percent(holdingPct)} of the supply.
      </>
    ),
  })
  if (free.length > 1) {
    const sum = free.reduce((total, holder) => total + holder.holdingPct, 0)
    lines.push({ tone: toneFrom(sum, ...TEN), text: `The ${free.length} largest together: ${percent(sum)}.` })
  }
  lines.push(tellLinked(riskFlags, score))
  return lines
}

function tellLinked(flags: readonly string[], { explanation }: HolderFacts['score']): Line {
  const inputs = explanation?.dimensions.flatMap((dimension) => dimension.inputs) ?? []
  const share = inputs.find(({ name }) => name === 'clusterSupplyShare')?.value ?? null
  if (share !== null)
    return { tone: toneFrom(100 * share, ...LINKED), text: `Linked wallets: ${percent(100 * share)}.` }
  return flags.includes('sybil_cluster')
    ? danger('Linked wallets hold a large share.')
    : unknown('Linked wallets: share not known.')
}
