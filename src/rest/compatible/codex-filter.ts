// Pure. `filterTokens` of Codex: its filters and rankings in ours, and a row in its names. A filter or ranking without an
// equal is refused: a list that ignored it would be another list.
import {
  type Args,
  answers,
  type Described,
  given,
  readTokenAddress,
  refuseArgument,
  TOKEN,
  toToken,
  toUnixSeconds,
} from './codex-call.ts'

/** Tokens of a page where the caller says nothing, and at most. */
const PAGE = 25
const MOST = 200
/** The most tokens that a caller may name. */
const MOST_NAMED = 100
const MOST_RANKINGS = 3

/** Their filters of numbers: our least and most. `whole`: it is counted. */
const BOUNDS: Readonly<Record<string, { least?: string; most?: string; whole?: true }>> = {
  liquidity: { least: 'minLiquidityUsd', most: 'maxLiquidityUsd' },
  totalLiquidityUsd: { least: 'minLiquidityUsd', most: 'maxLiquidityUsd' },
  circulatingMarketCap: { least: 'minMarketCapUsd', most: 'maxMarketCapUsd' },
  volume24: { least: 'minVolume24hUsd' },
  holders: { least: 'minHolders', most: 'maxHolders', whole: true },
}

const ORDERS: Readonly<Record<string, string>> = {
  trendingScore: 'trending_score',
  trendingScore24: 'trending_score',
  liquidity: 'liquidity_usd',
  totalLiquidityUsd: 'liquidity_usd',
  circulatingMarketCap: 'market_cap_usd',
  volume24: 'volume_24h_usd',
  holders: 'holder_count',
  priceUSD: 'price_usd',
  createdAt: 'created_at',
  tokenCreatedAt: 'created_at',
  change5m: 'price_change_m5',
  change1: 'price_change_h1',
  change24: 'price_change_h24',
}

/** A value of a table by a name that a stranger wrote. */
const lookUp = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []).filter((each) => each !== null)
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** More than half of the distance to the next double, and less than one and a half. */
const STEP = 1.2e-16
const above = (value: number) => (value === 0 ? Number.MIN_VALUE : value + Math.abs(value) * STEP)
const below = (value: number) => -above(-value)

/** The inclusive bounds of one of their filters of numbers. */
function readBounds(name: string, value: unknown): Record<string, number> {
  const row = lookUp(BOUNDS, name)
  if (!row)
    throw refuseArgument(`filters.${name.slice(0, 40)}`, `has no equal here; ${Object.keys(BOUNDS).join(', ')} have`)
  const { gt, gte, lt, lte, ...others }: Record<string, unknown> = Object(value)
  const bounds = [gt, gte, lt, lte].filter(isGiven)
  if (Object.keys(others).length > 0 || bounds.some((bound) => typeof bound !== 'number' || !Number.isFinite(bound)))
    throw refuseArgument(`filters.${name}`, 'must have numbers as gt, gte, lt or lte')
  const up = row.whole ? (bound: number) => Math.floor(bound) + 1 : above
  const down = row.whole ? (bound: number) => Math.ceil(bound) - 1 : below
  const [least, most] = row.whole ? [Math.ceil, Math.floor] : [Number, Number]
  const lows = [...(isGiven(gt) ? [up(Number(gt))] : []), ...(isGiven(gte) ? [least(Number(gte))] : [])]
  const highs = [...(isGiven(lt) ? [down(Number(lt))] : []), ...(isGiven(lte) ? [most(Number(lte))] : [])]
  if (highs.length > 0 && row.most === undefined) throw refuseArgument(`filters.${name}`, 'takes gt and gte only')
  return {
    ...(row.least !== undefined && lows.length > 0 && { [row.least]: Math.max(...lows) }),
    ...(row.most !== undefined && highs.length > 0 && { [row.most]: Math.min(...highs) }),
  }
}

const filtersOf = ({ filters }: Args): Record<string, unknown> => ({ ...Object(filters) })

function readFilter(args: Args): Record<string, number> {
  const { network, includeScams, ...numbers } = filtersOf(args)
  if (includeScams === false)
    throw refuseArgument('filters.includeScams', 'must be true or left out: riskScore tells here')
  const named = Object.entries(numbers).filter(([, value]) => isGiven(value))
  const filter: Record<string, number> = {}
  for (const [name, bound] of named.flatMap(([name, value]) => Object.entries(readBounds(name, value)))) {
    const other = filter[name]
    filter[name] =
      other === undefined ? bound : name.startsWith('min') ? Math.max(other, bound) : Math.min(other, bound)
  }
  return filter
}

