// The numbers of a token that are not in its overview.
import { PAGE_FIELDS, type PageField } from '../../../src/fields/token.ts'
import { count, dollars, duration, percent, quantity, showNumber } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { Fact, Facts } from './facts.tsx'
import { Panel } from './panel.tsx'
import { Day } from './when.tsx'

interface TokenNumbersProps {
  token: TokenData
  request: { document: string; variables: unknown }
}

export const TokenNumbers = ({ token, request }: TokenNumbersProps) => (
  <Panel title="Numbers" request={request}>
    <Facts>
      <Fact name="Peak liquidity ever">{dollars(token.peakLiquidityUsd)}</Fact>
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
  </Panel>
)
