// A page of the list of tokens: which ones and in what order from the board, their rows by identifier in one statement.
// PostgreSQL answers alone where the board is not at the answer's block.
import { offsetOf, type Page, type Paged } from '../base/page.ts'
import type { TokenOrder, TokenScreen } from '../base/screen.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import { listTokens, readTokensById, type TokenRow } from '../ledger/read/token.ts'
import type { BoardFeed } from './feed.ts'

/** The page of tokens that pass the screen. */
export async function readTokenPage(
  feed: BoardFeed | null,
  reading: Reading,
  screen: TokenScreen,
  order: readonly TokenOrder[],
  page: Page,
): Promise<Paged<TokenRow>> {
  const board = await feed?.at(reading.head)
  if (!board) return listTokens(reading, screen, order, page)
  const { ids, total } = board.list({ screen, order, offset: offsetOf(page), limit: page.limit })
  if (ids.length === 0) return { ...page, total, items: [] }
  const rows = new Map((await readTokensById(reading, ids)).map((row) => [row.id, row]))
  const items = ids.flatMap((id) => rows.get(id) ?? [])
  // Scores come after their block, and the board hears of them a moment later: a row that says something else than the board
  // shows that they have come.
  if (items.length < ids.length || !items.every(board.agrees)) return listTokens(reading, screen, order, page)
  return { ...page, total, items }
}
