// The kinds of swaps are listed twice: as handlers of the book, and for the coverage, which knows no book.
import { expect, test } from 'vitest'
import { handlerOf } from '../../../src/book/logs/logs.ts'
import { type DecodedLog, LOG_FIELDS } from '../../../src/chain/event.ts'
import { isSwapKind } from '../../../src/chain/logs/swap-topics.ts'

/** A wrapper's conversion is no swap of an exchange. */
const NO_EXCHANGE = ['converted']

test('the coverage counts every kind of swap of an exchange that the book applies', () => {
  const kinds = Object.keys(LOG_FIELDS) as DecodedLog['kind'][]
  const swaps = kinds.filter((kind) => handlerOf({ kind } as DecodedLog).isSwap)
  expect(swaps).toEqual(expect.arrayContaining(['v2_swap', 'v3_swap', 'v4_swap', 'coins_swap']))
  expect(swaps.filter((kind) => !isSwapKind(kind))).toEqual(NO_EXCHANGE)
})
