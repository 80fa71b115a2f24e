// The fields of an event, over `event e JOIN token t JOIN wallet w`. A new field is a row.
import { ATTRIBUTION_ID, DIRECTION_ID, EVENT_TYPE_ID } from '../base/vocabulary.ts'
import { type NounField, rowsOfNoun, type ShownOf, shownRowsOf } from './noun.ts'

/** A value is stored in whole micro-dollars. Below a cent, a price from it would be off by more than 0.01 %. */
export const LEAST_PRICED_USD = 0.01

/** The word of a stored number. */
const wordOf = (sql: string, ids: Readonly<Record<string, number | null>>, other = 'NULL'): string =>
  `CASE ${sql} ${Object.entries(ids)
    .filter(([, id]) => id !== null)
    .map(([word, id]) => `WHEN ${id} THEN '${word}'`)
    .join(' ')} ELSE ${other} END`

const addressOf = (id: string) => `(SELECT a.address FROM wallet a WHERE a.id = ${id})`

const EVENT_FIELDS = {
  id: {
    form: 'text',
    sql: `e.block_number || '-' || e.log_index || '-' || coalesce(e.part, 0)`,
    exported: 'identifier: block, log in the block, part of the log; unique',
  },
  type: {
    form: 'text',
    of: 'eventTypes',
    sql: wordOf('e.type', EVENT_TYPE_ID),
    stored: 'e.type',
    text: 'What happened.',
    exported: '`swap`, `liquidity_add`, `liquidity_remove` or `transfer`',
  },
  direction: {
    form: 'text',
    of: 'directions',
    sql: wordOf('e.direction', DIRECTION_ID),
    stored: 'e.direction',
    nullable: true,
    text: 'The side of a swap; null for every other type.',
    exported: 'the side of a swap, `buy` or `sell`; null for every other type',
  },
  tokenAddress: { form: 'address', sql: 't.address', text: 'The address of the token.', exported: 'the token' },
  tokenSymbol: {
    form: 'text',
    sql: 't.symbol',
    text: 'The symbol of the token from its contract: anyone can choose it.',
    exported: 'its symbol, which anyone can choose',
  },
  walletAddress: {
    form: 'address',
    sql: 'w.address',
    text: 'The address of the wallet whose event it is (see `attribution`); of a transfer the sender.',
    exported: 'the wallet whose event it is; of a transfer the sender',
  },
  counterpartyAddress: {
    form: 'address',
    sql: addressOf('e.counterparty_id'),
    exported: 'the recipient of a transfer; else null',
  },
  poolAddress: { form: 'address', exported: 'the pool, or its manager; null for a transfer' },
  quantity: {
    form: 'quantity',
    sql: 'CASE WHEN t.decimals IS NOT NULL THEN e.quantity END',
    nullable: true,
    text: 'The amount of the token, in whole tokens; null when the decimals are not known.',
    exported: 'the amount of the token; null if its decimals are unknown',
  },
  amountUsd: {
    form: 'usd',
    sql: 'e.amount_usd',
    text: 'The value in USD at that time.',
    exported: 'the value at that time; 0 without a price',
  },
  priceUsd: {
    form: 'usd',
    sql: `CASE WHEN e.type = ${EVENT_TYPE_ID.swap} AND t.decimals IS NOT NULL AND e.quantity > 0 AND e.amount_usd >= ${LEAST_PRICED_USD}
      THEN e.amount_usd / e.quantity END`,
    exported: 'the price of a whole token in a swap; null for every other type, below $0.01, or without decimals',
  },
  timestamp: { form: 'time', sql: 'e.time', text: 'The time of the block.', exported: 'the time of the block' },
  transactionHash: {
    form: 'hash',
    sql: `'0x' || encode(e.tx_hash, 'hex')`,
    text: 'The hash of the transaction: 0x and 64 hex digits.',
    exported: 'the transaction',
    wire: 'tx_hash',
  },
  attribution: {
    form: 'text',
    of: 'attributions',
    sql: wordOf('e.attribution', ATTRIBUTION_ID, `'signer'`),
    stored: 'e.attribution',
    text: 'The evidence for the wallet of the event.',
    exported:
      'the evidence for the wallet: `signer`, `operation`, `settlement`, `venue`, `balances`, `position` or `unknown`',
  },
  signerAddress: {
    form: 'address',
    sql: `CASE WHEN e.signer_id IS NOT NULL THEN ${addressOf('e.signer_id')}
      WHEN e.type <> ${EVENT_TYPE_ID.transfer} THEN w.address END`,
    nullable: true,
    text: 'The signer of the transaction; null for a transfer, whose signer is not stored.',
    exported: 'the signer of the transaction; null for a transfer',
  },
  blockNumber: { form: 'whole', sql: 'e.block_number', text: 'The number of the block.', exported: 'the block' },
  logIndex: {
    form: 'whole',
    sql: 'e.log_index',
    text: 'The position of the log in its block.',
    exported: 'the log in the block',
  },
} as const satisfies Record<string, NounField>

export const EVENT_ROWS = rowsOfNoun(EVENT_FIELDS)
/** The fields that GraphQL shows as they are read. */
export const SHOWN_EVENT = shownRowsOf(EVENT_FIELDS)
export type ShownEvent = ShownOf<typeof EVENT_FIELDS>
