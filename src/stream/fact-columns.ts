// What the token filter reads, of every token, in columns: 45 bytes a token, so that a million fits next to everything else.
import type { FilterFacts } from '../base/filter.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import type { FilteredToken } from '../ledger/read/token-facts.ts'

const NUMBERS = ['liquidityUsd', 'marketCapUsd', 'riskScore', 'holderCount', 'holderCount1hAgo', 'createdAtMs'] as const

export type StoredFacts = Omit<FilterFacts, 'nowMs'>

export interface FactColumns {
  /** Null: there is no such token. */
  get(id: number): StoredFacts | null
  /** Null takes the token away. */
  set(id: number, facts: StoredFacts | null): void
  clear(): void
}

const toBits = (flags: StoredFacts['riskFlags']) =>
  flags.reduce((bits, flag) => bits | (1 << RISK_FLAGS.indexOf(flag)), 0)

/** Columns without tokens. */
export function createFactColumns(): FactColumns {
  let room = 0
  let numbers = NUMBERS.map(() => new Float64Array(0))
  /** 0: no token; else the flags as bits, plus one. */
  let marks = new Uint8Array(0)
  const grow = (id: number) => {
    if (id < room) return
    room = Math.max(1024, 2 ** Math.ceil(Math.log2(id + 1)))
    numbers = numbers.map((old) => {
      const column = new Float64Array(room)
      column.set(old)
      return column
    })
    const grown = new Uint8Array(room)
    grown.set(marks)
    marks = grown
  }
  return {
    get: (id) => {
      const mark = marks[id] ?? 0
      if (mark === 0) return null
      const [
        liquidityUsd = 0,
        marketCapUsd = 0,
        riskScore = 0,
        holderCount = 0,
        holderCount1hAgo = 0,
        createdAtMs = 0,
      ] = numbers.map((column) => column[id] ?? 0)
      const riskFlags = RISK_FLAGS.filter((_, bit) => (mark - 1) & (1 << bit))
      return { liquidityUsd, marketCapUsd, riskScore, riskFlags, holderCount, holderCount1hAgo, createdAtMs }
    },
    set: (id, facts) => {
      if (!facts) {
        if (id < room) marks[id] = 0
        return
      }
      grow(id)
      for (const [index, name] of NUMBERS.entries()) (numbers[index] as Float64Array)[id] = facts[name]
      marks[id] = toBits(facts.riskFlags) + 1
    },
    clear: () => {
      room = 0
      numbers = NUMBERS.map(() => new Float64Array(0))
      marks = new Uint8Array(0)
    },
  }
}

/** Whether a filter could tell the two apart at the same time. */
export const areEqual = (a: StoredFacts | null, b: StoredFacts | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    NUMBERS.every((name) => a[name] === b[name]) &&
    toBits(a.riskFlags) === toBits(b.riskFlags))

/** The facts of a row that was read. */
export const toStored = ({ id: _, address: __, ...facts }: FilteredToken): StoredFacts => facts
