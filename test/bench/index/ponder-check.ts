// Checks that Ponder's handlers get the same results as Assay, without which comparing speed means nothing. Input: a
// sample of Ponder's rows and Assay's database. Throws at the first difference. Amounts must be equal, sums of USD to a
// millionth.
import type pg from 'pg'
import { EVENT_TYPE_ID } from '../../../src/base/vocabulary.ts'

interface Row {
  [column: string]: string | number | boolean | null
}

export interface Sample {
  positions: (Row & { token: string; wallet: string })[]
  pools: (Row & { address: string })[]
  swaps: number
  tokens?: (Row & { address: string })[]
  wallets?: (Row & { address: string })[]
  volumeUsd?: number
}

const POSITIONS = `
  SELECT t.address AS token, w.address AS wallet, p.balance::text, p.cost_quantity AS "costQuantity", p.cost_usd AS "costUsd",
    p.realised_usd AS "realisedUsd", p.sold_usd AS "soldUsd", p.bought_usd AS "boughtUsd", p.buy_rank AS "buyRank",
    p.swap_count AS "swapCount", p.transfer_count AS "transferCount"
  FROM position p JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
  WHERE (t.address, w.address) IN (SELECT * FROM unnest($1::text[], $2::text[]))`
const POOLS = `
  SELECT address, reserve0::text, reserve1::text, price, liquidity_usd AS "liquidityUsd" FROM pool WHERE address = ANY ($1)`
const TOKENS = `
  SELECT address, name, supply::text, holder_count AS "holderCount", price_usd AS "priceUsd", market_cap_usd AS "marketCapUsd",
    buyer_count AS "buyerCount", event_count AS "eventCount", swap_count AS "swapCount", transfer_count AS "transferCount"
  FROM token WHERE address = ANY ($1)`
const WALLETS = `
  SELECT address, event_count AS "eventCount", swap_count AS "swapCount", transfer_count AS "transferCount",
    bought_usd AS "boughtUsd", realised_usd AS "realisedUsd", closed_count AS "closedCount", win_count AS "winCount",
    max_drawdown_usd AS "maxDrawdownUsd", bought_token_count AS "boughtTokenCount", early_buy_count AS "earlyBuyCount",
    snipe_count AS "snipeCount"
  FROM wallet WHERE address = ANY ($1)`

/** Compares the whole sample; returns the number of equal values. */
export async function check(client: pg.Client, sample: Sample): Promise<number> {
  let same = 0
  const compare = async (
    name: string,
    theirs: readonly Row[],
    key: (row: Row) => string,
    sql: string,
    ...args: unknown[]
  ) => {
    const { rows } = await client.query<Row>(sql, args)
    const ours = new Map(rows.map((row) => [key(row), row]))
    if (theirs.length === 0) throw new Error(`Ponder has no ${name}`)
    for (const row of theirs) {
      const own = ours.get(key(row))
      if (!own) throw new Error(`Ponder has the ${name} ${key(row)}, Assay does not`)
      for (const [column, value] of Object.entries(own)) {
        if (row[column] === undefined) continue
        if (!isSame(row[column], value))
          throw new Error(`${name} ${key(row)}: ${column} is ${row[column]} in Ponder and ${value} in Assay`)
        same += 1
      }
    }
  }
  const address = (row: Row) => String(row.address).toLowerCase()
  const addresses = (rows: readonly Row[]) => rows.map(address)
  const { positions, pools, tokens, wallets } = sample
  const held = (row: Row) => `${row.wallet} of ${row.token}`.toLowerCase()
  const [of, by] = [
    positions.map(({ token }) => token.toLowerCase()),
    positions.map(({ wallet }) => wallet.toLowerCase()),
  ]
  await compare('position', positions, held, POSITIONS, of, by)
  await compare('pool', pools, address, POOLS, addresses(pools))
  if (tokens) await compare('token', tokens, address, TOKENS, addresses(tokens))
  if (wallets) await compare('wallet', wallets, address, WALLETS, addresses(wallets))
  const { rows } = await client.query<{ swaps: number; volumeUsd: number }>(
    `SELECT (SELECT count(*)::int FROM event WHERE type = $1) AS swaps,
       (SELECT sum(volume_micro_usd)::float8 / 1e6 FROM token_hour) AS "volumeUsd"`,
    [EVENT_TYPE_ID.swap],
  )
  for (const name of ['swaps', 'volumeUsd'] as const) {
    if (sample[name] === undefined) continue
    if (!isSame(sample[name], rows[0]?.[name] ?? null))
      throw new Error(`${name}: ${sample[name]} in Ponder and ${rows[0]?.[name]} in Assay`)
    same += 1
  }
  return same
}

function isSame(a: Row[string], b: Row[string]): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b))
  return String(a) === String(b)
}
