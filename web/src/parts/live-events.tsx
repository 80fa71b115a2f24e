// The newest events of a token, and those that come while the page is open, as they happen. An event that a
// reorganisation retracts disappears again.
import { useEffect, useState } from 'preact/hooks'
import { key } from '../api/key.ts'
import { refresh } from '../api/live.ts'
import { followEvents, type Update } from '../api/shared-stream.ts'
import { useQuery } from '../api/use-query.ts'
import { dollars } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { SIZED_EVENTS } from '../pages/token-query.ts'
import { EventTable } from './event-table.tsx'
import { Loaded } from './state.tsx'
import { useAddressWord } from './use-address-word.ts'

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

/** The least dollars of the shown events. */
const SIZES = ['100', '1000', '10000'] as const

export function LiveEvents({ address, events, total, symbol, chainId }: LiveEventsProps) {
  const [size, choose] = useAddressWord('min_amount_usd', SIZES)
  const { updates, isLive } = useUpdates(address)
  const sized = useQuery(SIZED_EVENTS, size === null ? null : { address, minAmountUsd: Number(size) })
  const table = (answered: LiveEventsProps['events'], least: number, counted: number | null) => {
    const rows = rowsOf(answered, updates, least)
    return <EventTable events={rows} total={counted && Math.max(counted, rows.length)} {...{ chainId, symbol }} />
  }
  return (
    <>
      <p class="row">
        <label>
          Value{' '}
          <select value={size ?? ''} onChange={({ currentTarget: { value } }) => choose(toSize(value))}>
            <option value="">any</option>
            {SIZES.map((least) => (
              <option key={least} value={least}>
                {dollars(Number(least))} or more
              </option>
            ))}
          </select>
        </label>
      </p>
      {size === null ? (
        table(events, 0, total)
      ) : (
        <Loaded query={sized} what="events">
          {({ token }) => table(token?.events.nodes ?? [], Number(size), null)}
        </Loaded>
      )}
      <p class="faint foot" role="status">
        {isLive ? 'Live: events come as they happen.' : 'Not live: the table is asked for again with each block.'}
      </p>
    </>
  )
}

const toSize = (value: string) => SIZES.find((size) => size === value) ?? null

/** What came while the page is open, the newest first. */
function useUpdates(address: string): { updates: readonly Update[]; isLive: boolean } {
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
  return { updates, isLive }
}

/** The answered events with those that came since, and without retracted ones. */
function rowsOf(
  events: LiveEventsProps['events'],
  updates: readonly Update[],
  least: number,
): LiveEventsProps['events'] {
  const gone = new Set<string>()
  const seen = new Set<string>()
  const fresh: LiveEventsProps['events'] = []
  // The newest message about an event counts.
  for (const { id, retracted, event } of updates) {
    if (seen.has(id)) continue
    seen.add(id)
    if (retracted) gone.add(id)
    else if (event && event.amountUsd >= least) fresh.push(event)
  }
  const known = new Set(events.map(({ id }) => id))
  const added = fresh.filter(({ id }) => !known.has(id))
  return [...added, ...events.filter(({ id }) => !gone.has(id))].slice(0, MOST_ROWS)
}
