// The manifest of an exported table, `_manifest.json`: what the folder holds, and which of its partitions are complete.
import { z } from 'zod'
import { StartupError } from '../base/errors.ts'
import { FORMATS } from './encoder.ts'
import { TABLE_NAMES } from './table.ts'

/** Changes with a column's name, type or meaning. */
export const SCHEMA_VERSION = 1

const time = z.iso.datetime()

const partition = z.object({
  /** The rows of the partition: `from` is included, `to` is not. Null: a snapshot. */
  from: time.nullable(),
  to: time.nullable(),
  /** The newest final block when it was written; of a snapshot its block. */
  block: z.number(),
  rows: z.number(),
  bytes: z.number(),
})
export type Partition = z.infer<typeof partition>

const manifest = z.object({
  schemaVersion: z.number(),
  chainId: z.number(),
  chain: z.string(),
  table: z.enum(TABLE_NAMES),
  format: z.enum(FORMATS),
  /** The arguments as given; null: left out. */
  arguments: z.object({ from: z.string().nullable(), to: z.string().nullable() }),
  /** The time that `from` meant in the first run; null: a snapshot. */
  from: time.nullable(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), unit: z.string(), meaning: z.string() })),
  /** By the name of their folder, such as `date=2025-11-08`. */
  partitions: z.record(z.string(), partition),
})
export type Manifest = z.infer<typeof manifest>

/** Throws if the text is no manifest. */
export function parseManifest(text: string, folder: string): Manifest {
  try {
    return manifest.parse(JSON.parse(text))
  } catch (error) {
    throw new StartupError(`${folder}: _manifest.json is damaged. Name another folder with --out.`, 1, error)
  }
}

/** Throws unless the folder holds the same export as this run writes. */
export function requireSame(folder: string, found: Manifest, wanted: Manifest): void {
  const facts = ({ schemaVersion, chainId, format, arguments: given }: Manifest) => [
    `schema version ${schemaVersion}`,
    `chain ${chainId}`,
    `--format ${format}`,
    given.from === null ? 'no --from' : `--from ${given.from}`,
    given.to === null ? 'no --to' : `--to ${given.to}`,
  ]
  const now = facts(wanted)
  const other = facts(found).findIndex((fact, at) => fact !== now[at])
  if (other < 0) return
  throw new StartupError(
    `${folder} has an export with ${facts(found)[other]}, not ${now[other]}: name another folder with --out.`,
  )
}
