// How far the checks are for which somebody asked. The indexer writes a step when it begins; another process reads it.
import type { pg } from '../../database/client.ts'
import type { CheckStep } from '../../safety/step.ts'
import { SCORE_KINDS } from '../score-kinds.ts'

type Client = Pick<pg.Pool, 'query'>

export interface CheckProgress {
  step: CheckStep
  /** How many holders the step tries; null: none. */
  holders: number | null
}

/** Nothing is written of a check that nobody waits for. */
export async function saveStep(client: Client, tokenId: number, { step, holders }: CheckProgress): Promise<void> {
  await client.query({
    name: 'save check step',
    text: 'UPDATE safety_due SET step = $2, step_holders = $3 WHERE token_id = $1 AND asked_at IS NOT NULL',
    values: [tokenId, step, holders],
  })
}

/** The steps of the tokens that are being checked or scored, by address. */
export async function readSteps(client: Client, addresses: readonly string[]): Promise<Map<string, CheckProgress>> {
  const { rows } = await client.query<CheckProgress & { address: string }>({
    name: 'check steps',
    text: `SELECT t.address, CASE WHEN d.asked_at IS NULL THEN 'scoring' ELSE coalesce(d.step, 'waiting') END AS step,
        CASE WHEN d.asked_at IS NOT NULL THEN d.step_holders END AS holders
      FROM token t LEFT JOIN safety_due d ON d.token_id = t.id
      WHERE t.address = ANY($1::text[]) AND (d.asked_at IS NOT NULL OR EXISTS (
        SELECT FROM score_due q WHERE q.kind = ${SCORE_KINDS.token} AND q.id = t.id
          AND q.due_at <= (SELECT max(time) FROM block)))`,
    values: [addresses],
  })
  return new Map(rows.map(({ address, ...progress }) => [address, progress]))
}