function readOrder({ attribute, direction }: Args): { field: string; direction: string } {
  const field = lookUp(ORDERS, String(attribute))
  if (field === undefined)
    throw refuseArgument(
      'rankings',
      `by ${String(attribute).slice(0, 40)} have no equal here; ${Object.keys(ORDERS).join(', ')} have`,
    )
  return { field, direction: direction === 'ASC' ? 'asc' : 'desc' }
}

function readWhole(field: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw refuseArgument(field, `must be a whole number from ${least} to ${most}`)
}

/** Their ids of tokens, `address:networkId`. */
const idsOf = ({ tokens }: Args): string[][] => listOf(tokens).map((each) => String(each).split(':'))

interface Window {
  buyCount: number
  sellCount: number
  volumeUsd: number
  traderCount: number | null
}

interface Listed extends Described {
  priceUsd: number | null
  liquidityUsd: number
  marketCapUsd: number | null
  fdvUsd: number | null
  holderCount: number
  listedAt: string | null
  trendingScore: number
  priceChange: Record<'m5' | 'h1' | 'h24', number | null>
  windows: Record<'m5' | 'h1' | 'h24', Window>
}

/** Our windows by the ends of their names. */
const WINDOWS = [
  ['5m', 'm5'],
  ['1', 'h1'],
  ['24', 'h24'],
] as const

function toRow(token: Listed, networkId: unknown) {
  const numbers = WINDOWS.map(([end, window]) => {
    const { buyCount, sellCount, volumeUsd, traderCount } = token.windows[window]
    const change = token.priceChange[window]
    return {
      [`change${end}`]: change === null ? null : String(change / 100),
      [`volume${end}`]: String(volumeUsd),
      [`buyCount${end}`]: buyCount,
      [`sellCount${end}`]: sellCount,
      [`txnCount${end}`]: buyCount + sellCount,
      [`uniqueTransactions${end}`]: traderCount,
    }
  })
  return Object.assign(
    {
      token: toToken(token, networkId),
      priceUSD: given(token.priceUsd),
      liquidity: String(token.liquidityUsd),
      totalLiquidityUsd: String(token.liquidityUsd),
      circulatingMarketCap: given(token.marketCapUsd),
      marketCap: given(token.fdvUsd),
      holders: token.holderCount,
      createdAt: toUnixSeconds(token.listedAt),
      trendingScore: token.trendingScore,
    },
    ...numbers,
  )
}

export const filterTokens = answers<{ chain: { chainId: number } | null; tokens: { nodes: Listed[] } }>({
  document: `query Filter($addresses: [Address!], $filter: TokenFilter, $orderBy: [TokenOrder!], $limit: Int, $offset: Int) {
    chain { chainId }
    tokens(addresses: $addresses, filter: $filter, orderBy: $orderBy, first: $limit, offset: $offset) { nodes {
      ${TOKEN} priceUsd liquidityUsd marketCapUsd fdvUsd holderCount listedAt trendingScore
      priceChange { m5 h1 h24 }
      windows { m5 { ...W } h1 { ...W } h24 { ...W } }
    } }
  }
  fragment W on TokenWindow { buyCount sellCount volumeUsd traderCount }`,
  networks: (args) => [
    ...listOf(filtersOf(args).network),
    ...idsOf(args).flatMap(([, network]) => (network === undefined ? [] : [Number(network)])),
  ],
  toVariables(args) {
    if (isGiven(args.phrase))
      throw refuseArgument('phrase', 'must be left out: GET /v1/search and search of /graphql find texts')
    if (listOf(args.excludeTokens).length > 0) throw refuseArgument('excludeTokens', 'must be left out')
    const ids = idsOf(args)
    if (ids.length > MOST_NAMED) throw refuseArgument('tokens', `must be up to ${MOST_NAMED} tokens`)
    const rankings = listOf(args.rankings)
    if (rankings.length > MOST_RANKINGS) throw refuseArgument('rankings', `must be up to ${MOST_RANKINGS}`)
    return {
      addresses: isGiven(args.tokens)
        ? [...new Set(ids.map(([address]) => readTokenAddress('tokens', address)))]
        : null,
      filter: readFilter(args),
      orderBy: rankings.length > 0 ? rankings.map((ranking) => readOrder({ ...Object(ranking) })) : null,
      limit: readWhole('limit', args.limit ?? PAGE, 1, MOST),
      offset: readWhole('offset', args.offset ?? 0, 0, 10_000),
    }
  },
  shape({ chain, tokens: { nodes } }, args) {
    return { count: nodes.length, page: args.offset ?? 0, results: nodes.map((node) => toRow(node, chain?.chainId)) }
  },
})
