// The past 30 days' matches of an alert, computed on request: it costs several requests.
import type { ResultOf } from 'gql.tada'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, type Failure, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import type { Filter } from '../filter.ts'
import { duration, percent, price, whole } from '../format.ts'
import { TokenLink } from './address.tsx'
import { Change } from './change.tsx'
import { Dash } from './known.tsx'
import { Risk } from './risk.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { NOT_SCORED } from './verdict.tsx'
import { DateTime } from './when.tsx'

/** Matches in the table. */
const SHOWN = 10

const BACKTEST = graphql(`
query Backtest($filter: TokenFilter!) {
  backtest(filter: $filter) {
    summary matchCount keptSince exactSince from
    matches(limit: 10) {
      tokenAddress tokenSymbol blockNumber matchedAt exact priceUsd changeAfter24hPct worstFallPct pulled sellable token { riskScore verdict { level headline } }
    }
  }
}`)

type Answer = ResultOf<typeof BACKTEST>['backtest']
type Match = Answer['matches'][number]
type State = { answer: Answer } | { failure: Failure } | 'asking' | null

export function Backtest({ filter }: { filter: Filter }) {
  const [state, setState] = useState<State>(null)
  const ending = useRef<AbortController | null>(null)
  useEffect(() => () => ending.current?.abort(), [])
  const look = () => {
    const controller = new AbortController()
    ending.current = controller
    setState('asking')
    ask(BACKTEST, { filter }, controller.signal)
      .then(({ backtest }) => setState({ answer: backtest }))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setState({ failure: toFailure(error) })
      })
  }
  return (
    <section aria-label="Backtest" class="backtest">
      <p role="status">
        {state === null && 'See first what it would have told in the past 30 days.'}
        {state === 'asking' && 'Looking back 30 days…'}
        {state !== null && state !== 'asking' && 'answer' in state && <b>{state.answer.summary}</b>}
      </p>
      {state !== null && state !== 'asking' && 'failure' in state && (
        <p class="bad" role="alert">
          {state.failure.message}
          {state.failure.retryAfter !== null && ` Try again in ${duration(state.failure.retryAfter, 'long')}.`}
        </p>
      )}
      {state !== null && state !== 'asking' && 'answer' in state ? (
        <Result answer={state.answer} />
      ) : (
        <button type="button" disabled={state === 'asking'} onClick={look}>
          What would it have told?
        </button>
      )}
    </section>
  )
}

function Result({ answer }: { answer: Answer }) {
  const { keptSince, exactSince, from, matchCount, matches } = answer
  const isLate = keptSince !== null && keptSince > from
  return (
    <>
      {isLate && (
        <Empty>
          Values are kept since <DateTime iso={keptSince} />: nothing before it is found.
        </Empty>
      )}
      {matches.length > 0 && (
        <Scroll label="What it would have told">
          <table class="cards">
            <thead>
              <tr>
                <th scope="col" class="text">
                  Token
                </th>
                <th scope="col" class="text">
                  Began to match
                </th>
                <th scope="col">Price then</th>
                <th scope="col">After 24 h</th>
                <th scope="col">Deepest fall</th>
                <th scope="col" class="text">
                  By now
                </th>
              </tr>
            </thead>
            <tbody>
              {matches.map((match) => (
                <Row key={`${match.tokenAddress} ${match.blockNumber}`} match={match} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {matchCount > SHOWN && (
        <p class="faint">
          The newest {whole(SHOWN)} of {whole(matchCount)} are shown.
        </p>
      )}
      {matches.some(({ exact }) => !exact) && (
        <p class="faint">
          {exactSince === null ? (
            'Of this time'
          ) : (
            <>
              Before <DateTime iso={exactSince} />
            </>
          )}{' '}
          only the end of each day is kept: these began to match on that day.
        </p>
      )}
    </>
  )
}

function Row({ match }: { match: Match }) {
  const { tokenAddress, tokenSymbol, matchedAt, exact, priceUsd, changeAfter24hPct, worstFallPct } = match
  const { pulled, sellable, token } = match
  // A price at which no sale is possible is no gain.
  const isTrap = pulled || sellable === false
  return (
    <tr>
      <th scope="row" class="text">
        <TokenLink address={tokenAddress} symbol={tokenSymbol} />
      </th>
      <td class="text" data-name="Began to match">
        <DateTime iso={matchedAt} />
        {!exact && <span class="faint"> (day)</span>}
      </td>
      <td data-name="Price then">{price(priceUsd)}</td>
      <td data-name="After 24 h">{isTrap ? percent(changeAfter24hPct, true) : <Change pct={changeAfter24hPct} />}</td>
      <td data-name="Deepest fall">{percent(worstFallPct)}</td>
      <td class="text wrap" data-name="By now">
        {token ? (
          <>
            <Risk {...token} /> {token.verdict?.headline ?? NOT_SCORED}
          </>
        ) : (
          <Dash />
        )}
      </td>
    </tr>
  )
}
