// Writes segments of a history. The rows come as lines of text, twice. The first time they are written, sorted three
// ways. The second time they are compared with what the files then hold. A segment that differs is not placed.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { quote } from '../../base/sql-text.ts'
import type { HistoryWriter, Placed, Segment } from '../history.ts'
import type { HistoryColumn } from '../lines.ts'
import { type NumberRange, requireCount, requirePlaces, requireSameRows } from './compare.ts'
import { CONTENTS, copyAll, copyStaged, marked, type SegmentSource, STAGED_HASHES } from './contents.ts'
import { type Engine, openEngine, type RunSql } from './engine.ts'
import {
  beginSegment,
  makeMarker,
  makeSpillFolder,
  nameSegment,
  placeSegment,
  readMarker,
  removeSegment,
  requireFiles,
  sweepFolder,
} from './files.ts'
import { HASHES, readManifest, type SegmentManifest, writeManifest } from './manifest.ts'
import { ORDERS } from './orders.ts'
import { openSource } from './source.ts'

/** The types of a line's columns. */
const STAGED: Readonly<Record<HistoryColumn, string>> = {
  n: 'BIGINT',
  type_n: 'BIGINT',
  block_number: 'INTEGER',
  log_index: 'INTEGER',
  token_id: 'INTEGER',
  token_n: 'INTEGER',
  token_type_n: 'INTEGER',
  wallet_id: 'INTEGER',
  wallet_n: 'INTEGER',
  wallet_type_n: 'INTEGER',
  pool_id: 'INTEGER',
  counterparty_id: 'INTEGER',
  type: 'TINYINT',
  direction: 'TINYINT',
  quantity: 'DOUBLE',
  amount_usd: 'DOUBLE',
  time: 'BIGINT',
  tx_hash: 'VARCHAR',
  counterparty_n: 'INTEGER',
  counterparty_type_n: 'INTEGER',
  part: 'SMALLINT',
  attribution: 'TINYINT',
  signer_id: 'INTEGER',
}

const LIMITS = { threads: 1, memoryMb: 1_024, connections: 1, withinMs: 3_600_000 }
/** Opens the folder for its only writer. Loads DuckDB at the first segment. */
export function openFolderWriter(folder: string): HistoryWriter {
  let opening: Promise<Opened> | null = null
  /** Segments that are not outdated. */
  const current = new Set<string>()
  const open = () => {
    opening ??= openOwn(folder)
    return opening
  }
  return {
    readMarker: () => readMarker(folder),
    makeMarker: (id) => makeMarker(folder, id),
    requireSegment: (name) => requireFiles(folder, name),
    isOutdated: async (name) => {
      if (!current.has(name) && (await readManifest(join(folder, name))).places) current.add(name)
      return !current.has(name)
    },
    sweep: (known, before) => sweepFolder(folder, known, before),
    remove: (name) => removeSegment(folder, name),
    write: async (range, readLines) => {
      const { engine, spillFolder } = await open()
      return place(engine, folder, range, writeFrom(spillFolder, range, readLines))
    },
    merge: async (segments) => {
      const [first, last] = [segments[0], segments.at(-1)]
      if (!first || !last) throw new Error('there is nothing to merge')
      const range = { firstN: first.firstN, lastN: last.lastN }
      return place((await open()).engine, folder, range, mergeFrom(folder, range, segments))
    },
    close: async () => {
      const opened = await opening?.catch(() => null)
      if (!opened) return
      await opened.engine.close()
      await rm(opened.spillFolder, { recursive: true, force: true })
    },
  }
}

interface Opened {
  engine: Engine
  spillFolder: string
}

async function openOwn(folder: string): Promise<Opened> {
  const spillFolder = await makeSpillFolder(folder)
  return { engine: await openEngine(folder, { ...LIMITS, spillFolder }), spillFolder }
}

/** Writes the files of an unfinished segment into its folder, and compares them with what they should have. */
type Work = (run: RunSql, at: string) => Promise<SegmentManifest>

const writeFrom =
  (spillFolder: string, range: NumberRange, readLines: () => AsyncIterable<string>): Work =>
  async (run, at) => {
    await stage(run, spillFolder, readLines)
    await requireCount(run, range)
    await copyStaged(run, at)
    await stage(run, spillFolder, readLines)
    return complete(run, at, range, { ...CONTENTS, hashes: STAGED_HASHES })
  }

const mergeFrom =
  (folder: string, range: NumberRange, segments: readonly Segment[]): Work =>
  async (run, at) => {
    const source = await openSource(run, folder, segments)
    await copyAll(run, at, source)
    return complete(run, at, range, source)
  }

/** Checks the written rows and the places of their values; writes the manifest. */
async function complete(run: RunSql, at: string, range: NumberRange, source: SegmentSource): Promise<SegmentManifest> {
  for (const order of ORDERS) await requireSameRows(run, source[order], join(at, order, '*.parquet'))
  await requireSameRows(run, source.hashes, join(at, HASHES))
  const manifest = await writeManifest(run, at)
  await requirePlaces(run, at, range, manifest)
  return manifest
}

/** Runs the work on an unfinished segment, and puts it in its place; removes it if the work fails. */
function place(engine: Engine, folder: string, { firstN, lastN }: NumberRange, work: Work): Promise<Placed> {
  return engine.withConnection(async (run) => {
    const unfinished = await beginSegment(folder)
    try {
      const manifest = await work(run, join(folder, unfinished))
      const name = nameSegment(firstN, lastN)
      return { name, bytes: await placeSegment(folder, { unfinished, name, manifest }) }
    } catch (error) {
      await removeSegment(folder, unfinished).catch(() => {})
      throw error
    } finally {
      for (const table of ['staged', 'outdated']) await run(`DROP TABLE IF EXISTS ${table}`).catch(() => {})
    }
  })
}

/** Fills a table with the lines, through a file that is then removed. */
async function stage(run: RunSql, spillFolder: string, readLines: () => AsyncIterable<string>): Promise<void> {
  const path = join(spillFolder, 'lines.csv')
  try {
    await pipeline(readLines(), createWriteStream(path))
    const columns = Object.entries(STAGED).map(([name, type]) => `${quote(name)}: ${quote(type)}`)
    const rows = `(SELECT * REPLACE (make_timestamp("time") AS "time", unhex(tx_hash) AS tx_hash)
      FROM read_csv(${quote(path)}, header = false, delim = ',', quote = '', escape = '', auto_detect = false, columns = {${columns.join(', ')}}))`
    await run(`CREATE OR REPLACE TEMP TABLE staged AS ${marked(rows)}`)
  } finally {
    await rm(path, { force: true })
  }
}
