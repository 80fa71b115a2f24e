// Reads the inputs of a check of a token's contract. They are its pools, a sample of its holders, and the accounts that
// may act for its deployer. Every list is bounded, whatever the token's history.

import { createHash } from 'node:crypto'
import type { Address } from '../../base/address.ts'
import { pushTo } from '../../base/push-to.ts'
import type { PoolKind } from '../../chain/event.ts'
import type { Venue } from '../../chain/exchanges/venues.ts'
import type { pg } from '../../database/client.ts'
import { unpackReport } from '../../safety/pack.ts'
import type { SafetyHolder, SafetyPool, SafetyTarget, TargetBlock } from '../../safety/target.ts'
import { readLogs } from './logs.ts'

type Client = Pick<pg.ClientBase, 'query'>

const MAX_POOLS = 4
const MAX_HOLDERS = 24
/** The sample is drawn from this many of the largest holders. */
const DRAWN_FROM = 200
const MAX_INSIDERS = 16
const MAX_PAYERS = 6

/** The facts from the chain's preset. */
export interface SafetyRules {
  wrappedNative: Address
  /** The kind of each factory or manager. */
  venues: ReadonlyMap<Address, Venue>
}

/**
 * Null when the token is not indexed. `client` must be in a snapshot: all facts are of its newest block, where the node
 * is asked. `seedOf`: the text from which a check draws.
 */
export async function readTarget(
  client: Client,
  tokenId: number,
  rules: SafetyRules,
  seedOf: (token: Address, block: number) => string,
): Promise<SafetyTarget | null> {
  const [token, block] = [await readToken(client, tokenId), await readBlock(client)]
  if (!token || !block) return null
  const seed = seedOf(token.address, block.number)
  const pools = await readPools(client, tokenId, rules)
  const insiders = await readInsiders(client, tokenId, token.deployerId, token.owner)
  const known = token.deployer ? [...insiders, token.deployer] : insiders
  const supply = BigInt(token.supply)
  const logs = await readLogs(client, tokenId, block.time, { ...token, insiders: known, supply })
  const holders = await readHolders(client, tokenId, insiders, seed)
  const others = [...new Set(pools.flatMap((pool) => [pool.token0, pool.token1]))].filter(
    (one) => one !== token.address,
  )
  return {
    token: token.address,
    block: { number: block.number, hash: block.hash, finalized: block.finalized },
    pools,
    holders: holders.map((each) => ({ ...each, lastBoughtAt: logs.lastBuys.get(each.address) ?? null })),
    deployer: token.deployer,
    createdBlock: token.createdBlock,
    insiders,
    wrappedNative: rules.wrappedNative,
    payers: await readPayers(client, others, [token.address, ...pools.map(({ factory }) => factory)]),
    supply,
    trades: logs.newest,
    moves: logs.moves,
    logs: logs.facts,
    known: knownOf(token.report),
    seed,
  }
}

async function readBlock(client: Client): Promise<(TargetBlock & { time: number }) | null> {
  const { rows } = await client.query<TargetBlock & { time: number }>({
    name: 'safety block',
    text: `SELECT number, hash, date_part('epoch', time) AS time, (SELECT finalized FROM chain) AS finalized
      FROM block ORDER BY number DESC LIMIT 1`,
  })
  return rows[0] ?? null
}

interface TokenRow {
  address: Address
  supply: string
  decimals: number
  deployerId: number | null
  deployer: Address | null
  owner: Address | null
  createdBlock: number | null
  launchedAt: number | null
  launchedBlock: number
  report: string | null
}

async function readToken(client: Client, tokenId: number): Promise<TokenRow | null> {
  const { rows } = await client.query<TokenRow>({
    name: 'safety token',
    text: `SELECT t.address, t.supply::text, coalesce(t.decimals, 18) AS decimals, t.deployer_id AS "deployerId", d.address AS deployer, s.owner, s.report,
        CASE WHEN t.partial AND (SELECT start_block FROM chain) > 0 THEN NULL ELSE t.created_block END AS "createdBlock",
        date_part('epoch', t.first_liquidity_at) AS "launchedAt",
        coalesce(t.first_liquidity_block, t.created_block) AS "launchedBlock"
      FROM token t LEFT JOIN wallet d ON d.id = t.deployer_id LEFT JOIN token_safety s ON s.token_id = t.id
      WHERE t.id = $1 AND t.indexed AND t.kind = 'erc20'`,
    values: [tokenId],
  })
  return rows[0] ?? null
}

function knownOf(report: string | null): SafetyTarget['known'] {
  if (report === null) return null
  const { code, powers, powersTried, powersRead } = unpackReport(report)
  // The code of a token that the chain runs never changes, whatever becomes of its roles.
  const isKept = code?.unread === null && code.native === null && powersRead.length > 0
  return isKept && powers ? { code, powers, powersTried, powersRead } : null
}

