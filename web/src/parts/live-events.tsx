// The newest events of a token, and those that come while the page is open, as they happen. What a reorganisation takes back
// goes again.
import type { ResultOf } from 'gql.tada'
import { useEffect, useState } from 'preact/hooks'
import { graphql } from '../api/graphql.ts'
import { key } from '../api/key.ts'
import { refresh } from '../api/live.ts'
import { subscribe } from '../api/subscribe.ts'
import { EventTable } from './event-table.tsx'
import type { TokenData } from './token-overview.tsx'

const LIVE = graphql(`
subscription Live($address: Address!, $after: ID) {
  events(filter: { tokens: [$address] }, after: $after) {
    id cursor retracted
    event { id type direction timestamp amountUsd quantity walletAddress txHash }
  }
}`)

/** Rows in the table. */
const MOST_ROWS = 30
/** Events that came while the page was open; older ones are in the page's own answer by then. */
const MOST_KEPT = 100

type Update = ResultOf<typeof LIVE>['events']

interface LiveEventsProps {
  address: string
  events: TokenData['events']['items']
  total: number
  symbol: string
}

export function LiveEvents({ address, events, total, symbol }: LiveEventsProps) {
  const [updates, setUpdates] = useState<readonly Update[]>([])
  const [isLive, setIsLive] = useState(false)
  const secret = key.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key opens another stream.
  useEffect(() => {
    if (!secret) return
    let after: string | null = null
    setUpdates([])
    return subscribe(LIVE, () => ({ address, after }), {
      onLive: setIsLive,
      onData: ({ events: update }) => {
        after = update.cursor
        setUpdates((before) => [update, ...before].slice(0, MOST_KEPT))
      },
      // The cursor is too old, or of another server: what came until then may be gone. The list is asked for anew.
      onRefused: () => {
        if (after === null) return false
        after = null
        setUpdates([])
        refresh()
        return true
      },
    })
  }, [address, secret])
  const gone = new Set<string>()
  const seen = new Set<string>()
  const fresh: Update['event'][] = []
  // The newest word about an event counts.
  for (const { id, retracted, event } of updates) {
    if (seen.has(id)) continue
    seen.add(id)
    if (retracted) gone.add(id)
    else if (event) fresh.push(event)
  }
  const known = new Set(events.map(({ id }) => id))
  const added = fresh.flatMap((event) => (event && !known.has(event.id) ? [event] : []))
  const rows = [...added, ...events.filter(({ id }) => !gone.has(id))].slice(0, MOST_ROWS)
  return (
    <>
      <EventTable events={rows} total={Math.max(total, rows.length)} symbol={symbol} />
      <p class="faint foot" role="status">
        {isLive ? 'Live: events come as they happen.' : 'Not live: the table is asked for again with each block.'}
      </p>
    </>
  )
}
