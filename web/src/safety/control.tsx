// The wallets that can withdraw the liquidity of a token, and the powers of its owner, in lines.
import { shortenAddress } from '../../../src/words/address.ts'
import { capitalise } from '../../../src/words/numbers.ts'
import { dateInWords, percent, whole } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AddressLink } from '../parts/address.tsx'
import { POWERS } from '../words.ts'
import { type Line, plain, unknown } from './line.ts'

type LiquidityFacts = Pick<TokenData, 'withdrawablePct' | 'withdrawableBy' | 'launch' | 'pools' | 'liquidityUsd'>
type Power = NonNullable<TokenData['powers']>[number]

/** Below it the liquidity is not worth pulling. */
const LEAST_USD = 1
/** A lock without an end. */
const NEVER = '9999'

export function tellLiquidity({
  withdrawablePct,
  withdrawableBy,
  launch,
  pools,
  liquidityUsd,
}: LiquidityFacts): Line[] {
  if (liquidityUsd < LEAST_USD) return [plain('There is no liquidity left to sell into.')]
  const lines = [tellWithdrawer(withdrawablePct, withdrawableBy)]
  if (launch?.withdrawable === false) lines.push(plain('The contract of its launch venue keeps what it opened with.'))
  if (launch?.withdrawable === true) lines.push(plain('Who launched it can withdraw what it opened with.'))
  for (const { endsAt, sharePct, counts } of pools.nodes[0]?.locks ?? []) {
    const until = endsAt.startsWith(NEVER) ? 'for good' : `until ${dateInWords(endsAt)}`
    const text = `Deepest pool: ${percent(sharePct)} locked ${until}${counts ? '' : ', which ends within 30 days'}.`
    lines.push(plain(text))
  }
  return lines
}

function tellWithdrawer(pct: number | null, by: LiquidityFacts['withdrawableBy']): Line {
  if (pct === null) return unknown('Not known: nothing tells who can withdraw the liquidity.')
  if (pct < 0.05) return plain('No wallet can withdraw it within 30 days.')
  const who = by ? <AddressLink address={by.address} /> : 'One wallet'
  return plain(
    <>
      {who} can withdraw {percent(pct)} of it within 30 days.
    </>,
  )
}

/** More sentences push the rest of the page away. */
const MOST_POWERS = 4

/** Why not everything was read, in words. */
const UNREAD: Readonly<Record<string, string>> = {
  no_code: 'the node itself answers for it, without code',
  not_evm_code: 'the chain itself runs it, without code that tells',
  too_long: 'its code is too long',
  no_functions: 'its code hides its functions',
  roles_unknown: 'not all of its roles and policies answered',
}

export function tellPowers(powers: readonly Power[] | null, unread: string | null): Line[] {
  if (unread === null) return tellKnown(powers)
  const found = powers === null ? [] : tellKnown(powers)
  return [...found, unknown(`What else somebody can do is not known: ${UNREAD[unread] ?? 'it could not be read'}.`)]
}

function tellKnown(powers: readonly Power[] | null): Line[] {
  if (powers === null) return [unknown('Code not looked into.')]
  if (powers.length === 0) return [plain('No power over holders was found.')]
  const lines = powers.slice(0, MOST_POWERS).map(tellPower)
  const more = powers.length - lines.length
  if (more > 0) lines.push(plain(`And ${whole(more)} more, which the API lists.`))
  return lines
}

function tellPower({ text, kind, holder, renounced, hidden, proven, function: name }: Power): Line {
  if (renounced) return plain(`Renounced: nobody is left who could ${POWERS[kind] ?? kind}.`)
  const told = capitalise(text)
  const hiding = name.startsWith('0x') ? ', by a function of unknown name' : ', which its contract hides'
  const ending = `${hidden ? hiding : ''}${proven ? '' : ' (told by a name, not tried)'}.`
  const [before, after] = holder === null ? [] : told.split(shortenAddress(holder))
  if (holder === null || after === undefined) return plain(`${told}${ending}`)
  return plain(
    <>
      {before}
      <AddressLink address={holder} />
      {after}
      {ending}
    </>,
  )
}