interface PoolRow extends Omit<SafetyPool, 'venue' | 'reserve0' | 'reserve1'> {
  kind: PoolKind
  reserve0: string
  reserve1: string
}

async function readPools(client: Client, tokenId: number, { venues }: SafetyRules): Promise<SafetyPool[]> {
  const { rows } = await client.query<PoolRow>({
    name: 'safety pools',
    text: `SELECT p.address, p.kind, p.factory, a.address AS token0, b.address AS token1, p.fee, p.stable,
        p.tick_spacing AS "tickSpacing", p.hooks, p.hook_rights AS "hookRights", p.reserve0::text, p.reserve1::text,
        p.liquidity_usd AS "liquidityUsd"
      FROM (SELECT * FROM pool WHERE base_id = $1 ORDER BY liquidity_usd DESC, id LIMIT ${MAX_POOLS}) p
      JOIN token a ON a.id = p.token0_id JOIN token b ON b.id = p.token1_id
      ORDER BY p.liquidity_usd DESC, p.id`,
    values: [tokenId],
  })
  return rows.flatMap((row) => {
    const venue = venues.get(row.factory)
    return venue ? [{ ...row, venue, reserve0: BigInt(row.reserve0), reserve1: BigInt(row.reserve1) }] : []
  })
}

/** The owner, the funder of the deployer, the first account that the deployer funded, and the first holder. */
async function readInsiders(
  client: Client,
  tokenId: number,
  deployerId: number | null,
  owner: Address | null,
): Promise<Address[]> {
  const { rows } = await client.query<{ address: Address }>({
    name: 'safety insiders',
    text: `SELECT DISTINCT w.address FROM wallet w WHERE w.kind IN ('account', 'contract') AND w.id <> coalesce($2, -1) AND w.id IN (
        (SELECT first_funder_id FROM wallet WHERE id = $2)
        UNION ALL (SELECT id FROM wallet WHERE first_funder_id = $2 ORDER BY id LIMIT 8)
        UNION ALL (SELECT wallet_id FROM position WHERE token_id = $1 AND first_buy_at IS NULL ORDER BY first_at, wallet_id LIMIT 4))
      LIMIT ${MAX_INSIDERS}`,
    values: [tokenId, deployerId],
  })
  return [...new Set([...(owner ? [owner] : []), ...rows.map(({ address }) => address)])]
}

/** Drawn by the seed among the largest, so that a contract cannot foresee the sample. */
async function readHolders(
  client: Client,
  tokenId: number,
  insiders: readonly Address[],
  seed: string,
): Promise<Omit<SafetyHolder, 'lastBoughtAt'>[]> {
  const { rows } = await client.query<Omit<SafetyHolder, 'balance' | 'lastBoughtAt'> & { balance: string }>({
    name: 'safety holders',
    text: `SELECT w.address, h.balance::text, date_part('epoch', h.first_at) AS since, h.sold_usd > 0 AS "hasSold",
        h.first_buy_at IS NOT NULL AS "hasBought"
      FROM (SELECT * FROM position WHERE token_id = $1 AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT ${DRAWN_FROM}) h
      JOIN wallet w ON w.id = h.wallet_id
      WHERE w.kind = 'account' AND w.id <> coalesce((SELECT deployer_id FROM token WHERE id = $1), -1)
        AND NOT w.address = ANY($2::text[])`,
    values: [tokenId, `{${insiders.join(',')}}`],
  })
  const drawn = rows.map((row) => ({ row, lot: createHash('sha256').update(`${seed} ${row.address}`).digest('hex') }))
  drawn.sort((a, b) => Number(b.row.hasBought) - Number(a.row.hasBought) || (a.lot < b.lot ? -1 : 1))
  return drawn.slice(0, MAX_HOLDERS).map(({ row }) => ({ ...row, balance: BigInt(row.balance) }))
}

/**
 * Accounts that hold much of a token: its largest holders, mostly pools. A trial replaces the code of one of them. It
 * therefore needs some contracts unchanged, which are left out: the token, and managers that hold its pools.
 */
async function readPayers(
  client: Client,
  tokens: readonly Address[],
  needed: readonly Address[],
): Promise<Map<Address, Address[]>> {
  const { rows } = await client.query<{ token: Address; address: Address }>({
    name: 'safety payers',
    text: `SELECT t.address AS token, w.address FROM token t
      CROSS JOIN LATERAL (SELECT wallet_id FROM position WHERE token_id = t.id AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT ${MAX_PAYERS}) h
      JOIN wallet w ON w.id = h.wallet_id
      WHERE t.address = ANY($1::text[]) AND w.kind IN ('account', 'pool') AND NOT w.address = ANY($2::text[])`,
    values: [`{${tokens.join(',')}}`, `{${[...needed, ...tokens].join(',')}}`],
  })
  const payers = new Map<Address, Address[]>()
  for (const { token, address } of rows) pushTo(payers, token, address)
  return payers
}
