// The pools of many tokens with who can withdraw from them and what their last month was like. Bounded: eight pools a
// token, twenty providers, fifty locks, thirty-one days and as many other pools of the opener as the rules say.
import type { WalletKind } from '../../base/vocabulary.ts'
import { listBy, pushTo, type Reader, readColumns, readRows } from '../../database/column-query.ts'
import type { FactRules, FactsBlock, LockFacts, PoolDayFacts, PoolFacts, ProviderFacts } from './facts.ts'
import { type LockerFacts, lockerKey, readLocks } from './locks.ts'

const poolsText = ({
  emptiedShare,
  openedPools,
}: FactRules) => `SELECT p.base_id, p.id, p.kind, date_part('epoch', p.created_at), p.liquidity_usd, p.peak_liquidity_usd,
  (CASE WHEN p.quote_id = p.token0_id THEN p.reserve0 ELSE p.reserve1 END)::float8 / 10 ^ coalesce(q.decimals, 18),
  lp.holder_count, p.lp_token_id, lp.supply::float8, p.opening_quote, p.opener_id, o.pools, o.emptied
FROM unnest($1::int[]) AS t(id)
CROSS JOIN LATERAL (SELECT * FROM pool WHERE base_id = t.id ORDER BY liquidity_usd DESC, id LIMIT 8) p
JOIN token q ON q.id = p.quote_id
JOIN token lp ON lp.id = p.lp_token_id
CROSS JOIN LATERAL (
  SELECT count(*)::int AS pools, (count(*) FILTER (WHERE liquidity_usd < ${emptiedShare} * peak_liquidity_usd))::int AS emptied
  FROM (
    SELECT liquidity_usd, peak_liquidity_usd FROM pool
    WHERE opener_id = p.opener_id AND base_id <> p.base_id ORDER BY id DESC LIMIT ${openedPools}) x) o`

const PROVIDERS = `SELECT lp.id, s.wallet_id, w.kind, s.balance::float8, date_part('epoch', s.last_at),
  (EXISTS (SELECT FROM position b WHERE b.token_id = lp.base_id AND b.wallet_id = s.wallet_id AND b.liquidity_add_count > 0))::int
FROM unnest($1::int[], $2::int[]) AS lp(id, base_id)
CROSS JOIN LATERAL (
  SELECT wallet_id, balance, last_at FROM position WHERE token_id = lp.id AND balance > 0
  ORDER BY balance DESC, wallet_id LIMIT 20) s
JOIN wallet w ON w.id = s.wallet_id
ORDER BY lp.id, s.balance DESC, s.wallet_id`

const DAYS = `SELECT pool_id, day, open_quote, close_quote, kept_fraction, removal_count, before_removal_quote
FROM pool_day WHERE pool_id = ANY($1::int[]) AND day > $2 ORDER BY pool_id, day`

type PoolRow = [
  tokenId: number,
  id: number,
  kind: 'v2' | 'v3',
  createdAt: number,
  liquidityUsd: number,
  peakLiquidityUsd: number,
  quoteReserve: number,
  providerCount: number,
  lpId: number,
  supply: number,
  openingQuote: number | null,
  openerId: number | null,
  openedCount: number,
  emptiedCount: number,
]

/** Deepest first, by token, made when they are asked for. */
export async function readPoolFacts(
  client: Reader,
  tokenIds: readonly number[],
  block: FactsBlock,
  rules: FactRules,
): Promise<(tokenId: number) => PoolFacts[]> {
  const rows = await readRows<PoolRow>(client, 'facts pools', poolsText(rules), [tokenIds])
  const shares = new Map(rows.map(([tokenId, , , , , , , , lpId, supply]) => [lpId, { tokenId, supply }]))
  const poolIds = rows.map((row) => row[1])
  const [providersOf, daysOf] = await Promise.all([readProviders(client, shares), readDays(client, poolIds, block)])
  const toPool = (row: PoolRow): PoolFacts => {
    const [, id, kind, createdAt, liquidityUsd, peakLiquidityUsd, quoteReserve, providerCount, lpId] = row
    const [, , , , , , , , , , openingQuote, openerId, poolCount, emptiedCount] = row
    return {
      id,
      kind,
      createdAt,
      liquidityUsd,
      peakLiquidityUsd,
      quoteReserve,
      providerCount,
      providers: providersOf(lpId),
      days: daysOf(id),
      openingQuote,
      opener: openerId === null ? null : { poolCount, emptiedCount },
    }
  }
  const byToken = new Map<number, PoolRow[]>()
  for (const row of rows) pushTo(byToken, row[0], row)
  return (tokenId) =>
    (byToken.get(tokenId) ?? []).map(toPool).sort((a, b) => b.liquidityUsd - a.liquidityUsd || a.id - b.id)
}

/** `shares`: the token that a pool is of, and how many shares there are, by the token of the shares. */
async function readProviders(
  client: Reader,
  shares: Map<number, { tokenId: number; supply: number }>,
): Promise<(lpId: number) => ProviderFacts[]> {
  const tokenIds = [...shares.values()].map(({ tokenId }) => tokenId)
  const [[lpIds, walletIds, kinds, balances, sinces, adders], lockers] = await Promise.all([
    readColumns(client, 'facts providers', ['integer', 'integer', 'text', 'double', 'double', 'integer'], PROVIDERS, [
      [...shares.keys()],
      tokenIds,
    ]),
    readLocks(client, new Map([...shares].map(([lpId, { supply }]) => [lpId, supply]))),
  ])
  return listBy(lpIds, (at): ProviderFacts => {
    const [lpId, id] = [lpIds[at] as number, walletIds[at] as number]
    const kind = kinds[at] as WalletKind
    const supply = shares.get(lpId)?.supply ?? 0
    const share = supply > 0 ? Math.min(1, (balances[at] as number) / supply) : 0
    const locks = kind === 'locker' ? listLocks(share, lockers.get(lockerKey(lpId, id))) : []
    return { id, kind, share, hasAdded: adders[at] === 1, since: sinces[at] as number, locks }
  })
}

/** Where not all locks were read, the rest counts as ended long ago. */
function listLocks(share: number, known: LockerFacts | undefined): LockFacts[] {
  if (!known) return []
  const rest = share - known.locks.reduce((sum, lock) => sum + lock.share, 0)
  return known.isCut && rest > 0 ? [{ share: rest, endsAt: 0 }, ...known.locks] : known.locks
}

async function readDays(
  client: Reader,
  poolIds: number[],
  block: FactsBlock,
): Promise<(poolId: number) => PoolDayFacts[]> {
  const since = Math.floor(block.hourTime / 86_400) - 31
  const kinds = ['integer', 'integer', 'double', 'double', 'double', 'integer', 'double'] as const
  const columns = await readColumns(client, 'facts pool days', kinds, DAYS, [poolIds, since])
  const [poolId, day, openQuote, closeQuote, keptFraction, removalCount, beforeRemovalQuote] = columns
  return listBy(
    poolId,
    (at): PoolDayFacts => ({
      day: day[at] as number,
      openQuote: openQuote[at] as number,
      closeQuote: closeQuote[at] as number,
      keptFraction: keptFraction[at] as number,
      removalCount: removalCount[at] as number,
      beforeRemovalQuote: beforeRemovalQuote[at] as number,
    }),
  )
}
