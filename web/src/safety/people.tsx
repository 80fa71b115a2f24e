// The creator and the holders of a token, in lines.
import { countOf } from '../../../src/words/numbers.ts'
import { dollars, percent, whole } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AddressLink, TokenLink } from '../parts/address.tsx'
import { LabelMark } from '../parts/label-mark.tsx'
import { tellKin } from './kin.ts'
import { type Line, plain, unknown } from './line.ts'

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
      plain(
        <>
          Pulled {whole(pulled)} of its {countOf(tokens, 'earlier token')}
          <Names earlier={earlier.filter((one) => one.pulled)} />.
        </>,
      ),
    )
  else lines.push(plain(`Pulled none of its ${countOf(tokens, 'earlier token')}.`))
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

type HolderFacts = Pick<TokenData, 'topHolders' | 'clusters' | 'balancesDiffer'>

/** Holders that never sell. */
const HELD = ['pool', 'burned', 'locker']

export function tellHolders(facts: HolderFacts): Line[] {
  const { topHolders, balancesDiffer } = facts
  const [largest] = topHolders.filter(({ classification }) => !HELD.includes(classification))
  if (!largest)
    return [topHolders.length > 0 ? plain('Pools, lockers and burn addresses hold it.') : unknown('Not known.')]
  const { address, holdingPct, wallet } = largest
  const lines = [
    plain(
      <>
        Largest: <AddressLink address={address} /> with {percent(holdingPct)} of the supply.{' '}
        <LabelMark labels={wallet.labels} />
      </>,
    ),
    tellLinked(facts),
  ]
  if (balancesDiffer?.rebasing)
    lines.push(
      plain(
        `Its balances change without transfers: ${whole(balancesDiffer.moved)} of ${whole(balancesDiffer.asked)} holders have another one than shown here.`,
      ),
    )
  return lines
}

function tellLinked({ clusters }: HolderFacts): Line {
  if (clusters === null) return unknown('Linked wallets: share not known.')
  const [largest] = clusters.clusters
  return plain(
    largest
      ? `Largest cluster: ${whole(largest.walletCount)} linked wallets with ${percent(largest.heldPct)} of the supply, ${percent(largest.outsidePct)} of what lies outside pools.`
      : 'No linked wallets were found among its holders.',
  )
}
