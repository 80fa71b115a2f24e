// The exported table `wallets`: the indexed wallets, as they are at the newest block.
import { UNSCORED } from '../base/unscored.ts'
import { CONFIDENCES, WALLET_KINDS } from '../base/vocabulary.ts'
import { CLASSIFICATION } from '../ledger/read/wallet.ts'
import { column, listWords } from './column.ts'
import type { ExportedTable } from './table.ts'

const IDENTITY = [
  column.text('address', 'w.address', 'the address'),
  column.text('kind', 'w.kind', listWords(WALLET_KINDS)),
  column.text('classification', CLASSIFICATION, 'its class'),
  column.text(
    'sector_preference',
    `coalesce(s.sector_preference, 'unknown')`,
    'the launch venue of most of its trades, or `unknown`',
  ),
  column.time('first_seen', 'w.first_seen_at', 'the time of the first block that names it'),
  column.whole('first_seen_block', 'w.first_seen_block', 'that block'),
  column.text(
    'first_funder_address',
    '(SELECT f.address FROM wallet f WHERE f.id = w.first_funder_id)',
    'the wallet that first sent it coins or tokens; null if unknown',
  ),
  column.time('last_trade_at', 'w.last_trade_at', 'the time of its newest swap; null without one'),
]

const SCORE = [
  column.points('reputation_score', `coalesce(s.reputation_score, ${UNSCORED.reputation})`, 'higher is better'),
  column.text('reputation_confidence', `coalesce(s.confidence, 'low')`, `its evidence: ${listWords(CONFIDENCES)}`),
  column.time('scored_at', 's.updated_at', 'the time of the newest score; null: not scored, the reputation is a prior'),
  column.share('win_rate', 's.win_rate', 'the share of closed positions with a profit; null without any'),
  column.points('entry_timing_score', 's.entry_timing_score', 'null if unknown'),
  column.points('consistency_score', 's.consistency_score', 'null if unknown'),
  column.points('risk_drawdown_score', 's.risk_drawdown_score', 'null if unknown'),
]

const RECORD = [
  column.usd('bought_usd', 'w.bought_usd', 'the money spent on tokens'),
  column.usd('sold_usd', 'w.sold_usd', 'the proceeds of sales'),
  column.usd('sold_known_usd', 'w.sold_known_usd', 'the part of the proceeds whose cost is known'),
  column.usd('realised_usd', 'w.realised_usd', 'realised profit'),
  column.count('closed_position_count', 'w.closed_count', 'positions that it closed'),
  column.count('won_position_count', 'w.win_count', 'closed positions with a profit'),
  column.count('bought_token_count', 'w.bought_token_count', 'tokens that it ever bought'),
  column.count('early_buy_count', 'w.early_buy_count', 'first buys among the first 50 buyers of a token'),
  column.count('snipe_count', 'w.snipe_count', 'first buys just after the first liquidity'),
  column.count('deployed_count', 'w.deployed_count', 'indexed tokens that it deployed'),
  column.count('pulled_count', 'w.pulled_count', 'tokens whose liquidity it pulled and did not return'),
  column.count('event_count', 'w.event_count', 'its events'),
  column.count('trade_count', 'w.swap_count', 'swaps'),
  column.count('liquidity_add_count', 'w.liquidity_add_count', 'additions of liquidity'),
  column.count('liquidity_remove_count', 'w.liquidity_remove_count', 'removals of liquidity'),
  column.count('transfer_count', 'w.transfer_count', 'transfers'),
]

export const WALLET_TABLE: ExportedTable = {
  columns: [...IDENTITY, ...SCORE, ...RECORD],
  source: 'wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id',
  range: 'w.indexed AND w.id >= $1::bigint AND w.id < $2::bigint',
  key: ['w.id'],
  history: null,
}
