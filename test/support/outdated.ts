// Writes a segment anew as version 1.0 did. Each order has all columns, and each event a hash of its own. Amounts are
// micro-dollars where these are exact.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BLOCKS, HASHES, MANIFEST, readManifest } from '../../src/history/parquet/manifest.ts'
import { ORDERS, type Order } from '../../src/history/parquet/orders.ts'
import { withDuck } from '../bench/drawn-history.ts'
import { relationOf } from './history-relations.ts'

const MICRO = 'TRY_CAST(round(amount_usd * 1e6) AS BIGINT)'
const VALUES = `block_number, time, quantity, ${MICRO} AS amount_micro,
  CASE WHEN ${MICRO} / 1e6 = amount_usd THEN NULL ELSE amount_usd END AS amount_usd`
const PARQUET = 'FORMAT parquet, PARQUET_VERSION v2, ROW_GROUP_SIZE 61440'
const ORDER_BY: Readonly<Record<Order, string>> = {
  events: 'n',
  tokens: 'token_id, type, number',
  wallets: 'reader_id, type, number',
}

/** The segment has one file of each order. */
export async function makeOutdated(folder: string, name: string): Promise<void> {
  const at = join(folder, name)
  const { parts } = await readManifest(at)
  await withDuck(
    folder,
    async (run) => {
      const relation = (of: Order | 'hashes') => relationOf(folder, [{ name }], of)
      const events = await relation('events')
      for (const order of ORDERS) {
        if (parts[order].length !== 1) throw new Error('the segment has several files of an order')
        const own =
          order === 'events'
            ? `SELECT * EXCLUDE (tx_n, opens_tx, opens_block, block_number, time, quantity, amount_usd), ${VALUES} FROM ${events}`
            : `SELECT * FROM ${await relation(order)} JOIN (SELECT n, ${VALUES} FROM ${events}) e USING (n)`
        await run(
          `COPY (SELECT * FROM (${own}) ORDER BY ${ORDER_BY[order]}) TO '${join(at, `${order}.new`)}' (${PARQUET}, COMPRESSION zstd)`,
        )
      }
      await run(`COPY (SELECT e.n, h.tx_hash FROM ${events} e JOIN ${await relation('hashes')} h ON h.n = e.tx_n ORDER BY n)
        TO '${join(at, 'hashes.new')}' (${PARQUET}, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 0)`)
      const hashes = await run(`SELECT row_group_num_rows::DOUBLE AS rows,
          (data_page_offset + total_compressed_size)::DOUBLE AS "end"
        FROM parquet_metadata('${join(at, 'hashes.new')}') WHERE path_in_schema = 'tx_hash' ORDER BY row_group_id`)
      const manifest = JSON.parse(await readFile(join(at, MANIFEST), 'utf8'))
      await writeFile(join(at, MANIFEST), JSON.stringify({ parts: manifest.parts, hashes }))
    },
    1,
  )
  for (const order of ORDERS) await rename(join(at, `${order}.new`), join(at, order, parts[order][0]?.file ?? ''))
  await rename(join(at, 'hashes.new'), join(at, HASHES))
  await rm(join(at, BLOCKS))
}
