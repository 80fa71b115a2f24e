// Reads the pools of many tokens, the wallets that can withdraw from them, and their changes over the last month. Per
// token it reads at most eight pools. Per pool it reads twenty providers, fifty locks, 31 days, and other pools of the
// opener up to the rules' number.
import { float64At, int32At, itemAt } from '../../base/item-at.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import type { PoolKind } from '../../chain/event.ts'
import {
  defineRead,
  double,
  integer,
  listBy,
  orNull,
  type Reader,
  type RowsOf,
  seconds,
  text,
} from '../../database/column-query.ts'
import type { FactRules, FactsBlock, LockFacts, PoolDayFacts, PoolFacts, ProviderFacts } from './facts.ts'
import { type LockerFacts, lockerKey, readLocks } from './locks.ts'
import { lookThrough, readStakes } from './stakes.ts'

const poolsRead = ({ emptiedShare, openedPools }: FactRules) =>
  defineRead(
    'facts pools',
    {
      tokenId: integer('p.base_id'),
      id: integer('p.id'),
      kind: text<PoolKind>('p.kind'),
      createdAt: seconds('p.created_at'),
      liquidityUsd: double('p.liquidity_usd'),
      peakLiquidityUsd: double('p.peak_liquidity_usd'),
      quoteReserve: double(
        '(CASE WHEN p.quote_id = p.token0_id THEN p.reserve0 ELSE p.reserve1 END)::float8 / 10 ^ coalesce(q.decimals, 18)',
      ),
      providerCount: integer('lp.holder_count'),
      lpId: integer('p.lp_token_id'),
      supply: double('lp.supply::float8'),
      openingQuote: double('p.opening_quote'),
      openerId: double('p.opener_id::float8'),
      openedCount: integer('o.pools'),
      emptiedCount: integer('o.emptied'),
    },
    (columns) => `SELECT ${columns}
      FROM unnest($1::int[]) WITH ORDINALITY AS t(id, nth)
      CROSS JOIN LATERAL (SELECT * FROM pool WHERE base_id = t.id ORDER BY liquidity_usd DESC, id LIMIT 8) p
      JOIN token q ON q.id = p.quote_id
      JOIN token lp ON lp.id = p.lp_token_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS pools,
          (count(*) FILTER (WHERE liquidity_usd < ${emptiedShare} * peak_liquidity_usd))::int AS emptied
        FROM (
          SELECT liquidity_usd, peak_liquidity_usd FROM pool
          WHERE opener_id = p.opener_id AND base_id <> p.base_id ORDER BY id DESC LIMIT ${openedPools}) x) o
      ORDER BY t.nth, p.liquidity_usd DESC, p.id`,
  )

const readProviderRows = defineRead(
  'facts providers',
  {
    lpId: integer('lp.id'),
    walletId: integer('s.wallet_id'),
    address: text('w.address'),
    kind: text<WalletKind>('w.kind'),
    balance: double('s.balance::float8'),
    since: seconds('s.last_at'),
    hasAdded: integer(`(EXISTS (SELECT FROM position b
      WHERE b.token_id = lp.base_id AND b.wallet_id = s.wallet_id AND b.liquidity_add_count > 0))::int`),
  },
  (columns) => `SELECT ${columns}
    FROM unnest($1::int[], $2::int[]) AS lp(id, base_id)
    CROSS JOIN LATERAL (
      SELECT wallet_id, balance, last_at FROM position WHERE token_id = lp.id AND balance > 0
      ORDER BY balance DESC, wallet_id LIMIT 20) s
    JOIN wallet w ON w.id = s.wallet_id
    ORDER BY lp.id, s.balance DESC, s.wallet_id`,
)

const readDayRows = defineRead(
  'facts pool days',
  {
    poolId: integer('pool_id'),
    day: integer('day'),
    openQuote: double('open_quote'),
    closeQuote: double('close_quote'),
    keptFraction: double('kept_fraction'),
    removalCount: integer('removal_count'),
    beforeRemovalQuote: double('before_removal_quote'),
  },
  (columns) => `SELECT ${columns} FROM pool_day WHERE pool_id = ANY($1::int[]) AND day > $2 ORDER BY pool_id, day`,
)

