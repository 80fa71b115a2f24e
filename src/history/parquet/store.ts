// The history in a folder of Parquet files, read by DuckDB. A fault of a file or of the folder is told once, and answers
// say that older events cannot be read.
import { AssayError } from '../../base/errors.ts'
import { createHistoryFault } from '../fault.ts'
import type { HistoryFaults, HistoryStore } from '../history.ts'
import { relateEvents } from './all-events.ts'
import { type Engine, type EngineRow, openEngine } from './engine.ts'
import { createEventsReader } from './events.ts'
import { filesIn, readMarker, reasonOf } from './files.ts'
import { createRelations } from './relations.ts'
import { createStarts } from './starts.ts'
import { openFolderWriter } from './writer.ts'

// A reader writes nothing: its folder may be mounted read-only, and other readers share it.
const LIMITS = { threads: 2, memoryMb: 512, connections: 4, withinMs: 8_000, spillFolder: null }

export interface ParquetDeps extends HistoryFaults {
  folder: string
}

/** Loads DuckDB at the first question. */
export function createParquetStore({ folder, onFault, onRecovery }: ParquetDeps): HistoryStore {
  let opening: Promise<Engine> | null = null
  let knownId: string | null = null
  const fault = createHistoryFault(reasonOf, onFault, onRecovery)
  const ask = async (sql: string): Promise<EngineRow[]> => {
    try {
      opening ??= openEngine(folder, LIMITS)
      const engine = await opening.catch((error) => {
        opening = null
        throw error
      })
      const rows = await engine.query(sql)
      fault.pass(sql)
      return rows
    } catch (error) {
      throw error instanceof AssayError ? error : fault.fail(error, sql)
    }
  }
  const files = filesIn(folder, ask)
  return {
    setting: 'HISTORY_DIR',
    reasonOf,
    openWriter: () => openFolderWriter(folder),
    ...createEventsReader(files),
    ...createStarts(files),
    ...createRelations(files),
    relateEvents: (segments) => relateEvents(folder, segments),
    requireId: async (id) => {
      if (knownId === id) return
      const found = await readMarker(folder).catch((error) => {
        throw fault.fail(error, '')
      })
      const what = found === null ? 'no history' : 'the history of another index'
      if (found !== id) throw fault.fail(new Error(`the folder has ${what}`), '')
      knownId = found
    },
    close: async () => {
      const engine = await opening?.catch(() => null)
      await engine?.close()
    },
  }
}
