// Draws a random sample of rows to compare with the chain, all of one block: tokens with some of their holders, and pools.
// Shares of V3 pools are left out, because no contract can be asked about them.
import type { Address } from '../../base/address.ts'
import type { PoolKind } from '../../chain/event.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { unpackReport } from '../../safety/pack.ts'
import { type Head, readHead } from '../head.ts'

export interface TokenState {
  address: Address
  /** Raw units. */
  supply: bigint
}

export interface SampledHolding {
  token: Address
  holder: Address
  /** Raw units; 0 for a wallet that no longer holds any. */
  balance: bigint
}

export interface PoolState {
  address: Address
  kind: PoolKind
  /** Raw units. */
  reserve0: bigint
  reserve1: bigint
  decimals0: number | null
  decimals1: number | null
  /** Null: neither side is a quote, so there is no price. */
  baseIs0: boolean | null
  /** Whole quote tokens per whole base token; 0: no price. */
  price: number
}

/** A manager's balance of a token. */
export interface ManagedState extends SampledHolding {
  /** The reserves of all of its pools of the token together. */
  reserves: bigint
}

export interface Sample {
  head: Head
  tokens: TokenState[]
  holdings: SampledHolding[]
  pools: PoolState[]
  managed: ManagedState[]
  /** Drawn tokens whose newest check found balances that no Transfer explains. */
  unexplained: ReadonlySet<Address>
}

/** How many of the largest holders of a token are drawn, and how many of all wallets that ever held it. */
const LARGEST = 20
const OTHERS = 10

const TOKENS = `SELECT id, address, supply FROM token t
  WHERE indexed OR EXISTS (SELECT 1 FROM pool p WHERE p.lp_token_id = t.id AND p.kind = 'v2')
  ORDER BY random() LIMIT $1`

// The others are consecutive wallets from a random one on, so that never all positions of a token are read.
const HOLDINGS = `WITH drawn AS MATERIALIZED (SELECT id, ($4 * 0.9 * random())::int AS first FROM unnest($1::int[]) AS id)
  SELECT t.address AS token, w.address AS holder, h.balance FROM drawn JOIN token t ON t.id = drawn.id
  CROSS JOIN LATERAL (
    (SELECT wallet_id, balance FROM position WHERE token_id = drawn.id AND balance > 0
      ORDER BY balance DESC, wallet_id LIMIT $2)
    UNION
    (SELECT wallet_id, balance FROM position WHERE token_id = drawn.id AND wallet_id >= drawn.first
      ORDER BY wallet_id LIMIT $3)
  ) h JOIN wallet w ON w.id = h.wallet_id`

const POOLS = `SELECT p.address, p.kind, p.reserve0, p.reserve1, p.price, a.decimals AS decimals0, b.decimals AS decimals1,
    p.base_id = p.token0_id AS "baseIs0"
  FROM pool p JOIN token a ON a.id = p.token0_id JOIN token b ON b.id = p.token1_id
  -- Two coins of a pool of many are not asked about alone.
  WHERE p.address NOT LIKE '%-%' ORDER BY random() LIMIT $1`

// Managers hold the tokens of all their pools, so only the sum of the pools can be compared with a balance. The native
// coin has no contract to ask. Its pools count as having its wrapped token, which is left out.
const MANAGED = `SELECT t.address AS token, w.address AS holder, s.reserves, coalesce(p.balance, 0) AS balance FROM (
    SELECT wallet_id, token_id, sum(reserve) AS reserves FROM (
      SELECT wallet_id, token0_id AS token_id, reserve0 AS reserve FROM pool WHERE kind = 'v4'
      UNION ALL SELECT wallet_id, token1_id, reserve1 FROM pool WHERE kind = 'v4') sides
    GROUP BY wallet_id, token_id) s
  JOIN token t ON t.id = s.token_id JOIN wallet w ON w.id = s.wallet_id
  LEFT JOIN position p ON p.token_id = s.token_id AND p.wallet_id = s.wallet_id
  WHERE t.address <> $2 ORDER BY random() LIMIT $1`

const REPORTS = `SELECT t.address, s.report FROM token_safety s JOIN token t ON t.id = s.token_id
  WHERE s.token_id = ANY($1::int[])`

type Raw<T, K extends keyof T> = Omit<T, K> & Record<K, string>

/** Draws at most `size` tokens and `size` pools. */
export function readSample({ pool }: Database, size: number, wrappedNative: Address): Promise<Sample> {
  const draw = async (client: pg.PoolClient): Promise<Sample> => {
    const head = await readHead(client)
    const tokens = await client.query<Raw<TokenState, 'supply'> & { id: number }>(TOKENS, [size])
    const ids = tokens.rows.map(({ id }) => id)
    const newest = await client.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM wallet')
    const holdings = await client.query<Raw<SampledHolding, 'balance'>>(HOLDINGS, [
      ...[ids, LARGEST, OTHERS],
      newest.rows[0]?.id ?? 0,
    ])
    const managed = await client.query<Raw<ManagedState, 'reserves' | 'balance'>>(MANAGED, [size, wrappedNative])
    const pools = await client.query<Raw<PoolState, 'reserve0' | 'reserve1'>>(POOLS, [size])
    const reports = await client.query<{ address: Address; report: string }>(REPORTS, [ids])
    return {
      head,
      unexplained: new Set(reports.rows.filter(hasUnexplained).map(({ address }) => address)),
      tokens: tokens.rows.map(({ address, supply }) => ({ address, supply: BigInt(supply) })),
      holdings: holdings.rows.map((row) => ({ ...row, balance: BigInt(row.balance) })),
      managed: managed.rows.map((row) => ({
        ...row,
        reserves: BigInt(row.reserves),
        balance: BigInt(row.balance),
      })),
      pools: pools.rows.map((row) => ({ ...row, reserve0: BigInt(row.reserve0), reserve1: BigInt(row.reserve1) })),
    }
  }
  return inTransaction(pool, draw, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

const hasUnexplained = ({ report }: { report: string }): boolean =>
  (unpackReport(report).balancesDiffer?.differ ?? 0) > 0
