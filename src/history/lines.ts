// The lines of text in which events come to the writer of a history.

/** A line has these columns of the table `event`, in this order: `time` in microseconds since 1970, `tx_hash` in hex digits. */
export const HISTORY_COLUMNS = [
  'n',
  'type_n',
  'block_number',
  'log_index',
  'token_id',
  'token_n',
  'token_type_n',
  'wallet_id',
  'wallet_n',
  'wallet_type_n',
  'pool_id',
  'counterparty_id',
  'type',
  'direction',
  'quantity',
  'amount_usd',
  'time',
  'tx_hash',
  'counterparty_n',
  'counterparty_type_n',
  'part',
  'attribution',
  'signer_id',
] as const

export type HistoryColumn = (typeof HISTORY_COLUMNS)[number]
