// Pure. Finds the tokens whose market cap may pass a bound when the price of their unit moves: those whose critical
// price lies between both prices. At its critical price the cap of a token is the bound. Tokens stand in buckets by the
// logarithm of that price, and a move visits only the buckets on its way.
import { int32At } from '../base/item-at.ts'

/** Of the logarithm: 0.05 % of a price. */
const BUCKET = 0.0005
/** Relative: above the error of the products and quotients here. */
const ERROR = 1e-9
const NONE = -1
/** Numbers below and above the bucket of every positive price. */
const FIRST = -2_000_000
const LAST = 2_000_000

export interface Crossings {
  /** Puts a token, by its slot, under its present cap and unit; a unit of 0 takes it out. */
  place(slot: number, unit: number, marketCap: number): void
  /** Calls back for each token that may pass the bound between two prices of its unit, and for few others. */
  visit(unit: number, before: number, now: number, visit: (slot: number) => void): void
}

/** `criticalCap`: the unrounded market cap, in USD, from which on the bound is passed. */
export function createCrossings(criticalCap: number): Crossings {
  const units = new Map<number, Map<number, number>>()
  let room = 1_024
  /** By slot: its neighbours in its bucket, the bucket, and its unit; 0 if it stands nowhere. */
  let [before, after, bucketOf, unitOf] = [newList(room), newList(room), newList(room), newList(room)]

  const grow = (slots: number): void => {
    while (room < slots) room *= 2
    ;[before, after, bucketOf, unitOf] = [before, after, bucketOf, unitOf].map((list) => newList(room, list)) as Lists
  }
  const takeOut = (slot: number): void => {
    const heads = units.get(int32At(unitOf, slot))
    if (!heads) return
    const [left, right] = [int32At(before, slot), int32At(after, slot)]
    if (right !== NONE) before[right] = left
    if (left !== NONE) after[left] = right
    else if (right !== NONE) heads.set(int32At(bucketOf, slot), right)
    else heads.delete(int32At(bucketOf, slot))
    unitOf[slot] = 0
  }
  const putIn = (slot: number, unit: number, bucket: number): void => {
    const heads = units.get(unit) ?? new Map<number, number>()
    units.set(unit, heads)
    const head = heads.get(bucket) ?? NONE
    if (head !== NONE) before[head] = slot
    before[slot] = NONE
    after[slot] = head
    bucketOf[slot] = bucket
    unitOf[slot] = unit
    heads.set(bucket, slot)
  }

  return {
    place(slot, unit, marketCap) {
      if (slot >= room) grow(slot + 1)
      const critical = criticalCap / marketCap
      const isReachable = unit !== 0 && critical > 0 && Number.isFinite(critical)
      const bucket = isReachable ? toBucket(critical) : 0
      if (isReachable && unitOf[slot] === unit && bucketOf[slot] === bucket) return
      takeOut(slot)
      if (isReachable) putIn(slot, unit, bucket)
    },
    visit(unit, from, to, visit) {
      const heads = units.get(unit)
      if (!heads) return
      const low = toBucket(Math.min(from, to) * (1 - ERROR))
      const high = toBucket(Math.max(from, to) * (1 + ERROR))
      const visitBucket = (bucket: number) => {
        for (let slot = heads.get(bucket) ?? NONE; slot !== NONE; slot = int32At(after, slot)) visit(slot)
      }
      // A wide move has more buckets than there are tokens.
      if (high - low > heads.size) {
        for (const bucket of heads.keys()) if (bucket >= low && bucket <= high) visitBucket(bucket)
      } else {
        for (let bucket = low; bucket <= high; bucket += 1) visitBucket(bucket)
      }
    },
  }
}

type Lists = [Int32Array, Int32Array, Int32Array, Int32Array]

function newList(room: number, known?: Int32Array): Int32Array {
  const list = new Int32Array(room)
  if (known) list.set(known)
  return list
}

const toBucket = (price: number): number => (price > 0 ? Math.min(LAST, Math.floor(Math.log(price) / BUCKET)) : FIRST)
