// Compares two to four tokens: the change of their prices since a common start, and their numbers side by side. The
// tokens are in the address.
import type { ResultOf } from 'gql.tada'
import type { ComponentChildren, TargetedEvent } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { ask, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { useChainLocation } from '../chain.ts'
import { Chart } from '../chart/chart.tsx'
import type { ChartData } from '../chart/pane.ts'
import { compareAddress, MOST_COMPARED, readCompared, toShares } from '../compare.ts'
import { count, dollars, duration, foreign, percent, price } from '../format.ts'
import { TokenLink } from '../parts/address.tsx'
import { Change, gainClass } from '../parts/change.tsx'
import { INTERVAL_NAMES, type Interval, Intervals } from '../parts/intervals.tsx'
import { Dash, Known } from '../parts/known.tsx'
import { Panel } from '../parts/panel.tsx'
import { Lookalike, Risk } from '../parts/risk.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { StarButton } from '../parts/star-button.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { TimesTable } from '../parts/times-table.tsx'
import { useTitle } from '../parts/use-title.ts'
import { MainFindings, NOT_SCORED, Unbroken } from '../parts/verdict.tsx'

const COMPARE = graphql(`
query Compare($addresses: [Address!]!, $interval: Interval!) {
  tokens(addresses: $addresses, first: 4) {
    nodes {
      address symbol name lastPriceUsd marketCapUsd liquidityUsd depth2PctUsd volume24hUsd organicVolume24hUsd holderCount
      ageHours priceChange { h24 d7 } riskScore
      verdict { level headline findings { kind name text points } unknown { text } }
      lookalikeOf { address symbol }
      candles(interval: $interval, limit: 168, fill: true) { start closeUsd }
    }
  }
}`)

const FIND = graphql(`
query FindToken($text: String!) { search(query: $text, limit: 1) { tokens { address } } }`)

const USUAL: Interval = 'h1'

type Compared = ResultOf<typeof COMPARE>['tokens']['nodes'][number]

export function ComparePage() {
  useTitle('Compare')
  const { query, route } = useChainLocation()
  const tokens = readCompared(query.tokens)
  const interval = INTERVAL_NAMES.find((name) => name === query.interval) ?? USUAL
  const go = (next: readonly string[], length: Interval = interval) =>
    route(compareAddress(next, length === USUAL ? undefined : length))
  const variables = { addresses: tokens, interval }
  const answer = useQuery(COMPARE, tokens.length === 0 ? null : variables, tokens.join())
  return (
    <Panel
      title="Compare"
      level={1}
      request={{ document: COMPARE, variables }}
      aside={<Intervals chosen={interval} onChoose={(length) => go(tokens, length)} />}
    >
      {tokens.length < MOST_COMPARED && <AddForm onAdd={(address) => go([...tokens, address])} />}
      {tokens.length === 0 ? (
        <Empty>Add two to four tokens, or press “Compare” on the page of one.</Empty>
      ) : (
        <Loaded query={answer} what="the tokens">
          {({ tokens: { nodes } }) => {
            const found = tokens.flatMap((address) => nodes.find((token) => token.address === address) ?? [])
            return (
              <>
                {found.length < tokens.length && <Empty>A token of this address is not indexed.</Empty>}
                <Lines tokens={found} of={`${tokens.join()} ${interval}`} />
                <Table tokens={found} onRemove={(address) => go(tokens.filter((one) => one !== address))} />
              </>
            )
          }}
        </Loaded>
      )}
    </Panel>
  )
}

function AddForm({ onAdd }: { onAdd(address: string): void }) {
  const [said, setSaid] = useState('')
  const submit = async (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('token') ?? '').trim()
    try {
      const [found] = (await ask(FIND, { text })).search.tokens
      setSaid(found ? '' : `No token is found by “${text}”.`)
      if (!found) return
      form.reset()
      onAdd(found.address)
    } catch (error) {
      setSaid(toFailure(error).message)
    }
  }
  return (
    <form onSubmit={submit} class="row">
      <label>
        Add a token <input name="token" required minLength={2} maxLength={64} placeholder="Symbol, name or address" />
      </label>
      <button type="submit">Add</button>
      <span role="status">{said}</span>
    </form>
  )
}

