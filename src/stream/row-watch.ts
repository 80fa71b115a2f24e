// Watches tokens and wallets for readers: when the chain moves, one query reads them all.
import type { Database } from '../database/client.ts'
import type { HeadWatch } from '../ledger/head.ts'
import { readStamps, WATCHED, type Watched } from '../ledger/read/row-stamp.ts'
import type { Outage } from '../telemetry/outage.ts'
import { lookAtEachMove } from './look.ts'

/** Watchers of one row. */
interface Row {
  /** Undefined: not read yet; null: there is no such row. */
  stamp: string | null | undefined
  watchers: Set<() => void>
}

export interface RowWatch {
  /** Yields when the row is read for the first time, and after each change; several changes at once yield one time. */
  follow(kind: Watched, address: string, signal: AbortSignal): AsyncGenerator<void, void, void>
  stop(): void
}

/** Watches the rows of a ledger. */
export function createRowWatch(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  head: HeadWatch,
  outage: Outage,
): RowWatch {
  const rows: Record<Watched, Map<string, Row>> = { token: new Map(), wallet: new Map() }

  const read = async (kind: Watched) => {
    const asked = [...rows[kind]]
    if (asked.length === 0) return
    const stamps = await readStamps(
      pool,
      kind,
      asked.map(([address]) => address),
    )
    for (const [address, row] of asked) {
      const stamp = stamps.get(address) ?? null
      if (row.stamp === stamp) continue
      row.stamp = stamp
      for (const watcher of row.watchers) watcher()
    }
  }
  const look = lookAtEachMove(
    head,
    async () => {
      for (const kind of WATCHED) await read(kind)
    },
    outage,
  )
  return {
    async *follow(kind, address, signal) {
      const row = rows[kind].get(address) ?? { stamp: undefined, watchers: new Set() }
      rows[kind].set(address, row)
      let wake = () => {}
      const watcher = () => wake()
      row.watchers.add(watcher)
      signal.addEventListener('abort', watcher)
      let seen: string | null | undefined
      try {
        if (row.stamp === undefined) look.now()
        while (!signal.aborted) {
          if (row.stamp === seen) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
          if (signal.aborted || row.stamp === undefined) continue
          seen = row.stamp
          yield
        }
      } finally {
        signal.removeEventListener('abort', watcher)
        row.watchers.delete(watcher)
        if (row.watchers.size === 0) rows[kind].delete(address)
      }
    },
    stop: look.stop,
  }
}
