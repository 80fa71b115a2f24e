// The lists of the panels as files: each list whole, a page at a time, with the fields that its panel shows.
import { ask } from '../api/ask.ts'
import { PAGE_ROWS, type RowPage } from '../csv.ts'
import type { CsvSource } from '../parts/csv-button.tsx'
import { TOKEN_LISTS } from './token-query.ts'
import { type PositionList, WALLET_LISTS } from './wallet-query.ts'

const NONE: RowPage = { nodes: [] }
/** A list that the API gives in one piece. */
const single = (nodes: RowPage['nodes'] | undefined): RowPage => (nodes ? { nodes } : NONE)

export function tokenLists(address: string): Readonly<Record<keyof typeof TOKEN_LISTS, CsvSource>> {
  const of = (after: string | null) => ({ address, first: PAGE_ROWS, after })
  const named = (name: string, readPage: CsvSource['readPage']): CsvSource => ({ name: `${name}-${address}`, readPage })
  return {
    holders: named('holders', async (after) => (await ask(TOKEN_LISTS.holders, of(after))).token?.holders ?? NONE),
    events: named('events', async (after) => (await ask(TOKEN_LISTS.events, of(after))).token?.events ?? NONE),
    pools: named('pools', async (after) => (await ask(TOKEN_LISTS.pools, of(after))).token?.pools ?? NONE),
    traders: named('traders', async () => single((await ask(TOKEN_LISTS.traders, { address })).token?.topTraders)),
  }
}

export function walletLists(
  address: string,
  positions: PositionList,
): Readonly<Record<keyof typeof WALLET_LISTS, CsvSource>> {
  const of = (after: string | null) => ({ address, first: PAGE_ROWS, after })
  const named = (name: string, readPage: CsvSource['readPage']): CsvSource => ({ name: `${name}-${address}`, readPage })
  return {
    events: named('events', async (after) => (await ask(WALLET_LISTS.events, of(after))).wallet?.events ?? NONE),
    positions: named(
      'positions',
      async (after) => (await ask(WALLET_LISTS.positions, { ...positions, ...of(after) })).wallet?.positions ?? NONE,
    ),
    liquidity: named('liquidity', async () =>
      single((await ask(WALLET_LISTS.liquidity, { address })).wallet?.liquidityPositions),
    ),
  }
}
