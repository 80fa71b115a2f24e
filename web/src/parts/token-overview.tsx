// What a trader of a token needs first: its name, its price, the verdict, and the numbers of the day.
import { compareAddress } from '../compare.ts'
import { explorerOf } from '../explorers.ts'
import { count, dollars, duration, price, shortAddress } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { WINDOW_NAMES, WINDOWS } from '../time-windows.ts'
import { Foreign } from './address.tsx'
import { AddressTools } from './address-tools.tsx'
import { Change, gainClass } from './change.tsx'
import { Fact, Facts } from './facts.tsx'
import { RequestButton } from './request-button.tsx'
import { Lookalike } from './risk.tsx'
import { StarButton } from './star-button.tsx'
import { VerdictHead } from './verdict.tsx'

interface TokenOverviewProps {
  token: TokenData
  /** Undefined: nothing is indexed. */
  chainId: number | undefined
  request: { document: string; variables: unknown }
}

export const TokenOverview = ({ token, chainId, request }: TokenOverviewProps) => (
  <section class="panel main" aria-labelledby="token-title">
    <div class="panel-head">
      <StarButton address={token.address} symbol={token.symbol} />
      <h1 id="token-title" class="large">
        <Foreign text={token.symbol} most={16} />
        {isOtherName(token) && (
          <span class="faint">
            <Foreign text={token.name} />
          </span>
        )}
      </h1>
      <span
        class={['price number', gainClass(token.verdict)].filter(Boolean).join(' ')}
        title="At the last change of its pools"
      >
        {price(token.lastPriceUsd)}
        {token.lastPriceUsd === null && ' price'} <DayChange token={token} />
      </span>
    </div>
    <div class="beside">
      <VerdictHead token={token} />
      <div>
        <Facts>
          <Fact name="Buys 24 h">{count(token.windows.h24.buyCount)}</Fact>
          <Fact name="Sells 24 h">{count(token.windows.h24.sellCount)}</Fact>
          <Fact name="Volume 24 h">{dollars(token.volume24hUsd)}</Fact>
          <Fact name="Market cap">{token.lastPriceUsd === null ? 'unknown' : dollars(token.marketCapUsd)}</Fact>
          <Fact name="Liquidity">{dollars(token.liquidityUsd)}</Fact>
          <Fact name="Age">{duration(token.ageHours * 3_600)}</Fact>
        </Facts>
        <p class="address-line">
          <code class="on-phone">{shortAddress(token.address)}</code>
          <code class="off-phone">{token.address}</code>{' '}
          <AddressTools address={token.address} explorer={explorerOf(chainId, 'token', token.address)} />
          <a href={compareAddress([token.address])}>Compare</a>{' '}
          {token.lookalikeOf && (
            <a href={`/token/${token.lookalikeOf.address}`}>
              <Lookalike of={token.lookalikeOf} />
            </a>
          )}
          {token.partial && <span>Older than the index: its past is not known in full.</span>}
          <RequestButton title="Overview" {...request} />
        </p>
      </div>
    </div>
  </section>
)

/** A name that says more than the symbol beside it: not the same word in other letters, and not nothing. */
const isOtherName = ({ symbol, name }: TokenData): boolean =>
  name.trim() !== '' && name.toLowerCase() !== symbol.toLowerCase()

const FIRST_SHOWN = 'since the first price shown'

/** The change of a day. A younger token has that of its longest window, or else that since its launch. */
function DayChange({ token }: { token: TokenData }) {
  const known = WINDOW_NAMES.filter((field) => token.priceChange[field] !== null && field !== 'd7')
  const field = known.includes('h24') ? 'h24' : known.at(-1)
  if (field)
    return (
      <small>
        <Change pct={token.priceChange[field]} /> {WINDOWS[field]}
      </small>
    )
  const first = (token.m5 ?? token.candles).find(({ openUsd }) => openUsd !== null)?.openUsd
  if (!first || !token.lastPriceUsd) return null
  return (
    <small>
      <Change pct={100 * (token.lastPriceUsd / first - 1)} /> {token.ageHours < 1 ? 'since launch' : FIRST_SHOWN}
    </small>
  )
}
