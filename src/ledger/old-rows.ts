// Events of the history as rows of the table `event`, so that the statements for that table read them too.
import type { OldEvent } from '../history/history.ts'
import type { OpenHistory } from './segments.ts'

/** What follows FROM in place of the table: rows in the parameter of this number. */
export const rowsIn = (parameter: number): string => `jsonb_populate_recordset(NULL::event, $${parameter}::jsonb)`

/** The value of that parameter. */
export const toRows = (events: readonly OldEvent[]): string => JSON.stringify(events)

/** The events with the hashes of their transactions. */
export async function addHashes({ store, segments }: OpenHistory, events: readonly OldEvent[]): Promise<OldEvent[]> {
  const hashes = await store.readHashes(
    segments,
    events.map(({ n }) => n),
  )
  return events.map((event) => ({ ...event, tx_hash: `\\x${hashes.get(event.n) ?? ''}` }))
}
