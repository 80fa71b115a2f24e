// Reads the labels of addresses, of many in one statement.
import type { LabelKind } from '../../base/vocabulary.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The most labels of an address that are shown. */
export const MOST_LABELS = 10

export interface LabelRow {
  address: string
  kind: LabelKind
  name: string
  source: string
  licence: string
  confidence: number
  dated: Date
}

const TEXT: SelectText = `SELECT l.* FROM unnest($1::text[]) AS k (address)
  CROSS JOIN LATERAL (
    SELECT address, kind, name, source, licence, confidence, dated::timestamptz AS dated FROM wallet_label
    WHERE address = k.address ORDER BY confidence DESC, source LIMIT ${MOST_LABELS}) l`

/** The labels of each address, the most confident first. */
export async function readWalletLabels(reading: Reading, addresses: readonly string[]): Promise<LabelRow[][]> {
  const rows = await reading.query<LabelRow>({ name: 'labels', text: TEXT, values: [addresses] })
  return addresses.map((address) => rows.filter((row) => row.address === address))
}
