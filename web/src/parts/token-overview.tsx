import type { ComponentChildren } from 'preact'
import { PAGE_FIELDS, type PageField } from '../../../src/fields/token.ts'
import { compareAddress } from '../compare.ts'
import { explorerOf } from '../explorers.ts'
import { count, dollars, duration, percent, price, quantity, showNumber } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { WINDOW_NAMES, WINDOWS } from '../time-windows.ts'
import { Foreign } from './address.tsx'
import { AddressTools } from './address-tools.tsx'
import { Change } from './change.tsx'
import { Fact, Facts } from './facts.tsx'
import { RequestButton } from './request-button.tsx'
import { Flags, Lookalike, Risk } from './risk.tsx'
import { StarButton } from './star-button.tsx'
import { Day } from './when.tsx'

interface TokenOverviewProps {
  token: TokenData
  /** Undefined: nothing is indexed. */
  chainId: number | undefined
  request: { document: string; variables: unknown }
  /** The content before the facts. */
  children: ComponentChildren
}

export function TokenOverview({ token, chainId, request, children }: TokenOverviewProps) {
  const isPriced = token.priceUsd !== 0
  return (
    <section class="panel main" aria-labelledby="token-title">
      <div class="panel-head">
        <StarButton address={token.address} symbol={token.symbol} />
        <h1 id="token-title" class="large">
          <Foreign text={token.symbol} most={16} />{' '}
          <span class="faint">
            <Foreign text={token.name} />
          </span>
        </h1>
        <span class="price number">{price(token.priceUsd)}</span>
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
        <code>{token.address}</code>{' '}
        <AddressTools address={token.address} explorer={explorerOf(chainId, 'token', token.address)} />
        <a href={compareAddress([token.address])}>Compare</a>
        {token.partial && <span> Older than the index: its past is not known in full.</span>}
      </p>
      {children}
      <Changes token={token} />
      <Facts>
        <Fact name="Market cap">{isPriced ? dollars(token.marketCapUsd) : 'unknown'}</Fact>
        <Fact name="Liquidity">{dollars(token.liquidityUsd)}</Fact>
        <Fact name="Peak liquidity ever">{dollars(token.peakLiquidityUsd)}</Fact>
        <Fact name="Volume 24 h">{dollars(token.volume24hUsd)}</Fact>
        <Fact name="Organic 24 h">{dollars(token.organicVolume24hUsd)}</Fact>
        <Fact name="Moves it 2 %">{dollars(token.depth2PctUsd)}</Fact>
        <Fact name="Holders">
          {count(token.holderCount)}{' '}
          <small>{token.ageHours < 1 ? 'all since launch' : `${percent(token.holderGrowth1hPct, true)} in 1 h`}</small>
        </Fact>
        {PAGE_FIELDS.map(({ name, title, unit }) => (
          <Fact key={name} name={title}>
            {showNumber(unit, (token as Partial<Record<PageField, number>>)[name])}
          </Fact>
        ))}
        <Fact name="Supply">
          {token.decimals === null ? 'unknown' : quantity(token.supply)}
          {(token.burned ?? 0) > 0 && <small> {quantity(token.burned)} burned</small>}
        </Fact>
        <Fact name="Created">
          <Day iso={token.createdAt} /> <small>{duration(token.ageHours * 3_600)}</small>
        </Fact>
        <Fact name="Launched on">{token.launchpad.replaceAll('_', ' ')}</Fact>
      </Facts>
    </section>
  )
}

/** A window before which the token had no price says nothing; a token that is younger than all of them has its launch. */
function Changes({ token }: { token: TokenData }) {
  const known = WINDOW_NAMES.filter((field) => token.priceChange[field] !== null)
  const first = (token.m5 ?? token.candles).find(({ openUsd }) => openUsd !== null)?.openUsd
  const sinceLaunch = known.length === 0 && first && token.priceUsd ? 100 * (token.priceUsd / first - 1) : null
  if (known.length === 0 && sinceLaunch === null) return <p class="faint">Price change: unknown.</p>
  return (
    <p class="changes number">
      {sinceLaunch !== null && (
        <span>
          <Change pct={sinceLaunch} /> <small>since the first price shown</small>
        </span>
      )}
      {known.map((field) => (
        <span key={field}>
          <small>{WINDOWS[field]}</small> <Change pct={token.priceChange[field]} />
        </span>
      ))}
    </p>
  )
}
