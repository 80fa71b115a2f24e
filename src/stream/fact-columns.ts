// The facts of all tokens that a list's filter reads, in columns: 73 bytes a token, so that a million fit beside
// everything else. Names and addresses are not stored: they never change, so the reader of a change has them.
import { itemAt } from '../base/item-at.ts'
import type { KeptCap } from '../base/present.ts'
import type { ScreenFacts } from '../base/screen-match.ts'
import { CONFIDENCES, RISK_FLAGS } from '../base/vocabulary.ts'
import type { FilteredToken } from '../ledger/read/token-facts.ts'

const NUMBERS = [
  'liquidityUsd',
  'marketCap',
  'volume24hUsd',
  'riskScore',
  'holderCount',
  'fundedHolderCount',
  'fundedHolderCount1hAgo',
  'createdAtMs',
] as const

/** The name of a token, which never changes. */
export type TokenLabel = Pick<ScreenFacts, 'address' | 'symbol' | 'name'>

/** The facts without the label, and without those that depend on the block: its time, and the prices of the units. */
export type StoredFacts = Omit<ScreenFacts, 'nowMs' | 'marketCapUsd' | keyof TokenLabel> & KeptCap

export interface FactColumns {
  /** Null: there is no such token. */
  get(id: number): StoredFacts | null
  /** Null removes the token. */
  set(id: number, facts: StoredFacts | null): void
  clear(): void
  /** The tokens whose cap is stored in one of these units, and whose market cap passes `isWanted`. */
  findIn(units: ReadonlySet<number>, isWanted: (cap: KeptCap) => boolean): number[]
}

const toBits = (flags: StoredFacts['riskFlags']) =>
  flags.reduce((bits, flag) => bits | (1 << RISK_FLAGS.indexOf(flag)), 0)

const createRoom = (room: number) => ({
  numbers: NUMBERS.map(() => new Float64Array(room)),
  /** 0: no token; else the flags as bits, plus one. */
  marks: new Uint8Array(room),
  contractMarks: new Uint32Array(room),
  /** The tokens in which market caps are stored; 0: dollars. */
  units: new Int32Array(room),
  confidences: new Uint8Array(room),
  /** Indexes into the list of launchpads. */
  launchpads: new Uint16Array(room),
})

/** Columns without tokens. */
export function createFactColumns(): FactColumns {
  let room = 0
  let columns = createRoom(0)
  /** The number of launchpads in the chain's presets. */
  const launchpadNames: string[] = []
  const placeOf = (launchpad: string): number => {
    const known = launchpadNames.indexOf(launchpad)
    return known >= 0 ? known : launchpadNames.push(launchpad) - 1
  }
  const grow = (id: number) => {
    if (id < room) return
    room = Math.max(1024, 2 ** Math.ceil(Math.log2(id + 1)))
    const grown = createRoom(room)
    for (const [index, old] of columns.numbers.entries()) grown.numbers[index]?.set(old)
    grown.marks.set(columns.marks)
    grown.contractMarks.set(columns.contractMarks)
    grown.units.set(columns.units)
    grown.confidences.set(columns.confidences)
    grown.launchpads.set(columns.launchpads)
    columns = grown
  }
  return {
    get: (id) => {
      const { numbers, marks, contractMarks, units, confidences, launchpads } = columns
      const mark = marks[id] ?? 0
      if (mark === 0) return null
      const number = (name: (typeof NUMBERS)[number]) =>
        itemAt(itemAt(numbers, NUMBERS.indexOf(name)) as Float64Array, id)
      return {
        liquidityUsd: number('liquidityUsd'),
        marketCap: number('marketCap'),
        unit: itemAt(units, id),
        volume24hUsd: number('volume24hUsd'),
        riskScore: number('riskScore'),
        riskFlags: RISK_FLAGS.filter((_, bit) => (mark - 1) & (1 << bit)),
        contractMarks: itemAt(contractMarks, id),
        confidence: CONFIDENCES[itemAt(confidences, id)] ?? 'low',
        launchpad: launchpadNames[itemAt(launchpads, id)] ?? '',
        holderCount: number('holderCount'),
        fundedHolderCount: number('fundedHolderCount'),
        fundedHolderCount1hAgo: number('fundedHolderCount1hAgo'),
        createdAtMs: number('createdAtMs'),
      }
    },
    set: (id, facts) => {
      if (!facts) {
        if (id < room) columns.marks[id] = 0
        return
      }
      grow(id)
      const { numbers, marks, contractMarks, units, confidences, launchpads } = columns
      for (const [index, name] of NUMBERS.entries()) (itemAt(numbers, index) as Float64Array)[id] = facts[name]
      marks[id] = toBits(facts.riskFlags) + 1
      contractMarks[id] = facts.contractMarks
      units[id] = facts.unit
      confidences[id] = CONFIDENCES.indexOf(facts.confidence)
      launchpads[id] = placeOf(facts.launchpad)
    },
    clear: () => {
      room = 0
      columns = createRoom(0)
    },
    findIn: (wanted, isWanted) => {
      const { numbers, marks, units } = columns
      const found: number[] = []
      const caps = itemAt(numbers, NUMBERS.indexOf('marketCap')) as Float64Array
      for (let id = 0; id < room; id += 1) {
        const unit = units[id] as number
        if (unit === 0 || marks[id] === 0 || !wanted.has(unit)) continue
        if (isWanted({ marketCap: itemAt(caps, id), unit })) found.push(id)
      }
      return found
    },
  }
}

/** Whether a filter could treat the two differently at the same time. */
export const areEqual = (a: StoredFacts | null, b: StoredFacts | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.unit === b.unit &&
    a.contractMarks === b.contractMarks &&
    a.confidence === b.confidence &&
    a.launchpad === b.launchpad &&
    NUMBERS.every((name) => a[name] === b[name]) &&
    toBits(a.riskFlags) === toBits(b.riskFlags))

/** The facts of a row, and the token's name. */
export function toStored(row: FilteredToken): { label: TokenLabel; facts: StoredFacts } {
  const { id: _, address, symbol, name, ...facts } = row
  return { label: { address, symbol, name }, facts }
}
