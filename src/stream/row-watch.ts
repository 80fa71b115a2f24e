// Watches tokens and wallets for readers: when the chain moves, one query reads them all.
import type { Database } from '../database/client.ts'
import type { HeadWatch } from '../ledger/head.ts'
import { readStamps, WATCHED, type Watched } from '../ledger/read/row-stamp.ts'
import type { Outage } from '../telemetry/outage.ts'
import { lookAtEachMove } from './look.ts'

/** Watchers of one row. */
interface Row {
  /** Undefined: not read yet, or not since a read failed; null: there is no such row. */
  stamp: string | null | undefined
  /** How often it changed. */
  changes: number
  watchers: Set<() => void>
}

export interface RowWatch {
  /** Yields when the row is read for the first time, and after each change; several changes at once yield one time. */
  follow(kind: Watched, address: string, signal: AbortSignal): AsyncGenerator<void, void, void>
  stop(): void
}

/** Yields when the row is read for the first time, and after each change. `readNow` reads a row that was never read. */
async function* changesOf(row: Row, readNow: () => void, signal: AbortSignal): AsyncGenerator<void, void, void> {
  let wake = () => {}
  const watcher = () => wake()
  row.watchers.add(watcher)
  signal.addEventListener('abort', watcher)
  let seen = 0
  try {
    if (row.changes === 0) readNow()
    while (!signal.aborted) {
      if (row.changes === seen) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (signal.aborted || row.changes === seen) continue
      seen = row.changes
      yield
    }
  } finally {
    signal.removeEventListener('abort', watcher)
    row.watchers.delete(watcher)
  }
}

/** Watches the rows of a ledger. */
export function createRowWatch(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  head: Pick<HeadWatch, 'onChange'>,
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
    ).catch((error) => {
      // Another server may lead next, whose transactions have numbers that the lost ones had.
      for (const [, row] of asked) row.stamp = undefined
      throw error
    })
    for (const [address, row] of asked) {
      const stamp = stamps.get(address) ?? null
      if (row.stamp === stamp) continue
      row.stamp = stamp
      row.changes += 1
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
      const row = rows[kind].get(address) ?? { stamp: undefined, changes: 0, watchers: new Set() }
      rows[kind].set(address, row)
      try {
        yield* changesOf(row, look.now, signal)
      } finally {
        if (row.watchers.size === 0) rows[kind].delete(address)
      }
    },
    stop: look.stop,
  }
}
