// Pure. The changes that a sweep saw, as bytes: for each token its number, a bit for each changed fact, and those
// facts. Also the states of tokens, one column per fact, to which such bytes are applied.
import { float64At, itemAt, numberAt } from '../../base/item-at.ts'
import { recordOf } from '../../base/keys-of.ts'
import { ALERT_NUMBERS } from '../../fields/token.ts'
import { BASELINE_FACTS, type BaselineRow } from './sweep.ts'

/** The facts in the order of their bits: those of filters, the price in the unit or in dollars, and numbers of rows. */
const FACTS = [...BASELINE_FACTS, 'price' as const, ...ALERT_NUMBERS]
type ChangeFact = (typeof FACTS)[number]
/** A fact that stored bytes do not tell is not known. */
const FIRST_UNKNOWN = BASELINE_FACTS.length + 1

/** The numbers of a token. */
type TokenNumbers = Omit<BaselineRow, 'address'>

export interface TokenChange {
  row: TokenNumbers
  /** Stored like the market cap. */
  price: number
  /** The known state; null: none. */
  before: TokenNumbers | null
}

const HEAD_BYTES = 6
const FACT_BYTES = 8

/** The price is always written, because `before` does not have it. */
export function encodeChanges(changes: readonly TokenChange[]): Buffer {
  const bytes = Buffer.allocUnsafe(changes.length * (HEAD_BYTES + FACTS.length * FACT_BYTES))
  let at = 0
  for (const { row, price, before } of changes) {
    const start = at
    let mask = 0
    at += HEAD_BYTES
    for (const [bit, fact] of FACTS.entries()) {
      const value = (fact === 'price' ? price : row[fact]) ?? Number.NaN
      if (fact !== 'price' && before && Object.is(before[fact] ?? Number.NaN, value)) continue
      mask |= 1 << bit
      at = bytes.writeDoubleLE(value, at)
    }
    bytes.writeUInt32LE(row.tokenId, start)
    bytes.writeUInt16LE(mask, start + 4)
  }
  return bytes.subarray(0, at)
}

/** The tokens in the bytes. */
export function readEncodedIds(bytes: Buffer): number[] {
  const ids: number[] = []
  for (let at = 0; at < bytes.length; ) {
    ids.push(bytes.readUInt32LE(at))
    let facts = 0
    for (let mask = bytes.readUInt16LE(at + 4); mask !== 0; mask &= mask - 1) facts += 1
    at += HEAD_BYTES + facts * FACT_BYTES
  }
  return ids
}

/** Tokens by slot, in the order in which they were first seen. */
export interface TokenStates {
  readonly size: number
  /** The token of each slot. */
  readonly ids: readonly number[]
  /** A column per fact, by slot. Adding tokens may replace the columns, so read them anew after `apply`. */
  readonly columns: Readonly<Record<ChangeFact, Float64Array>>
  /** Applies the changes; calls back with the slot of each token. */
  apply(bytes: Buffer, changed: (slot: number) => void): void
  /** All facts about the tokens of some slots, as changes from nothing. */
  encode(from: number, to: number): Buffer
}

const FIRST_ROOM = 1_024

export function createTokenStates(): TokenStates {
  const slots = new Map<number, number>()
  const ids: number[] = []
  const createColumn = (bit: number, room: number) => new Float64Array(room).fill(bit < FIRST_UNKNOWN ? 0 : Number.NaN)
  let columns = FACTS.map((_, bit) => createColumn(bit, FIRST_ROOM))
  const named = () => recordOf(FACTS, (_, bit) => itemAt(columns, bit))
  let byName = named()
  const slotOf = (id: number): number => {
    const known = slots.get(id)
    if (known !== undefined) return known
    const slot = ids.push(id) - 1
    slots.set(id, slot)
    if (slot >= (columns[0]?.length ?? 0)) {
      columns = columns.map((column, bit) => {
        const larger = createColumn(bit, 2 * column.length)
        larger.set(column)
        return larger
      })
      byName = named()
    }
    return slot
  }
  return {
    get size() {
      return ids.length
    },
    ids,
    get columns() {
      return byName
    },
    apply(bytes, changed) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (let at = 0; at < bytes.length; ) {
        const slot = slotOf(view.getUint32(at, true))
        const mask = view.getUint16(at + 4, true)
        at += HEAD_BYTES
        for (let bit = 0; bit < columns.length; bit += 1) {
          if (((mask >>> bit) & 1) === 0) continue
          itemAt(columns, bit)[slot] = view.getFloat64(at, true)
          at += FACT_BYTES
        }
        changed(slot)
      }
    },
    encode(from, to) {
      const bytes = Buffer.allocUnsafe((to - from) * (HEAD_BYTES + FACTS.length * FACT_BYTES))
      let at = 0
      for (let slot = from; slot < to; slot += 1) {
        at = bytes.writeUInt32LE(numberAt(ids, slot), at)
        at = bytes.writeUInt16LE((1 << FACTS.length) - 1, at)
        for (const column of columns) at = bytes.writeDoubleLE(float64At(column, slot), at)
      }
      return bytes
    },
  }
}
