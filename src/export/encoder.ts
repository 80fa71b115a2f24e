// The bytes of a file out of slices of rows.
import type { Row } from './column.ts'

export const FORMATS = ['parquet', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export interface Encoder {
  /** The bytes of the next rows, one or more. */
  encode(rows: readonly Row[]): Promise<Uint8Array>
  /** The bytes that end the file, also one without rows. */
  finish(): Promise<Uint8Array>
}
