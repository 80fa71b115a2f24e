// Why a list lacks an event: who answers without it, again and again, and which server lacks what the answer joins.
import { openDatabase } from '../../../src/database/client.ts'
import type { Segment } from '../../../src/history/history.ts'
import { createParquetStore } from '../../../src/history/parquet/store.ts'
import { SEGMENTS } from '../../../src/ledger/segments.ts'
import { type Reader, readEventIds } from './lists.ts'
import type { Member } from './patroni.ts'

/** Readings of one list from one process. Replicas take turns. */
const READINGS = 6
const MOST_EVENTS = 8

/** An event of the undisturbed run. */
export interface TracedEvent {
  n: number
  block_number: number
  log_index: number
  part: number | null
  token_id: number
  wallet_id: number
}

/** What a server has of an event and of its token and wallet, through no index and through the primary keys. */
async function describeEvent(member: Member, event: TracedEvent, folder: string): Promise<string> {
  const { n, token_id: token, wallet_id: wallet } = event
  const server = openDatabase(member.url, { size: 1 })
  const store = createParquetStore({ folder, onFault: () => {}, onRecovery: () => {} })
  const counts = async (way: 'on' | 'off') => {
    for (const kind of ['seqscan', 'bitmapscan']) await server.pool.query(`SET enable_${kind} = ${way}`)
    const { rows } = await server.pool.query<object>(
      `SELECT (SELECT count(*) FROM event WHERE n = $1)::int AS event,
        (SELECT count(*) FROM token WHERE id = $2)::int AS token, (SELECT count(*) FROM wallet WHERE id = $3)::int AS wallet`,
      [n, token, wallet],
    )
    return JSON.stringify(rows[0])
  }
  try {
    const { rows: segments } = await server.pool.query<Segment>(SEGMENTS)
    const own = segments.filter(({ firstN, lastN }) => firstN <= n && n <= lastN)
    const [old] = await store.readNumbers(own, [n])
    const isSame = old?.token_id === token && old.wallet_id === wallet
    const moved = own.map(({ name }) => name).join(', ') || 'no segment'
    const found = old ? (isSame ? 'has it' : `has ${JSON.stringify(old)}`) : 'lacks it'
    const [scanned, indexed] = [await counts('on'), await counts('off')]
    return `${member.name} has ${scanned} through no index, ${indexed} through indexes; ${moved} ${found}`
  } finally {
    await store.close()
    await server.close()
  }
}

/** Lines about a list that lacks events: each process alone, each reading, and each server for each event. */
export async function traceList(
  path: string,
  {
    wanted,
    processes,
    members,
    history,
    events,
  }: {
    /** Identifiers of the events that the list should have. */
    wanted: readonly string[]
    /** Processes by their names: those behind the balancer, and some that read from one server only. */
    processes: readonly (Reader & { name: string })[]
    members: readonly Member[]
    /** The folder with the older events. */
    history: string
    events: ReadonlyMap<string, TracedEvent>
  },
): Promise<string[]> {
  const lines: string[] = []
  const lacking = new Set<string>()
  for (const process of processes) {
    const readings: string[] = []
    for (let count = 0; count < READINGS; count += 1) {
      // The first reading repeats the comparison's own questions. Other sizes of pages make answers that nobody kept.
      const { ids, blocks } = await readEventIds(process, path, 200 - count)
      const found = new Set(ids)
      const without = wanted.filter((id) => !found.has(id))
      for (const id of without) lacking.add(id)
      const named = without.length > 0 ? ` (${without.slice(0, 4).join(' ')})` : ''
      readings.push(`${without.length}${named} at ${[...blocks].join(' ')}`)
    }
    lines.push(`${path} of ${process.name} lacks, reading after reading: ${readings.join('; ')}`)
  }
  for (const id of [...lacking].slice(0, MOST_EVENTS)) {
    const event = events.get(id)
    if (!event) continue
    for (const member of members) lines.push(`${id}, number ${event.n}: ${await describeEvent(member, event, history)}`)
  }
  return lines
}
