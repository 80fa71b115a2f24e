// Rows of labelled files that can't be used: counted by file and reason, with the first of each, so that nothing is
// dropped in silence.

export interface LeftOutRows {
  file: string
  reason: string
  rows: number
  /** The first of them, 80 characters at most. */
  example: string
}

export interface LeftOut {
  note(file: string, reason: string, row: string): void
  /** In the order in which they first came up. */
  list(): LeftOutRows[]
}

const EXAMPLE_LENGTH = 80

/** An empty count. */
export function createLeftOut(): LeftOut {
  const kinds = new Map<string, LeftOutRows>()
  return {
    note(file, reason, row) {
      const key = `${file}: ${reason}`
      const known = kinds.get(key) ?? { file, reason, rows: 0, example: row.slice(0, EXAMPLE_LENGTH) }
      kinds.set(key, { ...known, rows: known.rows + 1 })
    },
    list: () => [...kinds.values()],
  }
}
