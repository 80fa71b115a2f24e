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
  /** What somebody's balance changed by, in whole tokens; a name instead of digits where the source does not tell. */
  expected: z.array(
    z.object({ amount: z.string().nullable(), notes: z.string().nullable(), asset: z.string().nullable() }),
  ),
  logs: z.array(log),
  /** What another decoder made of single logs, raw and signed as they were logged. */
  decoded: z.array(z.object({ logIndex: z.number() }).catchall(z.unknown())).optional(),
})

export type Recording = z.infer<typeof recording>

/** Files without whole recordings (lists of amounts alone) are named in `others`. */
export function readFolder(folder: string): { recordings: { file: string; recording: Recording }[]; others: string[] } {
  const others: string[] = []
  const recordings = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const parsed = z.array(recording).safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      if (parsed.success) return parsed.data.map((each) => ({ file, recording: each }))
      others.push(file)
      return []
    })
  return { recordings, others }
}
