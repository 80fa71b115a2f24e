// The board's block, and the rows that the last blocks replaced, so that it can return to each of them. Pure.
import type { BoardBlock } from '../ledger/read/board.ts'
import { bytesOf } from './columns.ts'
import type { Part } from './rows.ts'

interface Change {
  /** The previous block of the board. */
  before: BoardBlock
  parts: Part[]
}

/** The most replaced rows that are kept: 12 MB. */
const MOST_REPLACED = 100_000
/** The most blocks to which it can return. */
const MOST_BLOCKS = 512

const rowsIn = ({ parts }: Change): number => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** The rows of these parts, each once. */
export const changedRows = (parts: readonly Part[]): Set<number> => new Set(parts.flatMap(({ rows }) => [...rows]))

export type BoardHistory = ReturnType<typeof createHistory>

/** Without a block. `swap` exchanges the rows of the board with those of a part. */
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

  /** Undoes changes until the board is at the block again; returns the undone ones, the newest first. */
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
    /** Blocks to which the board can return, the newest first. */
    past: (): BoardBlock[] => changes.map(({ before }) => before).toReversed(),
    /** These parts moved the board to a block, or are scores of its current block. */
    push(parts: readonly Part[], to: BoardBlock): void {
      if (block && block.hash !== to.hash) changes.push({ before: block, parts: [...parts] })
      else changes.at(-1)?.parts.push(...parts)
      block = to
      forget()
    },
    /** Returns to an earlier block for good; returns the undone changes, the newest first. */
    rewind: (to: BoardBlock): Part[] => back(to).flatMap(({ parts }) => parts.toReversed()),
    /** Reads the rows at an earlier block; `changed` are those that have changed since. */
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
