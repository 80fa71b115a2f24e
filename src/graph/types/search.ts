// Search over tokens and wallets, and the token that a symbol may be mistaken for.
import { invalid } from '../../base/errors.ts'
import { foldCase, toAddressPrefix } from '../../fields/screen.ts'
import { readTokensById, type TokenRow } from '../../ledger/read/token.ts'
import { readWalletsByPrefix, type WalletRow } from '../../ledger/read/wallet.ts'
import { listOf, PAGE_ITEMS, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'

/** The results of one search by default, and at most. */
const RESULTS = 10
const MOST_RESULTS = 50
/** The most characters of a search. */
const MOST_CHARACTERS = 64
/** The fewest digits of an address for a search of wallets: fewer would name thousands. */
const LEAST_DIGITS = 3

interface Found {
  tokens: TokenRow[]
  wallets: WalletRow[]
}

const SearchObject = builder.objectRef<Found>('Search').implement({
  extensions: PART,
  description: 'The results of a search.',
  fields: (t) => ({
    tokens: t.expose('tokens', {
      type: [TokenObject],
      extensions: PAGE_ITEMS,
      description:
        'Tokens by symbol (with or without $), name or the start of their address. The best match comes first, then the most liquid, then the least risky. If few match, lookalike symbols follow (including Unicode lookalikes). Texts of four or more letters then tolerate one typo, eight or more two.',
    }),
    wallets: t.expose('wallets', {
      type: [WalletObject],
      extensions: PAGE_ITEMS,
      description: 'Wallets by the start of their address, as many as the tokens leave of the limit.',
    }),
  }),
})

function checkQuery(query: string): string {
  const text = query.trim()
  const length = [...text].length
  if (length > 0 && length <= MOST_CHARACTERS && !/\p{Cc}/u.test(text)) return text
  const message = `query must have 1 to ${MOST_CHARACTERS} characters, none of them a control character`
  throw invalid([{ location: 'argument', field: 'query', message }])
}

builder.queryField('search', (t) =>
  t.field({
    type: SearchObject,
    description: 'Finds tokens and wallets.',
    args: {
      query: t.arg.string({
        required: true,
        description: `The text to search for, 1 to ${MOST_CHARACTERS} characters.`,
      }),
      ...limitArgs(RESULTS, MOST_RESULTS),
    },
    extensions: listOf('limit', MOST_RESULTS),
    resolve: async (_, { query, limit }, { board, reading, markUncacheable }) => {
      // The ranking is of the board's block, which may be the one before.
      markUncacheable()
      const most = readLimit(limit, RESULTS, MOST_RESULTS)
      const text = checkQuery(query)
      const prefix = toAddressPrefix(foldCase(text))
      const ids = board.newest().search(text, most)
      const [rows, wallets] = await Promise.all([
        ids.length === 0 ? [] : readTokensById(reading, ids),
        prefix && prefix.length >= 2 + LEAST_DIGITS ? readWalletsByPrefix(reading, prefix, most) : [],
      ])
      const byId = new Map(rows.map((token) => [token.id, token]))
      const tokens = ids.flatMap((id) => byId.get(id) ?? [])
      return { tokens, wallets: wallets.slice(0, most - tokens.length) }
    },
  }),
)

builder.prismaObjectField(TokenObject, 'lookalikeOf', (t) =>
  t.field({
    type: TokenObject,
    nullable: true,
    description:
      'The most liquid token with the same symbol or a lookalike of it, in Unicode too. Null if none has more liquidity.',
    resolve: ({ id, symbol, liquidityUsd }, _, { loaders, markUncacheable }) => {
      markUncacheable()
      return loaders.lookalike.load({ id, symbol, liquidityUsd })
    },
  }),
)
