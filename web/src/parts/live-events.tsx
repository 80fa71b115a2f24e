// The newest events of a token, and those that come while the page is open, as they happen. An event that a
// reorganisation retracts disappears again.
import { useEffect, useState } from 'preact/hooks'
import { key } from '../api/key.ts'
import { refresh } from '../api/live.ts'
import { followEvents, type Update } from '../api/shared-stream.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { EventTable } from './event-table.tsx'

/** Rows in the table. */
const MOST_ROWS = 30
/** Events that came while the page was open; the page's own answer has the older ones by then. */
const MOST_KEPT = 100

interface LiveEventsProps {
  address: string
  events: TokenData['events']['nodes']
  total: number
  symbol: string
  chainId: number | undefined
}

export function LiveEvents({ address, events, total, symbol, chainId }: LiveEventsProps) {
  const [updates, setUpdates] = useState<readonly Update[]>([])
  const [isLive, setIsLive] = useState(false)
  const secret = key.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key opens another stream.
  useEffect(() => {
    if (!secret) return
    setUpdates([])
    return followEvents(address, secret, {
      onLive: setIsLive,
      onUpdate: (update) => setUpdates((before) => [update, ...before].slice(0, MOST_KEPT)),
      onRestart: () => {
        setUpdates([])
        refresh()
      },
    })
  }, [address, secret])
  const gone = new Set<string>()
  const seen = new Set<string>()
  const fresh: Update['event'][] = []
  // The newest message about an event counts.
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
      <EventTable events={rows} total={Math.max(total, rows.length)} chainId={chainId} symbol={symbol} />
      <p class="faint foot" role="status">
        {isLive ? 'Live: events come as they happen.' : 'Not live: the table is asked for again with each block.'}
      </p>
    </>
  )
}
