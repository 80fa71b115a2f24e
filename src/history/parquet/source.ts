// The rows of segments from which another one is written. An outdated segment is rewritten alone: DuckDB first finds in a
// table which of its events are the first of a transaction or a block.
import { join } from 'node:path'
import type { Segment } from '../history.ts'
import { COLUMNS, marked, type SegmentSource } from './contents.ts'
import type { RunSql } from './engine.ts'
import { HASHES, partPaths, readManifest } from './manifest.ts'
import type { Order } from './orders.ts'
import { fromFiles, readParquet } from './relation.ts'

/** Throws if an outdated segment is not alone. */
export async function openSource(run: RunSql, folder: string, segments: readonly Segment[]): Promise<SegmentSource> {
  const opened = await Promise.all(
    segments.map(async ({ name }) => ({ at: join(folder, name), manifest: await readManifest(join(folder, name)) })),
  )
  const pathsOf = (order: Order) => opened.flatMap(({ at, manifest }) => partPaths(at, order, manifest.parts[order]))
  const hashes = readParquet(opened.map(({ at }) => join(at, HASHES)))
  if (opened.every(({ manifest }) => manifest.places)) {
    const all = (order: Order) => `SELECT * FROM ${readParquet(pathsOf(order))}`
    return { events: all('events'), tokens: all('tokens'), wallets: all('wallets'), hashes: `SELECT * FROM ${hashes}` }
  }
  if (opened.length > 1) throw new Error('an outdated segment is not merged with others')
  return openOutdated(run, pathsOf, hashes)
}

async function openOutdated(run: RunSql, pathsOf: (order: Order) => string[], hashes: string): Promise<SegmentSource> {
  const rows = (order: Order) => fromFiles(order, { current: [], outdated: pathsOf(order) })
  const events = `SELECT e.n, e.block_number, h.tx_hash FROM ${rows('events')} e JOIN ${hashes} h ON h.n = e.n`
  await run(`CREATE OR REPLACE TEMP TABLE outdated AS ${marked(`(${events})`)}`)
  const own = `SELECT e.* EXCLUDE (tx_n), o.tx_n, o.opens_tx, o.opens_block FROM ${rows('events')} e JOIN outdated o ON o.n = e.n`
  const select = (order: Order, from: string) => `SELECT ${COLUMNS[order]} FROM ${from}`
  return {
    events: select('events', `(${own})`),
    tokens: select('tokens', rows('tokens')),
    wallets: select('wallets', rows('wallets')),
    hashes: 'SELECT n, tx_hash FROM outdated WHERE opens_tx',
  }
}
