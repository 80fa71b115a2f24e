// Stores the newest report of a token's contract. The previous row is kept under the newest block, so that a
// reorganisation of the checked block restores it. The token's score becomes due, because the report is part of it. So do
// those of its holders when it begins or ceases to be sellable: what cannot be sold makes no whale.
import { DAY_SECONDS } from '../../base/time.ts'
import type { pg } from '../../database/client.ts'
import { packMarks } from '../../fields/contract-marks.ts'
import { packReport } from '../../safety/pack.ts'
import type { SafetyReport } from '../../safety/report.ts'
import { SCORE_KINDS } from '../score-kinds.ts'
import { keepImages } from '../undo.ts'
import { IDLE_CHECK_SECONDS, putOff } from './due.ts'

/** How long a change of the owner is reported. */
const OWNER_NEWS_SECONDS = DAY_SECONDS

const SAVE = `INSERT INTO token_safety (token_id, checked_block, checked_at, sellable, marks, code_hash, owner, owner_changed_at, insiders,
    contracts, report)
  VALUES ($1, $2, to_timestamp($3::float8), $4, $5, $6, $7, to_timestamp($8::float8), $9, $10, $11)
  ON CONFLICT (token_id) DO UPDATE SET checked_block = excluded.checked_block, checked_at = excluded.checked_at,
    sellable = excluded.sellable, marks = excluded.marks, code_hash = excluded.code_hash, owner = excluded.owner,
    owner_changed_at = excluded.owner_changed_at, insiders = excluded.insiders, contracts = excluded.contracts, report = excluded.report`

const SCORE_DUE = `INSERT INTO score_due (kind, id, due_at) SELECT ${SCORE_KINDS.token}::smallint, $1::int, to_timestamp($2::float8)
  ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at)`

/** Of a token with more holders, those of the smallest balances follow at their next score. */
const MOST_DUE = 10_000

const HOLDERS_DUE = `INSERT INTO score_due (kind, id, due_at)
  SELECT ${SCORE_KINDS.wallet}::smallint, h.wallet_id, to_timestamp($2::float8) FROM (
    SELECT wallet_id FROM position WHERE token_id = $1 AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT ${MOST_DUE}) h
  JOIN wallet w ON w.id = h.wallet_id WHERE w.indexed ORDER BY h.wallet_id
  ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at)`

/** Inside one transaction. `newest`: the ledger's newest block, its time in seconds since 1970. */
export async function saveReport(
  client: pg.ClientBase,
  tokenId: number,
  report: SafetyReport,
  newest: { number: number; time: number },
): Promise<void> {
  const { sellCheck, powers, code } = report
  const checkedAt = report.checkedAt ?? newest.time
  for (const statement of keepImages(newest.number, 'token_safety', [[tokenId]])) await client.query(statement)
  const before = await readBefore(client, tokenId)
  const { owner, changedAt } = toOwner(before, code?.owner ?? null, checkedAt)
  const { sellable } = sellCheck
  const isRead = code?.unread === null
  // All tokens that a chain runs have the same byte as code: it makes none a clone of another.
  const isContract = isRead && code.native === null
  const marks = packMarks({
    isChecked: sellCheck.status === 'checked',
    sellable,
    sellTaxPct: most(sellCheck.sellTaxPct, sellCheck.measuredSellTaxPct),
    powers: isRead ? (powers?.filter(({ renounced }) => !renounced).map(({ kind }) => kind) ?? null) : null,
    ownerChanged: changedAt !== null && changedAt > checkedAt - OWNER_NEWS_SECONDS,
  })
  await client.query({
    name: 'save safety',
    text: SAVE,
    values: [
      ...[tokenId, sellCheck.checkedBlock, checkedAt, sellable, marks, isContract ? code.implementationHash : null],
      ...[owner, changedAt],
      distinct([owner, code?.admin, ...(powers ?? []).map(({ holder }) => holder)]),
      distinct([report.token, code?.implementation, ...(powers ?? []).map(({ contract }) => contract)]),
      packReport(report),
    ],
  })
  // Boards, streams and alerts find changed tokens by this block.
  await client.query({
    name: 'touch after safety',
    text: 'UPDATE token SET updated_block = $2 WHERE id = $1 AND updated_block < $2',
    values: [tokenId, newest.number],
  })
  await client.query({ name: 'score after safety', text: SCORE_DUE, values: [tokenId, newest.time] })
  if ((before.sellable === false) !== (sellable === false))
    await client.query({ name: 'holders after safety', text: HOLDERS_DUE, values: [tokenId, newest.time] })
  await putOff(client, tokenId, newest.time + IDLE_CHECK_SECONDS)
}

/** Of a hostile contract with many powers, too. */
const MOST_WATCHED = 24
const distinct = (list: readonly (string | null | undefined)[]): string[] =>
  [...new Set(list)].filter((one) => one != null).slice(0, MOST_WATCHED)

const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

interface Before {
  sellable: boolean | null
  owner: string | null
  /** Seconds since 1970. */
  changedAt: number | null
}

async function readBefore(client: pg.ClientBase, tokenId: number): Promise<Before> {
  const { rows } = await client.query<Before>({
    name: 'safety before',
    text: `SELECT sellable, owner, date_part('epoch', owner_changed_at) AS "changedAt" FROM token_safety WHERE token_id = $1`,
    values: [tokenId],
  })
  return rows[0] ?? { sellable: null, owner: null, changedAt: null }
}

/** The newest known owner, and the first check that found it instead of another. */
function toOwner(before: Before, found: string | null, checkedAt: number): Pick<Before, 'owner' | 'changedAt'> {
  if (found === null) return before
  return { owner: found, changedAt: before.owner === null || before.owner === found ? before.changedAt : checkedAt }
}
