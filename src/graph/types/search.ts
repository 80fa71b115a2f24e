// Search over tokens and wallets, and the token that a symbol may be mistaken for.
import { invalid } from '../../base/errors.ts'
import { foldCase, toAddressPrefix } from '../../base/screen.ts'
import { readTokensById } from '../../ledger/read/token.ts'
import { readWalletsByPrefix } from '../../ledger/read/wallet.ts'
import { listOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'

/** The most results of one search. */
const MOST_RESULTS = 50
/** The most characters of a search. */
const MOST_CHARACTERS = 64
/** The fewest digits of an address for a search of wallets: fewer would name thousands. */
const LEAST_DIGITS = 3

const SearchResult = builder.unionType('SearchResult', {
  description: 'A token or a wallet.',
  types: [TokenObject, WalletObject],
  resolveType: (row) => ('liquidityUsd' in row ? 'Token' : 'Wallet'),
})

function checkQuery(query: string, first: number): string {
  const text = query.trim()
  const faults: string[] = []
  const length = [...text].length
  if (length === 0 || length > MOST_CHARACTERS || /\p{Cc}/u.test(text))
    faults.push(`query must have 1 to ${MOST_CHARACTERS} characters, none of them a control character`)
  if (first < 1 || first > MOST_RESULTS) faults.push(`first must be an integer from 1 to ${MOST_RESULTS}`)
  if (faults.length === 0) return text
  throw invalid(
    faults.map((message) => ({ location: 'argument' as const, field: message.split(' ', 1)[0] ?? '', message })),
  )
}

builder.queryField('search', (t) =>
  t.field({
    type: [SearchResult],
    description:
      'Tokens by symbol (with or without $), name or the start of their address, and wallets by the start of theirs. The best match comes first, then the most liquid, then the least risky; wallets come last. If few match, lookalike symbols follow (including Unicode lookalikes). Texts of four or more letters then tolerate one typo, eight or more two.',
    args: {
      query: t.arg.string({
        required: true,
        description: `The text to search for, 1 to ${MOST_CHARACTERS} characters.`,
      }),
      first: t.arg.int({ defaultValue: 10, description: `The largest number of items, 1 to ${MOST_RESULTS}.` }),
    },
    extensions: listOf(MOST_RESULTS),
    resolve: async (_, { query, first }, { board, reading, markUncacheable }) => {
      // The ranking is of the board's block, which may be the one before.
      markUncacheable()
      const most = first ?? 10
      const text = checkQuery(query, most)
      const prefix = toAddressPrefix(foldCase(text))
      const ids = board.newest().search(text, most)
      const [tokens, wallets] = await Promise.all([
        ids.length === 0 ? [] : readTokensById(reading, ids),
        prefix && prefix.length >= 2 + LEAST_DIGITS ? readWalletsByPrefix(reading, prefix, most) : [],
      ])
      const rows = new Map(tokens.map((token) => [token.id, token]))
      return [...ids.flatMap((id) => rows.get(id) ?? []), ...wallets].slice(0, most)
    },
  }),
)

builder.prismaObjectField(TokenObject, 'lookalikeOf', (t) =>
  t.field({
    type: TokenObject,
    nullable: true,
    description:
      'The most liquid token with the same symbol or a lookalike of it (including Unicode lookalikes), if it has more liquidity; null if there is none.',
    resolve: ({ id, symbol, liquidityUsd }, _, { loaders, markUncacheable }) => {
      markUncacheable()
      return loaders.lookalike.load({ id, symbol, liquidityUsd })
    },
  }),
)
