// Reads bytes of files by their places. Spans that lie together are one read; reads and open files at a time are bounded.
import { type FileHandle, open } from 'node:fs/promises'

/** Bytes that one read takes, bytes between two spans that it takes too, and reads at a time. */
const [MOST_BYTES, GAP_BYTES, TOGETHER] = [1 << 20, 4_096, 16]

export interface ByteSpan {
  path: string
  at: number
  length: number
}

interface Stretch {
  at: number
  end: number
  /** Where the spans are in the list. */
  members: number[]
}

/** Lists of items by their keys, in the order of the list. */
export function groupBy<T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of list) {
    const key = keyOf(item)
    const known = groups.get(key)
    if (known) known.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The bytes of each span, in the order of the list. Throws if a file is shorter. */
export async function readSpans(spans: readonly ByteSpan[]): Promise<Buffer[]> {
  const found: Buffer[] = new Array(spans.length)
  const byPath = groupBy([...spans.keys()], (index) => spans[index]?.path ?? '')
  for (const [path, members] of byPath) {
    const file = await open(path)
    try {
      const stretches = stretchesOf(spans, members)
      for (let from = 0; from < stretches.length; from += TOGETHER)
        await Promise.all(
          stretches.slice(from, from + TOGETHER).map((stretch) => readStretch(file, stretch, spans, found)),
        )
    } finally {
      await file.close()
    }
  }
  return found
}

async function readStretch(
  file: FileHandle,
  stretch: Stretch,
  spans: readonly ByteSpan[],
  found: Buffer[],
): Promise<void> {
  const bytes = await readBytes(file, stretch.at, stretch.end - stretch.at)
  for (const index of stretch.members) {
    const { at = 0, length = 0 } = spans[index] ?? {}
    found[index] = bytes.subarray(at - stretch.at, at - stretch.at + length)
  }
}

function stretchesOf(spans: readonly ByteSpan[], members: readonly number[]): Stretch[] {
  const stretches: Stretch[] = []
  let open: Stretch | null = null
  for (const index of members.toSorted((a, b) => (spans[a]?.at ?? 0) - (spans[b]?.at ?? 0))) {
    const { at = 0, length = 0 } = spans[index] ?? {}
    const end = at + length
    if (!open || at - open.end > GAP_BYTES || end - open.at > MOST_BYTES) {
      open = { at, end, members: [] }
      stretches.push(open)
    }
    open.end = Math.max(open.end, end)
    open.members.push(index)
  }
  return stretches
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled)
    if (bytesRead === 0) throw new Error('the file is shorter than it was')
    filled += bytesRead
  }
  return bytes
}
