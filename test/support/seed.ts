// Fills a small ledger directly by SQL, with the same rows for the same sizes, and the writer's counters and running
// numbers. For tests of all readers.
import type pg from 'pg'
import { EVENT_TYPE_ID, EVENT_TYPES, type EventType, RISK_FLAGS } from '../../src/base/vocabulary.ts'
import { toSnake } from '../../src/fields/field.ts'
import { STORED_NUMBERS } from '../../src/fields/token.ts'
import { packExplanation } from '../../src/ledger/explanation-pack.ts'
import { SAMPLE_EXPLANATION } from './explanation.ts'

/** Number of the newest block, and its time in seconds since 1970. */
export const HEAD_NUMBER = 10_000
export const HEAD_TIME = Date.UTC(2026, 0, 31, 12) / 1000
const HOUR = 3_600
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const hex = (value: number, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`

type Row = Record<string, unknown>

export interface SeededEvent {
  n: number
  type: EventType
  tokenId: number
  walletId: number
  /** Of a transfer. */
  counterpartyId: number | null
  time: number
  block: number
  logIndex: number
  part: number
}

/** The seeded sizes. Ids count from 1; the last two tokens and the last wallet are not indexed. */
export interface Seeded {
  tokens: (Row & { id: number; address: string })[]
  wallets: (Row & { id: number; address: string })[]
  positions: (Row & { token_id: number; wallet_id: number; balance: string })[]
  events: SeededEvent[]
}

/** Random numbers from 0 to 1 that are the same in every run (mulberry32). */
export function createRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const tokenAddress = (id: number) => hex(0xa0_000 + id, 40)
export const walletAddress = (id: number) => hex(0xb0_000 + id, 40)

/** Fills the ledger. Wallet 1 is a pool, wallet 2 a burn address. All wallets but the last hold token 1. */
export async function seedLedger(
  pool: pg.Pool,
  { tokens = 30, wallets = 60, events = 600, seed = 1 } = {},
): Promise<Seeded> {
  const random = createRandom(seed)
  const made: Seeded = {
    tokens: Array.from({ length: tokens }, (_, index) => tokenRow(index + 1, index < tokens - 2, random)),
    wallets: Array.from({ length: wallets }, (_, index) => walletRow(index + 1, index < wallets - 1)),
    positions: [],
    events: [],
  }
  addPositions(made, random)
  const rows = addEvents(made, events, random)
  await fill(pool, 'chain', [CHAIN])
  await fill(pool, 'block', [blockRow(made)])
  await fill(pool, 'token', made.tokens)
  await fill(pool, 'wallet', made.wallets)
  await fill(pool, 'position', made.positions)
  await fill(pool, 'event', rows)
  await fill(pool, 'pool', made.tokens.map(poolRow))
  await fill(pool, 'token_hour', made.tokens.flatMap(hourRows))
  await fill(pool, 'token_score', made.tokens.slice(0, -4).map(tokenScoreRow))
  await fill(pool, 'wallet_score', made.wallets.slice(0, -4).map(walletScoreRow))
  await fill(pool, 'score_point', [...made.tokens, ...made.wallets].flatMap(scorePointRows))
  return made
}

/** An account with one key; the key has no secret. */
export async function seedCaller(pool: pg.Pool, plan: 'free' | 'pro' | 'api' = 'pro', email = `${plan}@example.com`) {
  const { rows } = await pool.query<{ accountId: number; keyId: number }>(
    `WITH a AS (INSERT INTO account (email, mailbox, plan) VALUES ($1, lower($1), $2) RETURNING id)
     INSERT INTO api_key (account_id, name) SELECT id, 'test' FROM a RETURNING account_id AS "accountId", id AS "keyId"`,
    [email, plan],
  )
  const [row] = rows
  if (!row) throw new Error('no account was made')
  return { ...row, email, plan, requestsPerMinute: null, requestsPerDay: null }
}

/** Inserts rows whose keys are the table's columns. */
async function fill(pool: pg.Pool | pg.ClientBase, table: string, rows: readonly object[]): Promise<void> {
  await pool.query(`INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(null::"${table}", $1)`, [
    JSON.stringify(rows),
  ])
}

const CHAIN = {
  id: 1,
  chain_id: 31_337,
  name: 'Test chain',
  start_block: 1,
  source_head: HEAD_NUMBER + 2,
  finalized: HEAD_NUMBER - 10,
  updated_at: iso(HEAD_TIME),
  check_methods: [],
  swaps_block: null,
  swaps_known: null,
  swaps_read: null,
  checks_exempt: [],
  label_edition: 0,
}

const counters = () => ({
  event_count: 0,
  swap_count: 0,
  liquidity_add_count: 0,
  liquidity_remove_count: 0,
  transfer_count: 0,
})

function tokenRow(id: number, indexed: boolean, random: () => number): Seeded['tokens'][number] {
  const liquidity = Math.round(random() * 1e6) / 2
  return {
    ...counters(),
    ...Object.fromEntries(STORED_NUMBERS.map(([name]) => [toSnake(name), 0])),
    id,
    address: tokenAddress(id),
    kind: 'erc20',
    indexed,
    name: id === 3 ? '<b>Evil</b> "name" \\ \u202e' : `Token ${id}`,
    symbol: `T${id}`,
    decimals: id === 4 ? 6 : 18,
    supply: `1${'0'.repeat(id === 4 ? 12 : 24)}`,
    burned: '0',
    locked: 0,
    price_pool_count: 1,
    depth_2pct_usd: liquidity / 200,
    price_outlier_share: 0,
    puller_count: 0,
    price_unit: null,
    price_hops: 1,
    created_at: iso(HEAD_TIME - id * 5 * HOUR),
    created_block: HEAD_NUMBER - id * 100,
    deployer_id: 3,
    launchpad: id % 2 ? 'uniswap_v2' : 'uniswap_v3',
    partial: id % 7 === 0,
    pool_id: id,
    price_usd: id % 5 === 0 ? 0 : random() * 10,
    market_cap_usd: Math.round(random() * 1e7) * (id % 5 === 0 ? 0 : 1),
    liquidity_usd: liquidity,
    peak_liquidity_usd: liquidity * 1.5,
    first_liquidity_at: iso(HEAD_TIME - id * 5 * HOUR),
    first_liquidity_block: HEAD_NUMBER - id * 100,
    funded_holder_count: Math.floor(random() * 12),
    funded_holder_count_1h_ago: Math.floor(random() * 10),
    volume_24h_micro_usd: String(Math.round(random() * 1e12)),
    updated_block: HEAD_NUMBER,
    // Equal risks on purpose, so that the order depends on liquidity, then on the address.
    risk_score: Math.round(random() * 10) * 10,
    risk_flags: RISK_FLAGS.filter(() => random() < 0.2),
    trending_score: Math.round(random() * 5),
  }
}

const KINDS: Record<number, string> = { 1: 'pool', 2: 'burned' }

const walletRow = (id: number, indexed: boolean): Seeded['wallets'][number] => ({
  ...counters(),
  id,
  address: walletAddress(id),
  indexed,
  kind: KINDS[id] ?? 'account',
  first_seen_at: iso(HEAD_TIME - 40 * 24 * HOUR + id),
  first_seen_block: 10 + id,
  first_funder_id: id > 3 ? 3 : null,
  bought_usd: id * 100,
  sold_usd: id * 50,
  sold_known_usd: id * 40,
  realised_usd: id * 10 - 100,
  closed_count: id,
  win_count: Math.floor(id / 2),
  exit_count: id,
  exit_win_count: Math.floor(id / 2),
  pulled_count: 0,
  peak_realised_usd: id * 10,
  max_drawdown_usd: 100,
  closed_token_count: 2,
  bought_token_count: 3,
  early_buy_count: 0,
  snipe_count: 0,
  deployed_count: id === 3 ? 30 : 0,
  last_trade_at: id % 3 ? iso(HEAD_TIME - id * HOUR) : null,
  updated_block: HEAD_NUMBER,
})

const positionRow = (token: number, wallet: number, balance: bigint): Seeded['positions'][number] => ({
  ...counters(),
  token_id: token,
  wallet_id: wallet,
  balance: String(balance),
  cost_quantity: Number(balance / 10n ** 18n) / 2,
  cost_usd: 10,
  bought_usd: 20,
  sold_usd: 5,
  sold_known_usd: 5,
  realised_usd: 1,
  buy_rank: null,
  first_buy_at: null,
  opening_days: [Math.floor(HEAD_TIME / 86_400) - 3],
  openings: [wallet % 3 === 0 ? Number(balance) / 1e18 : wallet],
  first_at: iso(HEAD_TIME - 20 * 24 * HOUR),
  last_at: iso(HEAD_TIME - 3 * 24 * HOUR),
})

function addPositions({ tokens, wallets, positions }: Seeded, random: () => number): void {
  for (const token of tokens) {
    for (const wallet of wallets.slice(0, -1)) {
      if (token.id !== 1 && random() > 0.3) continue
      // Some wallets hold nothing any more, and some hold equal balances.
      const balance =
        random() < 0.1 ? 0n : BigInt(Math.ceil(random() * 20)) * (token.id === 4 ? 10n ** 10n : 10n ** 21n)
      positions.push(positionRow(token.id, wallet.id, balance))
      if (balance > 0n) token.holder_count = Number(token.holder_count) + 1
    }
  }
}

/** Draws events over the indexed tokens and their holders, numbers them in every scope, and updates all counters. */
function addEvents(made: Seeded, count: number, random: () => number): Row[] {
  const seen = new Map<string, number>()
  const next = (scope: string) => {
    const n = (seen.get(scope) ?? 0) + 1
    seen.set(scope, n)
    return n
  }
  /** A transfer goes to wallet 5, from itself too; no position of it with the token needs to be there. */
  const TO = 5
  const able = made.positions.filter((position) => position.token_id <= made.tokens.length - 2)
  return Array.from({ length: count }, (_, index) => {
    const position = able[Math.floor(random() * able.length)] as Seeded['positions'][number]
    const type = EVENT_TYPES[Math.floor(random() * random() * 4)] as EventType
    const { token_id: tokenId, wallet_id: walletId } = position
    // Several events share a block and its time.
    const block = HEAD_NUMBER - Math.floor((count - 1 - index) / 3)
    const time = HEAD_TIME - (HEAD_NUMBER - block) * 12 * 60
    const counterpartyId = type === 'transfer' ? TO : null
    const received = type === 'transfer' && walletId !== TO
    // The second and third of a block are of one log.
    const placeInBlock = 2 - ((count - 1 - index) % 3)
    const [logIndex, part] = placeInBlock === 0 ? [0, 0] : [1, placeInBlock - 1]
    made.events.push({ n: index + 1, type, tokenId, walletId, counterpartyId, time, block, logIndex, part })
    const receiver = made.positions.find((other) => other.token_id === tokenId && other.wallet_id === TO)
    const receivers = received ? [made.wallets[TO - 1], receiver] : []
    for (const row of [made.tokens[tokenId - 1], made.wallets[walletId - 1], position, ...receivers] as Row[]) {
      if (!row) continue
      row.event_count = Number(row.event_count) + 1
      row[`${type}_count`] = Number(row[`${type}_count`]) + 1
    }
    return {
      n: next('all'),
      type_n: next(type),
      block_number: block,
      log_index: logIndex,
      token_id: tokenId,
      token_n: next(`t${tokenId}`),
      token_type_n: next(`t${tokenId} ${type}`),
      wallet_id: walletId,
      wallet_n: next(`w${walletId}`),
      wallet_type_n: next(`w${walletId} ${type}`),
      pool_id: type === 'transfer' ? null : tokenId,
      counterparty_id: counterpartyId,
      counterparty_n: received ? next(`w${TO}`) : null,
      counterparty_type_n: received ? next(`w${TO} ${type}`) : null,
      part: part === 0 ? null : part,
      type: EVENT_TYPE_ID[type],
      direction: type === 'swap' ? (index % 2) + 1 : null,
      quantity: index + 0.5,
      amount_usd: Math.round(random() * 1e9) / 1e6,
      time: iso(time),
      tx_hash: `\\x${hex(index + 1, 64).slice(2)}`,
    }
  })
}

function blockRow({ tokens, wallets, events }: Seeded): Row {
  const of = (type: EventType) => events.filter((event) => event.type === type).length
  return {
    number: HEAD_NUMBER,
    hash: hex(HEAD_NUMBER, 64),
    parent_hash: hex(HEAD_NUMBER - 1, 64),
    time: iso(HEAD_TIME),
    event_count: events.length,
    swap_count: of('swap'),
    liquidity_add_count: of('liquidity_add'),
    liquidity_remove_count: of('liquidity_remove'),
    transfer_count: of('transfer'),
    token_count: tokens.filter((token) => token.indexed).length,
    wallet_count: wallets.filter((wallet) => wallet.indexed).length,
    last_token_id: tokens.length,
    last_wallet_id: wallets.length,
    last_pool_id: tokens.length,
    unit_ids: [],
    unit_usd: [],
  }
}

const poolRow = (token: Seeded['tokens'][number]): Row => ({
  id: token.id,
  address: hex(0xc0_000 + token.id, 40),
  kind: token.id % 2 ? 'v2' : 'v3',
  factory: hex(0xd0_000, 40),
  launchpad: token.launchpad,
  token0_id: token.id,
  token1_id: 1,
  fee: 3000,
  stable: false,
  hooks: null,
  hook_rights: 0,
  tick_spacing: null,
  base_id: token.id,
  quote_id: 1,
  lp_token_id: 1,
  wallet_id: 1,
  reserve0: '1000',
  reserve1: '1000',
  sqrt_price_x96: null,
  price: 2,
  depth_2pct_usd: 0,
  liquidity_usd: token.liquidity_usd,
  peak_liquidity_usd: token.peak_liquidity_usd,
  created_at: token.created_at,
  created_block: token.created_block,
  updated_block: HEAD_NUMBER,
})

const hourRows = (token: Seeded['tokens'][number]): Row[] =>
  [1, 2, 3].map((ago) => ({
    token_id: token.id,
    hour: Math.floor(HEAD_TIME / HOUR) - ago,
    open_usd: 1,
    high_usd: 3,
    low_usd: 0.5,
    close_usd: 2,
    volume_micro_usd: String(ago * 1_000_000),
    buy_volume_micro_usd: String(ago * 750_000),
    sell_volume_micro_usd: String(ago * 250_000),
    buy_count: ago,
    sell_count: 1,
    liquidity_usd: 100,
    holder_count: 10,
  }))

const tokenScoreRow = (token: Seeded['tokens'][number]): Row => ({
  token_id: token.id,
  block_number: HEAD_NUMBER,
  updated_at: iso(HEAD_TIME),
  risk_score: token.risk_score,
  confidence: 'medium',
  holder_concentration_score: 40,
  liquidity_stability_score: 60,
  wash_trade_score: 10,
  smart_money_flow_score: 50,
  early_mover_count: 2,
  early_mover_net_activity: 'accumulating',
  avg_reputation_top10: 55.5,
  summary: `Summary of token ${token.id}.`,
  summary_source: 'facts',
  explanation: JSON.stringify(packExplanation(SAMPLE_EXPLANATION)),
})

const walletScoreRow = (wallet: Seeded['wallets'][number]): Row => ({
  wallet_id: wallet.id,
  block_number: HEAD_NUMBER,
  updated_at: iso(HEAD_TIME),
  reputation_score: 40 + (wallet.id % 50),
  confidence: 'medium',
  classification: KINDS[wallet.id] ?? 'retail',
  classifications: KINDS[wallet.id] ?? 'retail',
  win_rate: 0.5,
  entry_timing_score: 50,
  consistency_score: 60,
  risk_drawdown_score: 70,
  sector_preference: 'uniswap_v2',
  explanation: JSON.stringify(packExplanation(SAMPLE_EXPLANATION)),
})

const scorePointRows = (row: Row & { id: number; address: string }): Row[] =>
  [1, 2].map((ago) => ({
    kind: 'decimals' in row ? 1 : 2,
    id: row.id,
    block_number: HEAD_NUMBER - ago,
    time: iso(HEAD_TIME - ago * 24 * HOUR),
    score: 50 + ago,
    level: 'high',
  }))