const nameOf = ({ symbol }: Compared): string => foreign(symbol, 12)

/** Symbols that are alike have their addresses beside them. */
const namesOf = (tokens: readonly Compared[]): string[] =>
  tokens.map((token, at) =>
    tokens.some((other, index) => index !== at && nameOf(other) === nameOf(token))
      ? `${nameOf(token)} ${token.address.slice(0, 6)}`
      : nameOf(token),
  )

function Lines({ tokens, of }: { tokens: readonly Compared[]; of: string }) {
  const points = useMemo(() => toShares(tokens), [tokens])
  const names = namesOf(tokens)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names and the points follow from the same tokens.
  const data = useMemo(
    (): ChartData => ({
      panes: [{ kind: 'lines', title: '', height: 1, names, points, format: (value) => percent(value, true) }],
      marks: [],
    }),
    [points],
  )
  if (points.length === 0) return <Empty>No price in this time.</Empty>
  const columns = names.map((name, at) => [
    name,
    ({ values }: (typeof points)[number]) => percent(values[at] ?? null, true),
  ])
  return (
    <Chart of={of} data={data} class="line-chart" label={`Change of price since the common start: ${names.join(', ')}`}>
      <TimesTable
        label="changes"
        points={points}
        timeOf={({ time }) => new Date(time * 1_000).toISOString()}
        columns={Object.fromEntries(columns)}
      />
    </Chart>
  )
}

const ROWS: Readonly<Record<string, (token: Compared) => ComponentChildren>> = {
  Verdict: (token) => (
    <>
      <Risk {...token} /> {token.lookalikeOf && <Lookalike of={token.lookalikeOf} />}
      <div>
        <Unbroken text={token.verdict?.headline ?? NOT_SCORED} />
      </div>
    </>
  ),
  'Main findings': ({ verdict }) => verdict && <MainFindings verdict={verdict} />,
  'Not known': ({ verdict }) => verdict?.unknown.map(({ text }) => text).join('; ') || <Dash />,
  Price: (token) => price(token.lastPriceUsd),
  'Price, 24 h': (token) => <Gain {...token} pct={token.priceChange.h24} />,
  'Price, 7 days': (token) => <Gain {...token} pct={token.priceChange.d7} />,
  'Market cap': (token) => (token.lastPriceUsd === null ? <Dash /> : <Known text={dollars(token.marketCapUsd)} />),
  Liquidity: (token) => dollars(token.liquidityUsd),
  'Moves it 2 %': (token) => <Known text={dollars(token.depth2PctUsd)} />,
  'Volume 24 h': (token) => dollars(token.volume24hUsd),
  'Organic 24 h': (token) => dollars(token.organicVolume24hUsd),
  Holders: (token) => count(token.holderCount),
  Age: (token) => duration(token.ageHours * 3_600, 'long'),
}

/** A gain of a token of critical risk has no colour. */
const Gain = ({ verdict, pct }: Pick<Compared, 'verdict'> & { pct: number | null }) => (
  <span class={gainClass(verdict)}>
    <Change pct={pct} />
  </span>
)

const Table = ({ tokens, onRemove }: { tokens: readonly Compared[]; onRemove(address: string): void }) => (
  <Scroll label="Compared tokens">
    <table class="compared">
      <thead>
        <tr>
          <th scope="col" class="text">
            <span class="hidden">Number</span>
          </th>
          {tokens.map((token, at) => (
            <th key={token.address} scope="col" class="text">
              <span class={`swatch swatch-${at + 1}`} aria-hidden="true" />
              <TokenLink {...token} /> <StarButton {...token} />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${nameOf(token)}`}
                onClick={() => onRemove(token.address)}
              >
                ✕
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(ROWS).map(([name, show]) => (
          <tr key={name}>
            <th scope="row" class="text">
              {name}
            </th>
            {tokens.map((token) => (
              <td key={token.address} class="text wrap">
                {show(token)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
