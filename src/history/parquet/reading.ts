// Asks the files of segments: a statement reads the parts that may have its rows. What those lack is read by its place.
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { FaultWatch } from '../fault.ts'
import type { OldEvent, Segment } from '../history.ts'
import { toInstant } from '../numbers.ts'
import type { EngineRow, RunSql } from './engine.ts'
import { BLOCKS, HASHES, MANIFEST, partPaths, readManifest, type SegmentManifest } from './manifest.ts'
import { mayHave, type Order, type Wanted } from './orders.ts'
import { type OpenSegment, readHashesAt, readValuesAt } from './places.ts'
import { type Files, fromFiles, pathList } from './relation.ts'

/** Segments whose manifests are remembered. */
const MOST_KNOWN = 1_000

export interface Asked {
  segments: readonly Segment[]
  order: Order
  /** Null: all rows. */
  wanted: Wanted | null
}

export interface SegmentReading {
  /** Runs a statement; `sql` gets what follows FROM. No rows if no part may have some. */
  ask(asked: Asked, sql: (from: string) => string): Promise<EngineRow[]>
  /** The same for rows with the columns EVENT_FIELDS, which it completes. */
  askEvents(asked: Asked, sql: (from: string) => string): Promise<OldEvent[]>
  /** Adds to rows with `n` and `quantity` what their order lacks. */
  complete(segments: readonly Segment[], rows: readonly EngineRow[]): Promise<void>
  /** The same as `ask` over the metadata of the row groups. */
  askBounds(asked: Asked, sql: (metadata: string) => string): Promise<EngineRow[]>
  /** The parts that may have the rows. */
  filesOf(asked: Asked): Promise<Files>
  /** The hashes of events, as hex digits. The running numbers ascend, and are in the segment. */
  readHashes(segment: Segment, ns: readonly number[]): Promise<Map<number, string>>
  /** Throws unless the segment has the hash and the values of its last event. */
  requireLast(segment: Segment): Promise<void>
}

export function createReading(folder: string, query: RunSql, faults: Pick<FaultWatch, 'ask'>): SegmentReading {
  const open = createOpening(folder, faults)

  const filesOf = async ({ segments, order, wanted }: Asked): Promise<Files> => {
    const files: Files = { current: [], outdated: [] }
    // The manifest of a segment without wanted rows is not read.
    const asked = segments.filter(({ firstN, lastN }) => !wanted || mayHave({ bounds: { n: [firstN, lastN] } }, wanted))
    for (const { at, manifest } of await Promise.all(asked.map(open))) {
      const parts = manifest.parts[order]
      const found = wanted ? parts.filter((part) => mayHave(part, wanted)) : parts
      files[manifest.places ? 'current' : 'outdated'].push(...partPaths(at, order, found))
    }
    return files
  }

  const askOf = (from: (order: Order, files: Files) => string): SegmentReading['ask'] => {
    return async (asked, sql) => {
      const files = await filesOf(asked)
      const paths = [...files.current, ...files.outdated]
      return paths.length === 0 ? [] : faults.ask(() => query(sql(from(asked.order, files))), paths)
    }
  }
  const ask = askOf(fromFiles)

  const { readHashes, complete, requireLast } = createByPlace(open, faults)

  return {
    filesOf,
    ask,
    complete,
    readHashes,
    askBounds: askOf((_, { current, outdated }) => `parquet_metadata(${pathList([...current, ...outdated])})`),
    askEvents: async (asked, sql) => {
      const rows = await ask(asked, sql)
      await complete(asked.segments, rows)
      return rows.map(toOldEvent)
    },
    requireLast,
  }
}

/** Reads values by their places. */
function createByPlace(
  open: (segment: Segment) => Promise<OpenSegment>,
  faults: Pick<FaultWatch, 'ask'>,
): Pick<SegmentReading, 'readHashes' | 'complete' | 'requireLast'> {
  const readHashes: SegmentReading['readHashes'] = async (segment, ns) => {
    const opened = await open(segment)
    return faults.ask(() => readHashesAt(opened, ns), [join(opened.at, HASHES)])
  }

  const complete: SegmentReading['complete'] = async (segments, rows) => {
    const lacking = rows.filter(({ quantity }) => quantity === null)
    if (lacking.length > 0) await Promise.all(segments.map((segment) => completeOf(segment, lacking)))
  }

  const completeOf = async (segment: Segment, rows: readonly EngineRow[]): Promise<void> => {
    const own = rows.filter(({ n }) => segment.firstN <= Number(n) && Number(n) <= segment.lastN)
    if (own.length === 0) return
    const opened = await open(segment)
    const { places } = opened.manifest
    if (!places) return
    const ns = [...new Set(own.map(({ n }) => Number(n)))].sort((a, b) => a - b)
    const found = await faults.ask(() => readValuesAt(opened, places, ns), [join(opened.at, BLOCKS)])
    for (const row of own) Object.assign(row, found.get(Number(row.n)))
  }

  return {
    readHashes,
    complete,
    requireLast: async (segment) => {
      await readHashes(segment, [segment.lastN])
      await completeOf(segment, [{ n: segment.lastN }])
    },
  }
}

/** Reads manifests, and remembers them. */
function createOpening(folder: string, faults: Pick<FaultWatch, 'ask'>): (segment: Segment) => Promise<OpenSegment> {
  const manifests = new LRUCache<string, Promise<SegmentManifest>>({ max: MOST_KNOWN })
  return async ({ name, firstN }) => {
    const at = join(folder, name)
    let reading = manifests.get(name)
    if (!reading) {
      reading = faults.ask(() => readManifest(at), [join(at, MANIFEST)])
      manifests.set(name, reading)
      reading.catch(() => manifests.delete(name))
    }
    return { at, firstN, manifest: await reading }
  }
}

/** The row of DuckDB in the form of the table `event`. */
const toOldEvent = (row: EngineRow): OldEvent =>
  ({ ...row, time: toInstant(row.time as number) }) as unknown as OldEvent
