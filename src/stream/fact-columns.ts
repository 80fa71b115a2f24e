// What the token filter reads, of every token, in columns: 46 bytes a token, so that a million fits next to everything else.
import type { FilterFacts } from '../base/filter.ts'
import type { KeptCap } from '../base/present.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import type { FilteredToken } from '../ledger/read/token-facts.ts'

const NUMBERS = [
  'liquidityUsd',
  'marketCap',
  'riskScore',
  'fundedHolderCount',
  'fundedHolderCount1hAgo',
  'createdAtMs',
] as const

/** The facts without what depends on the block: its time, and the price of the native coin. */
export type StoredFacts = Omit<FilterFacts, 'nowMs' | 'marketCapUsd'> & KeptCap

export interface FactColumns {
  /** Null: there is no such token. */
  get(id: number): StoredFacts | null
  /** Null takes the token away. */
  set(id: number, facts: StoredFacts | null): void
  clear(): void
  /** The tokens that are kept in native coins and of which `isWanted` says so of the market cap. */
  findInNative(isWanted: (cap: KeptCap) => boolean): number[]
}

const toBits = (flags: StoredFacts['riskFlags']) =>
  flags.reduce((bits, flag) => bits | (1 << RISK_FLAGS.indexOf(flag)), 0)

/** Columns without tokens. */
export function createFactColumns(): FactColumns {
  let room = 0
  let numbers = NUMBERS.map(() => new Float64Array(0))
  /** 0: no token; else the flags as bits, plus one. */
  let marks = new Uint8Array(0)
  let natives = new Uint8Array(0)
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
    const more = new Uint8Array(room)
    more.set(natives)
    natives = more
  }
  return {
    get: (id) => {
      const mark = marks[id] ?? 0
      if (mark === 0) return null
      const [
        liquidityUsd = 0,
        marketCap = 0,
        riskScore = 0,
        fundedHolderCount = 0,
        fundedHolderCount1hAgo = 0,
        createdAtMs = 0,
      ] = numbers.map((column) => column[id] ?? 0)
      const riskFlags = RISK_FLAGS.filter((_, bit) => (mark - 1) & (1 << bit))
      const inNative = natives[id] === 1
      return {
        liquidityUsd,
        marketCap,
        inNative,
        riskScore,
        riskFlags,
        fundedHolderCount,
        fundedHolderCount1hAgo,
        createdAtMs,
      }
    },
    set: (id, facts) => {
      if (!facts) {
        if (id < room) marks[id] = 0
        return
      }
      grow(id)
      for (const [index, name] of NUMBERS.entries()) (numbers[index] as Float64Array)[id] = facts[name]
      marks[id] = toBits(facts.riskFlags) + 1
      natives[id] = Number(facts.inNative)
    },
    clear: () => {
      room = 0
      numbers = NUMBERS.map(() => new Float64Array(0))
      marks = new Uint8Array(0)
      natives = new Uint8Array(0)
    },
    findInNative: (isWanted) => {
      const found: number[] = []
      const caps = numbers[NUMBERS.indexOf('marketCap')] as Float64Array
      for (let id = 0; id < room; id += 1)
        if (natives[id] === 1 && marks[id] !== 0 && isWanted({ marketCap: caps[id] as number, inNative: true }))
          found.push(id)
      return found
    },
  }
}

/** Whether a filter could tell the two apart at the same time. */
export const areEqual = (a: StoredFacts | null, b: StoredFacts | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.inNative === b.inNative &&
    NUMBERS.every((name) => a[name] === b[name]) &&
    toBits(a.riskFlags) === toBits(b.riskFlags))

/** The facts of a row that was read. */
export const toStored = ({ id: _, address: __, ...facts }: FilteredToken): StoredFacts => facts
