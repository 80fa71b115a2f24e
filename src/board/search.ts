// Searches tokens by symbol, name or address prefix. If few match, it also finds lookalike symbols, and texts with a
// few typos. Pure.
import { float64At, int32At, uint16At } from '../base/item-at.ts'
import { foldCase, toAddressPrefix } from '../fields/screen.ts'
import { type BoardColumns, compareAddresses } from './columns.ts'
import { skeletonOf } from './skeleton.ts'
import { MATCH, MOST_CANDIDATES, TEXT_PLACES, type TextPlace, type Texts } from './texts.ts'

/** The searched data. */
interface Searched {
  columns: BoardColumns
  texts: Pick<Texts, 'match' | 'matchAmong' | 'lookalikes' | 'resemble'>
  startingWith(prefix: string): Int32Array
  /** Rows with the most liquid tokens first. */
  byLiquidity(): Int32Array
}

/** The fewest letters for one, and for two, typos. */
const TYPOS = { one: 4, two: 8 }
/** The best match at each place. */
const MOST_AT: Record<TextPlace, number> = {
  whole: MATCH.symbol,
  start: MATCH.symbolStart,
  word: MATCH.word,
}
/** Characters of an address. */
const ADDRESS_LENGTH = 42
/** Tokens of one address prefix that are ranked. */
const MOST_OF_PREFIX = 10_000

/** A symbol is often written with a dollar sign before it. */
const toQuery = (text: string): string => foldCase(text.trim().replace(/^\$(?=.)/, ''))

/**
 * Identifiers of the matching tokens, `most` of them at most, the best first. If too many contain the text, whole
 * symbols and names, starts and words are also searched by themselves. Lesser matches then never hide a better one. If
 * too many match equally well, the most liquid of all tokens are checked.
 */
export function searchTokens(
  { columns, texts, startingWith, byLiquidity }: Searched,
  text: string,
  most: number,
): number[] {
  const query = toQuery(text)
  const best = createPodium(columns, most)
  const prefix = toAddressPrefix(query)
  if (prefix && prefix.length > 2) {
    const match = prefix.length === ADDRESS_LENGTH ? MATCH.address : MATCH.symbolStart
    for (const row of startingWith(prefix).subarray(0, MOST_OF_PREFIX)) best.add(row, match)
  }
  if (texts.match(query, 'part', best.add)) {
    // Full: each later row has less liquidity than these, so only a better match can still enter.
    const deepest = byLiquidity().subarray(0, MOST_CANDIDATES)
    texts.matchAmong(deepest, query, best.add)
    const least = columns.liquidityUsd[deepest.at(-1) ?? 0] ?? 0
    for (const place of TEXT_PLACES) if (!best.isSettled(MOST_AT[place], least)) texts.match(query, place, best.add)
  }
  const { length } = query
  const look = skeletonOf(query)
  if (best.hasRoom() && look !== '') texts.lookalikes(new Set([look]), (row) => best.add(row, MATCH.look))
  if (best.hasRoom() && length >= TYPOS.one)
    texts.resemble(query, length >= TYPOS.two ? 2 : 1, (row) => best.add(row, MATCH.typo))
  return best.ids()
}

/** The best rows so far, in order. */
function createPodium(columns: BoardColumns, most: number) {
  const { id, liquidityUsd, riskScore, address } = columns
  const places: { row: number; match: number }[] = []
  const isBefore = (a: { row: number; match: number }, b: { row: number; match: number }): boolean => {
    if (a.match !== b.match) return a.match > b.match
    const more = float64At(liquidityUsd, a.row) - float64At(liquidityUsd, b.row)
    if (more !== 0) return more > 0
    const riskier = uint16At(riskScore, a.row) - uint16At(riskScore, b.row)
    return riskier === 0 ? compareAddresses(address, a.row, b.row) < 0 : riskier < 0
  }
  return {
    add: (row: number, match: number): void => {
      const entry = { row, match }
      const last = places.at(-1)
      if (id[row] === 0 || (places.length === most && last && !isBefore(entry, last))) return
      const known = places.findIndex((other) => other.row === row)
      if (known >= 0) {
        if ((places[known]?.match ?? 0) >= match) return
        places.splice(known, 1)
      }
      const at = places.findIndex((other) => isBefore(entry, other))
      places.splice(at < 0 ? places.length : at, 0, entry)
      if (places.length > most) places.pop()
    },
    hasRoom: () => places.length < most,
    /** Whether no row enters with this match and liquidity. */
    isSettled: (match: number, liquidity: number): boolean => {
      const last = places.at(-1)
      if (!last || places.length < most || last.match < match) return false
      return last.match > match || float64At(liquidityUsd, last.row) > liquidity
    },
    ids: () => places.map(({ row }) => int32At(id, row)),
  }
}
