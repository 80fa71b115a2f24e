// Counts rows of labelled files that cannot be used, by file and reason, with an example of each, so that the report
// shows them.

export interface LeftOutRows {
  file: string
  reason: string
  rows: number
  /** The first such row, cut after 80 characters. */
  example: string
}

export interface LeftOut {
  note(file: string, reason: string, row: string): void
  /** In the order in which file and reason first occurred. */
  list(): LeftOutRows[]
}

const EXAMPLE_LENGTH = 80

/** Creates an empty count. */
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
