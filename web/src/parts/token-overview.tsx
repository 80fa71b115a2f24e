import type { ComponentChildren } from 'preact'
import { count, date, dollars, duration, percent, price, quantity } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { Foreign } from './address.tsx'
import { Change } from './change.tsx'
import { Fact, Facts } from './facts.tsx'
import { RequestButton } from './request-button.tsx'
import { Flags, Lookalike, Risk } from './risk.tsx'

const CHANGES = [
  ['m5', '5 min'],
  ['h1', '1 h'],
  ['h6', '6 h'],
  ['h24', '24 h'],
  ['d7', '7 days'],
] as const

interface TokenOverviewProps {
  token: TokenData
  request: { document: string; variables: unknown }
  /** The content before the facts. */
  children: ComponentChildren
}

export function TokenOverview({ token, request, children }: TokenOverviewProps) {
  const isPriced = token.priceUsd !== 0
  return (
    <section class="panel main" aria-labelledby="token-title">
      <div class="panel-head">
        <h1 id="token-title" class="large">
          <Foreign text={token.symbol} most={16} />{' '}
          <span class="faint">
            <Foreign text={token.name} />
          </span>
        </h1>
        <span class="price number">{price(token.priceUsd)}</span>
        <span class="changes number">
          {CHANGES.map(([field, name]) => (
            <span key={field}>
              <small>{name}</small> <Change pct={token.priceChange[field]} />
            </span>
          ))}
        </span>
        <Risk riskScore={token.riskScore} riskLevel={token.riskLevel} isScored={token.reasons.length > 0} />
        <Flags flags={token.riskFlags} />
        {token.lookalikeOf && (
          <a href={`/token/${token.lookalikeOf.address}`}>
            <Lookalike of={token.lookalikeOf} />
          </a>
        )}
        <RequestButton title="Overview" {...request} />
      </div>
      <p class="address-line">
        <code>{token.address}</code>
        {token.partial && <span> Older than the index: its past is not known in full.</span>}
      </p>
      {children}
      <Facts>
        <Fact name="Market cap">{isPriced ? dollars(token.marketCapUsd) : 'unknown'}</Fact>
        <Fact name="Liquidity">{dollars(token.liquidityUsd)}</Fact>
        <Fact name="Peak liquidity">{dollars(token.peakLiquidityUsd)}</Fact>
        <Fact name="Volume 24 h">{dollars(token.volume24hUsd)}</Fact>
        <Fact name="Holders">
          {count(token.holderCount)} <small>{percent(token.holderGrowth1hPct, true)} in 1 h</small>
        </Fact>
        <Fact name="Buyers ever">{count(token.buyerCount)}</Fact>
        <Fact name="Swaps">{count(token.swapCount)}</Fact>
        <Fact name="Supply">
          {token.decimals === null ? 'unknown' : quantity(token.supply)}
          {(token.burned ?? 0) > 0 && <small> {quantity(token.burned)} burned</small>}
        </Fact>
        <Fact name="Created">
          <time dateTime={token.createdAt}>{date(token.createdAt)}</time>{' '}
          <small>{duration(token.ageHours * 3_600)}</small>
        </Fact>
        <Fact name="Launched on">{token.launchpad.replaceAll('_', ' ')}</Fact>
      </Facts>
    </section>
  )
}