type PoolRows = RowsOf<ReturnType<typeof poolsRead>>

/** Returns a function that makes a token's pools, deepest first, when they are needed. */
export async function readPoolFacts(
  client: Reader,
  tokenIds: readonly number[],
  block: Pick<FactsBlock, 'hourTime'>,
  rules: FactRules,
): Promise<(tokenId: number) => PoolFacts[]> {
  const rows = await poolsRead(rules)(client, [tokenIds])
  const [providersOf, daysOf] = await Promise.all([readProviders(client, rows), readDays(client, rows.id, block)])
  return listBy(rows.tokenId, (at): PoolFacts => {
    const id = int32At(rows.id, at)
    return {
      id,
      kind: itemAt(rows.kind, at),
      createdAt: float64At(rows.createdAt, at),
      liquidityUsd: float64At(rows.liquidityUsd, at),
      peakLiquidityUsd: float64At(rows.peakLiquidityUsd, at),
      quoteReserve: float64At(rows.quoteReserve, at),
      providerCount: int32At(rows.providerCount, at),
      providers: providersOf(int32At(rows.lpId, at)),
      days: daysOf(id),
      openingQuote: orNull(rows.openingQuote[at]),
      opener:
        orNull(rows.openerId[at]) === null
          ? null
          : { poolCount: int32At(rows.openedCount, at), emptiedCount: int32At(rows.emptiedCount, at) },
    }
  })
}

async function readProviders(client: Reader, pools: PoolRows): Promise<(lpId: number) => ProviderFacts[]> {
  const supplies = new Map(Array.from(pools.lpId, (lpId, at) => [lpId, float64At(pools.supply, at)]))
  const [rows, lockers, stakesOf] = await Promise.all([
    readProviderRows(client, [[...pools.lpId], [...pools.tokenId]]),
    readLocks(client, supplies),
    readStakes(client, [...pools.lpId], [...pools.tokenId]),
  ])
  const providersOf = listBy(rows.lpId, (at): ProviderFacts => {
    const [lpId, id] = [int32At(rows.lpId, at), int32At(rows.walletId, at)]
    const kind = itemAt(rows.kind, at)
    const supply = supplies.get(lpId) ?? 0
    const share = supply > 0 ? Math.min(1, float64At(rows.balance, at) / supply) : 0
    const locks = listLocks(share, lockers.get(lockerKey(lpId, id)))
    const [address, since] = [itemAt(rows.address, at), float64At(rows.since, at)]
    return { id, address, kind, share, hasAdded: rows.hasAdded[at] === 1, since, locks }
  })
  return (lpId) => lookThrough(providersOf(lpId), stakesOf(lpId), supplies.get(lpId) ?? 0)
}

/** If not all locks were read, the rest of the share counts as a lock that ended long ago. */
function listLocks(share: number, known: LockerFacts | undefined): LockFacts[] {
  if (!known) return []
  const rest = share - known.locks.reduce((sum, lock) => sum + lock.share, 0)
  return known.isCut && rest > 0 ? [{ share: rest, endsAt: 0 }, ...known.locks] : known.locks
}

async function readDays(
  client: Reader,
  poolIds: Int32Array,
  block: Pick<FactsBlock, 'hourTime'>,
): Promise<(poolId: number) => PoolDayFacts[]> {
  const since = Math.floor(block.hourTime / DAY_SECONDS) - 31
  const rows = await readDayRows(client, [[...poolIds], since])
  return listBy(
    rows.poolId,
    (at): PoolDayFacts => ({
      day: int32At(rows.day, at),
      openQuote: float64At(rows.openQuote, at),
      closeQuote: float64At(rows.closeQuote, at),
      keptFraction: float64At(rows.keptFraction, at),
      removalCount: int32At(rows.removalCount, at),
      beforeRemovalQuote: float64At(rows.beforeRemovalQuote, at),
    }),
  )
}
