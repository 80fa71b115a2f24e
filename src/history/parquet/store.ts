// The history in a folder of Parquet files, read by DuckDB. A fault of a file or of the folder is told once, and answers
// say that older events cannot be read.
import { watchFaults } from '../fault.ts'
import type { HistoryFaults, HistoryStore } from '../history.ts'
import { relateEvents } from './all-events.ts'
import { type Engine, openEngine } from './engine.ts'
import { createEventsReader } from './events.ts'
import { readMarker, reasonOf } from './files.ts'
import { createNewest } from './newest.ts'
import { createReading } from './reading.ts'
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
  const faults = watchFaults({ reasonOf, onFault, onRecovery })
  const open = (): Promise<Engine> => {
    opening ??= openEngine(folder, LIMITS).catch((error) => {
      opening = null
      throw error
    })
    return opening
  }
  const reading = createReading(folder, async (sql) => (await open()).query(sql), faults)
  const newest = createNewest(reading)
  return {
    setting: 'HISTORY_DIR',
    reasonOf,
    openWriter: () => openFolderWriter(folder),
    ...createEventsReader(reading),
    ...createStarts(reading, newest),
    ...createRelations(reading, newest),
    relateEvents: (segments) => relateEvents(folder, reading, segments),
    requireId: faults.requireId(
      () => readMarker(folder),
      (found) => new Error(`the folder has ${found}`),
    ),
    close: async () => {
      const engine = await opening?.catch(() => null)
      await engine?.close()
    },
  }
}
