// Recorded transactions with the amounts that others decoded: the form in which they are kept, and reading a folder of them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const log = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  blockNumber: z.string(),
  transactionHash: z.string(),
  logIndex: z.string(),
})

const recording = z.object({
  chainId: z.number(),
  txHash: z.string(),
  blockHash: z.string(),
  from: z.string().optional(),
  to: z.string().nullable().optional(),
  value: z.string(),
  /** The logs of exchanges, by name: the exchange, a point, the event. */
  events: z.array(z.object({ logIndex: z.string(), name: z.string() })),
  /** The change of an account's balance, in whole tokens; a name instead of digits if the source has no number. */
  expected: z.array(
    z.object({ amount: z.string().nullable(), notes: z.string().nullable(), asset: z.string().nullable() }),
  ),
  logs: z.array(log),
  /** What another decoder made of single logs, raw and signed as they were logged. */
  decoded: z.array(z.object({ logIndex: z.number() }).catchall(z.unknown())).optional(),
})

export type Recording = z.infer<typeof recording>

export interface Folder {
  recordings: { file: string; recording: Recording }[]
  /** Files of lists of amounts alone, which have no logs. */
  others: string[]
  /** Recordings, or whole files, that are not in this form: where they stand, and the first fault. */
  unread: string[]
}

/** Every recording of a folder's files; a file has a list or a single one. */
export function readFolder(folder: string): Folder {
  const found: Folder = { recordings: [], others: [], unread: [] }
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  for (const file of files.sort()) {
    const entries = readEntries(join(folder, file))
    if (typeof entries === 'string') found.unread.push(`${file}: ${entries}`)
    else if (entries.every((entry) => !hasLogs(entry))) found.others.push(file)
    else for (const [at, entry] of entries.entries()) addEntry(found, file, at, entry)
  }
  return found
}

/** The content of a file, or why it cannot be read. */
function readEntries(path: string): unknown[] | string {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null) return 'neither a list of recordings nor one'
    return Array.isArray(value) ? value : [value]
  } catch (error) {
    return (error as Error).message
  }
}

const hasLogs = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && 'logs' in entry

function addEntry({ recordings, unread }: Folder, file: string, at: number, entry: unknown): void {
  const parsed = recording.safeParse(entry)
  if (parsed.success) recordings.push({ file, recording: parsed.data })
  else {
    const [issue] = parsed.error.issues
    unread.push(`${file}, recording ${at + 1}: ${issue?.path.join('.') || 'the recording'}: ${issue?.message}`)
  }
}
