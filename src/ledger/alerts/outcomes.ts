// The outcome of tokens after a moment: later prices, the deepest fall, and the current facts. It reads candles: those
// of five minutes if they are still kept, otherwise those of hours.
import type { Send } from '../../database/diverted-pool.ts'

export interface OutcomeQuestion {
  tokenId: number
  timeMs: number
}

export interface MatchOutcome {
  address: string
  symbol: string
  name: string
  /** The close of the last candle that had ended by then. Null: not over yet, or not priced then. */
  price1hUsd: number | null
  price24hUsd: number | null
  price7dUsd: number | null
  /** The lowest price of the seven days after it, as far as they are over; null: none. */
  lowestUsd: number | null
  isPulled: boolean
  /** From the newest check of the contract; null if unknown. */
  sellable: boolean | null
}

const priceAfter = (seconds: number) => `(SELECT CASE WHEN k.at + ${seconds} <= $3::float8 THEN (
    SELECT nullif(c.close_usd, 0) FROM (
      (SELECT (slot + 1) * 300::float8 AS ends, close_usd FROM token_five_minutes
        WHERE token_id = k.id AND slot < floor((k.at + ${seconds}) / 300)::int ORDER BY slot DESC LIMIT 1)
      UNION ALL
      (SELECT (hour + 1) * 3600::float8, close_usd FROM token_hour
        WHERE token_id = k.id AND hour < floor((k.at + ${seconds}) / 3600)::int ORDER BY hour DESC LIMIT 1)
    ) c ORDER BY c.ends DESC LIMIT 1) END)`

// The candle of the moment includes earlier trades, so only its close counts. The rest of its hour uses candles of five
// minutes.
const LOWEST = `(SELECT min(nullif(l.usd, 0)) FROM (
    SELECT CASE WHEN slot = floor(k.at / 300)::int THEN close_usd ELSE low_usd END AS usd FROM token_five_minutes
      WHERE token_id = k.id AND slot >= floor(k.at / 300)::int AND slot < (floor(k.at / 3600)::int + 1) * 12
    UNION ALL
    SELECT CASE WHEN hour = floor(k.at / 3600)::int THEN close_usd ELSE low_usd END FROM token_hour
      WHERE token_id = k.id AND hour >= floor(k.at / 3600)::int AND hour < floor(k.at / 3600)::int + 168
  ) l)`

const TEXT = `SELECT t.address, t.symbol, t.name, ${priceAfter(3_600)} AS "price1hUsd", ${priceAfter(86_400)} AS "price24hUsd",
    ${priceAfter(604_800)} AS "price7dUsd", ${LOWEST} AS "lowestUsd",
    coalesce('liquidity_pulled' = ANY(t.risk_flags), false) AS "isPulled",
    (SELECT s.sellable FROM token_safety s WHERE s.token_id = k.id) AS sellable, k.key
  FROM unnest($1::int[], $2::float8[]) WITH ORDINALITY AS k (id, at, key) JOIN token t ON t.id = k.id`

/** Whether each token is pulled by now; one that a reorganisation removed is missing. */
export async function readPulled(send: Send, ids: readonly number[]): Promise<Map<number, boolean>> {
  if (ids.length === 0) return new Map()
  const { rows } = await send({
    name: 'pulled tokens',
    text: `SELECT id, coalesce('liquidity_pulled' = ANY(risk_flags), false) AS pulled FROM token WHERE id = ANY($1::int[])`,
    values: [ids],
  })
  return new Map((rows as { id: number; pulled: boolean }[]).map(({ id, pulled }) => [id, pulled]))
}

/** In the order of the questions; null: a reorganisation removed the token. `nowMs` is the time of the newest block. */
export async function readMatchOutcomes(
  send: Send,
  questions: readonly OutcomeQuestion[],
  nowMs: number,
): Promise<(MatchOutcome | null)[]> {
  if (questions.length === 0) return []
  const { rows } = await send({
    name: 'outcomes',
    text: TEXT,
    values: [questions.map(({ tokenId }) => tokenId), questions.map(({ timeMs }) => timeMs / 1_000), nowMs / 1_000],
  })
  const outcomes: (MatchOutcome | null)[] = questions.map(() => null)
  for (const { key, ...outcome } of rows as (MatchOutcome & { key: number })[]) outcomes[key - 1] = outcome
  return outcomes
}
