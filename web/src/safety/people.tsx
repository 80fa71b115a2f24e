// The creator and the holders of a token, in lines.
import { dollars, percent, whole } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AddressLink, TokenLink } from '../parts/address.tsx'
import { LabelMark } from '../parts/label-mark.tsx'
import { tellKin } from './kin.ts'
import { caution, danger, type Line, plain, toneFrom, unknown } from './line.ts'

type MakerFacts = Pick<TokenData, 'deployer' | 'deployerRecord'>
type Earlier = NonNullable<MakerFacts['deployerRecord']>['earlier']

/** Below it a token's pools are empty. */
const LEAST_USD = 1

export function tellMaker({ deployer, deployerRecord }: MakerFacts): Line[] {
  if (deployer === null) return [unknown('Not known.')]
  const made = plain(
    <>
      Deployed by <AddressLink address={deployer.address} />. <LabelMark labels={deployer.labels} />
    </>,
  )
  if (deployerRecord === null) return [made, unknown('Earlier tokens: not known.')]
  const { tokens, pulled, earlier, funderTokens, funderPulled } = deployerRecord
  const kin = tellKin(funderTokens, funderPulled)
  if (tokens === 0) return [made, plain('No earlier token of it is known.'), ...kin]
  const others = earlier.filter((one) => !one.pulled)
  const lines = [made]
  if (pulled > 0)
    lines.push(
      danger(
        <>
          Pulled {whole(pulled)} of its {whole(tokens)} earlier tokens
          <Names earlier={earlier.filter((one) => one.pulled)} />.
        </>,
      ),
    )
  else lines.push(plain(`Pulled none of its ${whole(tokens)} earlier tokens.`))
  if (others.length > 0)
    lines.push(
      plain(
        <>
          {pulled > 0 ? 'Its others' : 'They'} are not pulled
          <Names earlier={others} isTold />.
        </>,
      ),
    )
  return [...lines, ...kin]
}

/** The tokens by name; `isTold`: with the liquidity of their pools. */
const Names = ({ earlier, isTold = false }: { earlier: Earlier; isTold?: boolean }) =>
  earlier.map(({ token }, at) => (
    <>
      {at === 0 ? ': ' : ', '}
      {token ? <TokenLink {...token} /> : 'one that is no longer indexed'}
      {token && isTold && ` (${token.liquidityUsd < LEAST_USD ? 'no liquidity left' : dollars(token.liquidityUsd)})`}
    </>
  ))

type HolderFacts = Pick<TokenData, 'topHolders' | 'riskFlags' | 'clusters' | 'balancesDiffer'>

/** Of the supply, in one wallet, in ten, and in wallets that belong together. */
const ONE = [10, 30] as const
const TEN = [40, 70] as const
const LINKED = [10, 30] as const
/** Holders that never sell. */
const HELD = ['pool', 'burned', 'locker']

export function tellHolders(facts: HolderFacts): Line[] {
  const { topHolders, balancesDiffer } = facts
  const free = topHolders.filter(({ classification }) => !HELD.includes(classification))
  const [largest] = free
  const lines: Line[] = []
  if (!largest)
    return [topHolders.length > 0 ? plain('Pools, lockers and burn addresses hold it.') : unknown('Not known.')]
  const { address, holdingPct, wallet } = largest
  lines.push({
    tone: toneFrom(holdingPct, ...ONE),
    text: (
      <>
        Largest: <AddressLink address={address} /> with {percent(holdingPct)} of the supply.{' '}
        <LabelMark labels={wallet.labels} />
      </>
    ),
  })
  if (free.length > 1) {
    const sum = free.reduce((total, holder) => total + holder.holdingPct, 0)
    lines.push({ tone: toneFrom(sum, ...TEN), text: `The ${whole(free.length)} largest together: ${percent(sum)}.` })
  }
  lines.push(tellLinked(facts))
  if (balancesDiffer?.rebasing)
    lines.push(
      caution(
        `Its balances change without transfers: ${whole(balancesDiffer.moved)} of ${whole(balancesDiffer.asked)} holders have another one than shown here.`,
      ),
    )
  return lines
}

function tellLinked({ clusters, riskFlags }: HolderFacts): Line {
  const [largest] = clusters?.clusters ?? []
  if (largest)
    return {
      tone: toneFrom(largest.outsidePct, ...LINKED),
      text: `Largest cluster: ${whole(largest.walletCount)} linked wallets with ${percent(largest.heldPct)} of the supply, ${percent(largest.outsidePct)} of what lies outside pools.`,
    }
  if (riskFlags.includes('sybil_cluster')) return danger('Linked wallets hold a large share.')
  return clusters === null
    ? unknown('Linked wallets: share not known.')
    : plain('No linked wallets were found among its holders.')
}
