// The exported table `scores`: the history of risk and reputation, in final blocks, in the order of the chain.
import { SCORE_KINDS } from '../ledger/score-kinds.ts'
import { column } from './column.ts'
import { findFirst } from './find-first.ts'
import type { ExportedTable } from './table.ts'

const detailOf = (kind: keyof typeof SCORE_KINDS, place: number) =>
  `CASE WHEN p.kind = ${SCORE_KINDS[kind]} THEN p.details[${place}] END`

const COLUMNS = [
  column.text('subject', `CASE p.kind WHEN ${SCORE_KINDS.token} THEN 'token' ELSE 'wallet' END`, '`token` or `wallet`'),
  column.text(
    'address',
    `CASE p.kind WHEN ${SCORE_KINDS.token} THEN (SELECT t.address FROM token t WHERE t.id = p.id)
      ELSE (SELECT w.address FROM wallet w WHERE w.id = p.id) END`,
    'the token or wallet',
  ),
  column.time('timestamp', 'p.time', 'the time of the block of the computation'),
  column.whole('block_number', 'p.block_number', 'that block'),
  column.points('score', 'p.score', 'of a token the risk, of a wallet the reputation'),
  column.text('level', 'p.level', 'the band of the score: `low`, `medium`, `high`; of a token also `critical`'),
  column.texts('flags', 'p.flags', 'the risk flags of a token; null for a wallet'),
  column.points('holder_concentration_score', detailOf('token', 1), 'of a token; null if unknown'),
  column.points('liquidity_stability_score', detailOf('token', 2), 'of a token; null if unknown'),
  column.points('wash_trade_score', detailOf('token', 3), 'of a token; null if unknown'),
  column.points('smart_money_flow_score', detailOf('token', 4), 'of a token; null if unknown'),
  column.usd('realised_usd', detailOf('wallet', 1), 'realised profit of a wallet until then; null if unknown'),
  column.usd('open_usd', detailOf('wallet', 2), 'open profit of its 400 newest holdings; null if unknown'),
  column.usd('net_worth_usd', detailOf('wallet', 3), 'value of its 400 newest holdings; null if unknown'),
]

const TIME_OF = `SELECT block_number AS key, time FROM score_point WHERE block_number >= $1::bigint
  ORDER BY block_number LIMIT 1`

export const SCORE_TABLE: ExportedTable = {
  columns: COLUMNS,
  source: 'score_point p',
  range: 'p.block_number >= $1::bigint AND p.block_number < $2::bigint',
  key: ['p.block_number', 'p.kind', 'p.id'],
  history: {
    periodSeconds: 1,
    findOldest: async (reader) => {
      const { rows } = await reader.query<{ time: Date }>('SELECT time FROM score_point ORDER BY block_number LIMIT 1')
      return rows[0]?.time ?? null
    },
    findBounds: async ({ reader }, { from, to }) => [
      await findFirst(reader, TIME_OF, from),
      await findFirst(reader, TIME_OF, to),
    ],
  },
}
