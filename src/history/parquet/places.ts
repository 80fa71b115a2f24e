// Reads values by their places: the amount and the quantity of an event, the hash of its transaction, the time of its
// block. A page has events of many row groups, and DuckDB would unpack each of them. Bits tell which event is the first
// of a transaction or a block; their count is the place of the hash, or of the block.
import { join } from 'node:path'
import { itemAt, uint8At } from '../../base/item-at.ts'
import { BLOCKS, HASHES, type Places, partPaths, type SegmentManifest } from './manifest.ts'
import { type ByteSpan, groupBy, readSpans } from './spans.ts'

const [HASH_BYTES, DOUBLE_BYTES, TIME_BYTES, NUMBER_BYTES] = [32, 8, 8, 4]

/** A segment whose manifest was read. */
export interface OpenSegment {
  /** Its folder. */
  at: string
  firstN: number
  manifest: SegmentManifest
}

/** Values that only `events` has, and those of the block. */
export interface PlacedValues {
  quantity: number
  amount_usd: number
  block_number: number
  /** In microseconds since 1970. */
  time: number
}

type EventGroup = Places['events'][number]

/** A row of a row group. */
interface Place<Group> {
  group: Group
  row: number
}

/** Where ascending rows of a file are. Throws if the file has fewer rows. */
function* placesOf<Group extends { rows: number }>(
  groups: readonly Group[],
  rows: Iterable<number>,
): Generator<Place<Group>> {
  let [index, first] = [0, 0]
  for (const row of rows) {
    for (let group = groups[index]; group && row >= first + group.rows; group = groups[index]) {
      first += group.rows
      index += 1
    }
    const group = groups[index]
    if (!group) throw new Error(`the file has no row ${row}`)
    yield { group, row: row - first }
  }
}

/** The values of one width of a column: `end` is the first byte after the last one. */
const spanOf = (path: string, end: number, { group, row }: Place<{ rows: number }>, width: number): ByteSpan => ({
  path,
  at: end - (group.rows - row) * width,
  length: width,
})

/** How many bits are set in a byte. */
const SET_BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

const FIRSTS = { opens_tx: 'txs', opens_block: 'blocks' } as const

/** The row of each event's transaction or block. Places ascend. */
async function rankOf(
  paths: readonly string[],
  places: readonly Place<EventGroup>[],
  column: keyof typeof FIRSTS,
): Promise<number[]> {
  const groups = [...groupBy(places, ({ group }) => group)]
  const spans = groups.map(([group, own]): ByteSpan => {
    const at = group[column] - Math.ceil(group.rows / 8)
    return { path: itemAt(paths, group.part), at, length: ((own.at(-1)?.row ?? 0) >> 3) + 1 }
  })
  const bits = await readSpans(spans)
  return groups.flatMap(([group, own], index) => {
    const bytes = itemAt(bits, index)
    let [counted, upTo] = [group[FIRSTS[column]] - 1, 0]
    return own.map(({ row }) => {
      const last = row >> 3
      for (; upTo < last; upTo += 1) counted += uint8At(SET_BITS, uint8At(bytes, upTo))
      return counted + uint8At(SET_BITS, uint8At(bytes, last) & ((2 << (row & 7)) - 1))
    })
  })
}

/** The values of events. The running numbers ascend, and are in the segment. */
export async function readValuesAt(
  { at, firstN, manifest }: OpenSegment,
  known: Places,
  ns: readonly number[],
): Promise<Map<number, PlacedValues>> {
  const paths = partPaths(at, 'events', manifest.parts.events)
  const places = [
    ...placesOf(
      known.events,
      ns.map((n) => n - firstN),
    ),
  ]
  const valuesOf = (column: 'quantity' | 'amount_usd') =>
    readSpans(places.map((place) => spanOf(itemAt(paths, place.group.part), place.group[column], place, DOUBLE_BYTES)))
  const blocks = [...placesOf(known.blocks, await rankOf(paths, places, 'opens_block'))]
  const path = join(at, BLOCKS)
  const [quantities, amounts, numbers, times] = await Promise.all([
    valuesOf('quantity'),
    valuesOf('amount_usd'),
    readSpans(blocks.map((place) => spanOf(path, place.group.number, place, NUMBER_BYTES))),
    readSpans(blocks.map((place) => spanOf(path, place.group.time, place, TIME_BYTES))),
  ])
  return new Map(
    ns.map((n, index) => [
      n,
      {
        quantity: itemAt(quantities, index).readDoubleLE(),
        amount_usd: itemAt(amounts, index).readDoubleLE(),
        block_number: itemAt(numbers, index).readInt32LE(),
        time: Number(itemAt(times, index).readBigInt64LE()),
      },
    ]),
  )
}

/** The hash of each event's transaction, as hex digits. The running numbers ascend, and are in the segment. */
export async function readHashesAt(
  { at, firstN, manifest }: OpenSegment,
  ns: readonly number[],
): Promise<Map<number, string>> {
  const { hashes, places: known, parts } = manifest
  const rows = ns.map((n) => n - firstN)
  const own = known
    ? await rankOf(partPaths(at, 'events', parts.events), [...placesOf(known.events, rows)], 'opens_tx')
    : rows
  const path = join(at, HASHES)
  const spans = [...placesOf(hashes, own)].map((place) => spanOf(path, place.group.end, place, HASH_BYTES))
  const found = await readSpans(spans)
  return new Map(ns.map((n, index) => [n, itemAt(found, index).toString('hex')]))
}
