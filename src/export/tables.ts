// All exported tables, by name.
import { CANDLE_TABLE } from './candles.ts'
import { EVENT_TABLE } from './events.ts'
import { SCORE_TABLE } from './scores.ts'
import type { ExportedTable, TableName } from './table.ts'
import { TOKEN_TABLE } from './tokens.ts'
import { WALLET_TABLE } from './wallets.ts'

export const TABLES: Readonly<Record<TableName, ExportedTable>> = {
  events: EVENT_TABLE,
  candles: CANDLE_TABLE,
  scores: SCORE_TABLE,
  tokens: TOKEN_TABLE,
  wallets: WALLET_TABLE,
}
