// How long blocks take now, by the stored blocks: the newest final one and all later ones. It turns a number of blocks into
// a time.
import type { Lag } from '../base/max-lag.ts'
import type { pg } from '../database/client.ts'

/** Blocks of less time do not tell how long one takes: their times are whole seconds. */
const LEAST_SECONDS = 16

/** Seconds a block; null while too few blocks are stored. */
export const SECONDS_A_BLOCK = `(SELECT CASE WHEN n.time - o.time >= interval '${LEAST_SECONDS} seconds'
    THEN date_part('epoch', n.time - o.time) / (n.number - o.number) END
  FROM (SELECT number, time FROM block ORDER BY number DESC LIMIT 1) n,
    (SELECT number, time FROM block ORDER BY number LIMIT 1) o)`

export const toLag = (blocks: number, blockSeconds: number | null): Lag => ({
  blocks,
  seconds: blockSeconds === null ? null : blocks * blockSeconds,
})

/** Seconds a block; null while too few blocks are stored. */
export async function findBlockSeconds(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query<{ seconds: number | null }>(`SELECT ${SECONDS_A_BLOCK} AS seconds`)
  return rows[0]?.seconds ?? null
}
