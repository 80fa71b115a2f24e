// Reads how many events tokens have. Pages of events need it as their total; it is read only for such a page.
import type { EventType } from '../../base/vocabulary.ts'
import type { Token } from '../../database/generated/client.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The event counters of a token. */
export interface TokenDetailRow extends Pick<Token, 'id' | 'eventCount'> {
  /** Events of each type. */
  countByType: Record<EventType, number>
}

const TEXT: SelectText = `SELECT id, event_count AS "eventCount",
    json_build_object('swap', swap_count, 'liquidity_add', liquidity_add_count,
      'liquidity_remove', liquidity_remove_count, 'transfer', transfer_count) AS "countByType"
  FROM token WHERE id = ANY ($1::int[])`

/** The counters of the tokens with these ids, in any order. */
export const readTokenDetails = (reading: Reading, ids: readonly number[]): Promise<TokenDetailRow[]> =>
  reading.query({ name: 'token details', text: TEXT, values: [ids] })
