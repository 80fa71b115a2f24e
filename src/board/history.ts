// The block that the board is at, and the rows that the last blocks replaced, so that it can go back to each of them. Pure.
import type { BoardBlock } from '../ledger/read/board.ts'
import { bytesOf } from './columns.ts'
import type { Part } from './rows.ts'

interface Change {
  /** The block that the board was at before. */
  before: BoardBlock
  parts: Part[]
}

/** Replaced rows that are kept for going back: 12 MB at most. */
const MOST_REPLACED = 100_000
/** Blocks that can be gone back to. */
const MOST_BLOCKS = 512

const rowsIn = ({ parts }: Change): number => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** The rows of these parts, each once. */
export const changedRows = (parts: readonly Part[]): Set<number> => new Set(parts.flatMap(({ rows }) => [...rows]))

/** At no block yet. `swap` exchanges the rows of the board with those of a part. */
export function createHistory(swap: (part: Part) => void) {
  let block: BoardBlock | null = null
  let changes: Change[] = []

  const forget = (): void => {
    let replaced = changes.reduce((sum, change) => sum + rowsIn(change), 0)
    while (changes.length > MOST_BLOCKS || replaced > MOST_REPLACED) {
      const oldest = changes.shift()
      if (oldest) replaced -= rowsIn(oldest)
    }
  }

  /** Undoes changes until the board is at the block again; what was undone, the newest first. */
  const back = (to: BoardBlock): Change[] => {
    const undone: Change[] = []
    while (block !== to) {
      const change = changes.pop()
      if (!change) throw new Error(`the board was never at block ${to.number}`)
      for (const part of change.parts.toReversed()) swap(part)
      undone.push(change)
      block = change.before
    }
    return undone
  }

  return {
    /** Null before the first one. */
    block: () => block,
    open: (at: BoardBlock): void => {
      block = at
    },
    /** Blocks that the board can go back to, the newest first. */
    past: (): BoardBlock[] => changes.map(({ before }) => before).toReversed(),
    /** These parts brought the board to a block, or are scores of the block that it is at. */
    push(parts: readonly Part[], to: BoardBlock): void {
      if (block && block.hash !== to.hash) changes.push({ before: block, parts: [...parts] })
      else changes.at(-1)?.parts.push(...parts)
      block = to
      forget()
    },
    /** Goes back to a block of the past for good; what was undone. */
    rewind: (to: BoardBlock): Part[] => back(to).flatMap(({ parts }) => parts),
    /** Reads while the rows are as they were at a block of the past; `changed` are those that are others since. */
    visit<Value>(to: BoardBlock, read: (changed: Set<number>) => Value): Value {
      const [kept, newest] = [[...changes], block]
      const undone = back(to)
      try {
        return read(changedRows(undone.flatMap(({ parts }) => parts)))
      } finally {
        for (const { parts } of undone.toReversed()) for (const part of parts) swap(part)
        changes = kept
        block = newest
      }
    },
    bytes: () =>
      changes
        .flatMap(({ parts }) => parts)
        .reduce((sum, { rows, replaced }) => sum + bytesOf(replaced) + rows.byteLength, 0),
  }
}
