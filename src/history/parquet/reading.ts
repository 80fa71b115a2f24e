// Asks the files of segments: a statement reads the parts that may have its rows, and hashes are read by their places.
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { quote } from '../../base/sql-text.ts'
import type { FaultWatch } from '../fault.ts'
import type { Segment } from '../history.ts'
import type { EngineRow, RunSql } from './engine.ts'
import { readHashRows } from './hashes.ts'
import { HASHES, MANIFEST, partPaths, readManifest, type SegmentManifest } from './manifest.ts'
import { mayHave, type Order, type Wanted } from './orders.ts'

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
  /** The same over the metadata of the row groups. */
  askBounds(asked: Asked, sql: (metadata: string) => string): Promise<EngineRow[]>
  /** The paths of the parts that may have the rows. */
  partsOf(asked: Asked): Promise<string[]>
  /** The hashes of events, as hex digits. The running numbers ascend, and are in the segment. */
  readHashes(segment: Segment, ns: readonly number[]): Promise<Map<number, string>>
  /** How many hashes a segment has. */
  countHashes(segment: Segment): Promise<number>
}

export function createReading(folder: string, query: RunSql, faults: Pick<FaultWatch, 'ask'>): SegmentReading {
  const manifests = new LRUCache<string, Promise<SegmentManifest>>({ max: MOST_KNOWN })

  const manifestOf = ({ name }: Segment): Promise<SegmentManifest> => {
    const known = manifests.get(name)
    if (known) return known
    const at = join(folder, name)
    const reading = faults.ask(() => readManifest(at), [join(at, MANIFEST)])
    manifests.set(name, reading)
    reading.catch(() => manifests.delete(name))
    return reading
  }

  const partsOf = async ({ segments, order, wanted }: Asked): Promise<string[]> => {
    const lists = await Promise.all(
      segments.map(async (segment) => {
        const { name, firstN, lastN } = segment
        // The manifest of a segment without wanted rows is not read.
        if (wanted && !mayHave({ bounds: { n: [firstN, lastN] } }, wanted)) return []
        const { parts } = await manifestOf(segment)
        const found = wanted ? parts[order].filter((part) => mayHave(part, wanted)) : parts[order]
        return partPaths(join(folder, name), order, found)
      }),
    )
    return lists.flat()
  }

  const askOf = (from: (paths: readonly string[]) => string): SegmentReading['ask'] => {
    return async (asked, sql) => {
      const paths = await partsOf(asked)
      return paths.length === 0 ? [] : faults.ask(() => query(sql(from(paths))), paths)
    }
  }

  const readHashes: SegmentReading['readHashes'] = async (segment, ns) => {
    const { hashes } = await manifestOf(segment)
    const path = join(folder, segment.name, HASHES)
    const rows = ns.map((n) => n - segment.firstN)
    const found = await faults.ask(() => readHashRows(path, hashes, rows), [path])
    return new Map([...found].map(([row, hash]) => [row + segment.firstN, hash]))
  }

  /** Throws if the file ends before its last group does. */
  const countHashes = async (segment: Segment): Promise<number> => {
    const { hashes } = await manifestOf(segment)
    const count = hashes.reduce((sum, { rows }) => sum + rows, 0)
    if (count > 0) await readHashes(segment, [segment.firstN + count - 1])
    return count
  }

  return {
    partsOf,
    countHashes,
    readHashes,
    ask: askOf(readParquet),
    askBounds: askOf((paths) => `parquet_metadata(${listOf(paths)})`),
  }
}

const listOf = (paths: readonly string[]): string => `[${paths.map(quote).join(', ')}]`

/** What follows FROM: all rows of these files. */
export const readParquet = (paths: readonly string[]): string =>
  `read_parquet(${listOf(paths)}, hive_partitioning = false)`
