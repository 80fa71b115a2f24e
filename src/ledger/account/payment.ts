// Payments of requests without a key: one row per authorization of a payer. One request at a time uses a row, under a
// lease. A lease ends by itself, so a killed process neither spends nor blocks the payment.
import type { Address, Hash } from '../../base/address.ts'
import type { pg } from '../../database/client.ts'

/** Rows whose transfer is not certain yet; a further one has to wait. */
const MOST_HELD = 10_000
/** The same of one payer: the money of one account must not fill the room of all. */
export const MOST_HELD_OF_PAYER = 10
/** Payments without a transfer that are looked at together. */
const MOST_OVERDUE = 1_000

/** What names a payment on all chains. */
export interface PaymentKey {
  network: string
  asset: Address
  payer: Address
  nonce: Hash
}

/** A new payment. Amounts are in units of the token. */
export interface NewPayment extends PaymentKey {
  payloadHash: Buffer
  value: bigint
  validBefore: Date
  heldBlock: number
}

/** The transfer of a payment. */
export interface Transfer {
  transactionHash: Hash
  blockNumber: number
  blockHash: Hash
}

/** A payment as the one request that holds its lease sees it. */
export interface HeldPayment {
  value: bigint
  spent: bigint
  heldBlock: number
  /** Null: it is not certain. */
  transfer: Transfer | null
}

/** A request's hold on a payment. */
export interface Lease extends PaymentKey {
  lease: string
}

interface Row {
  value: string
  spent: string
  heldBlock: string
  transactionHash: Hash | null
  blockNumber: string | null
  blockHash: Hash | null
}

const keyOf = ({ network, asset, payer, nonce }: PaymentKey) => [network, asset, payer, nonce]
const OF_KEY = 'network = $1 AND asset = $2 AND payer = $3 AND nonce = $4'

/** Whether there is a row. `sameHeader`: it came with the header of this hash. */
export async function findPayment(
  pool: pg.Pool,
  key: PaymentKey,
  payloadHash: Buffer,
): Promise<{ sameHeader: boolean } | null> {
  const { rows } = await pool.query<{ sameHeader: boolean }>(
    `SELECT payload_hash = $5 AS "sameHeader" FROM payment WHERE ${OF_KEY}`,
    [...keyOf(key), payloadHash],
  )
  return rows[0] ?? null
}

/** Stores a payment before its transfer is sent, unless it is there; false: too many, or too many of its payer, wait for transfers. */
export async function insertPayment(pool: pg.Pool, payment: NewPayment, now: Date): Promise<boolean> {
  const { rows } = await pool.query<{ hasRoom: boolean }>(
    `WITH room AS (SELECT count(*) < $10 AND count(*) FILTER (WHERE payer = $3) < $11 AS free
         FROM payment WHERE settled_at IS NULL), added AS (
       INSERT INTO payment (network, asset, payer, nonce, payload_hash, value, valid_before, held_block, created_at)
       SELECT $1, $2, $3, $4, $5, $6::numeric, $7::timestamptz, $8::bigint, $9::timestamptz FROM room WHERE free
       ON CONFLICT DO NOTHING)
     SELECT free AS "hasRoom" FROM room`,
    [
      ...keyOf(payment),
      payment.payloadHash,
      String(payment.value),
      payment.validBefore,
      payment.heldBlock,
      now,
      MOST_HELD,
      MOST_HELD_OF_PAYER,
    ],
  )
  return rows[0]?.hasRoom ?? false
}

/** Takes the lease of a payment; null: another request has it. */
export async function leasePayment(
  pool: pg.Pool,
  held: Lease,
  { now, until }: { now: Date; until: Date },
): Promise<HeldPayment | null> {
  const { rows } = await pool.query<Row>(
    `UPDATE payment SET lease = $5, leased_until = $6 WHERE ${OF_KEY} AND (lease IS NULL OR leased_until <= $7)
     RETURNING value, spent, held_block AS "heldBlock", transaction_hash AS "transactionHash",
       block_number AS "blockNumber", block_hash AS "blockHash"`,
    [...keyOf(held), held.lease, until, now],
  )
  const [row] = rows
  if (!row) return null
  const { transactionHash, blockNumber, blockHash } = row
  return {
    value: BigInt(row.value),
    spent: BigInt(row.spent),
    heldBlock: Number(row.heldBlock),
    transfer:
      transactionHash && blockHash && blockNumber !== null
        ? { transactionHash, blockNumber: Number(blockNumber), blockHash }
        : null,
  }
}

/** Notes the certain transfer of a leased payment, or that there is none any more. */
export async function noteTransfer(pool: pg.Pool, held: Lease, transfer: Transfer | null, now: Date): Promise<void> {
  await pool.query(
    `UPDATE payment SET transaction_hash = $6, block_number = $7, block_hash = $8, settled_at = $9
     WHERE ${OF_KEY} AND lease = $5`,
    [
      ...keyOf(held),
      held.lease,
      transfer?.transactionHash ?? null,
      transfer?.blockNumber ?? null,
      transfer?.blockHash ?? null,
      transfer && now,
    ],
  )
}

/** Ends a lease, and spends this amount of the payment. Without the lease it changes nothing. */
export async function endLease(pool: pg.Pool, held: Lease, amount: bigint): Promise<void> {
  await pool.query(
    `UPDATE payment SET spent = least(value, spent + $6::numeric), lease = NULL, leased_until = NULL
     WHERE ${OF_KEY} AND lease = $5`,
    [...keyOf(held), held.lease, String(amount)],
  )
}

/** Deletes the payments whose transfers became certain before this time. */
export async function deleteSettledBefore(pool: pg.Pool, time: Date): Promise<void> {
  await pool.query('DELETE FROM payment WHERE settled_at <= $1', [time])
}

/** Payments without a certain transfer whose authorizations ended before this time, the oldest first. */
export async function findOverdue(
  pool: pg.Pool,
  time: Date,
): Promise<(PaymentKey & Pick<NewPayment, 'value' | 'heldBlock'>)[]> {
  const { rows } = await pool.query<PaymentKey & { value: string; heldBlock: string }>(
    `SELECT network, asset, payer, nonce, value, held_block AS "heldBlock" FROM payment
     WHERE settled_at IS NULL AND valid_before <= $1 ORDER BY valid_before LIMIT $2`,
    [time, MOST_OVERDUE],
  )
  return rows.map((row) => ({ ...row, value: BigInt(row.value), heldBlock: Number(row.heldBlock) }))
}

/** Notes a transfer that no request waited for. */
export async function noteLate(pool: pg.Pool, key: PaymentKey, transfer: Transfer, now: Date): Promise<void> {
  await pool.query(
    `UPDATE payment SET transaction_hash = $5, block_number = $6, block_hash = $7, settled_at = $8
     WHERE ${OF_KEY} AND settled_at IS NULL`,
    [...keyOf(key), transfer.transactionHash, transfer.blockNumber, transfer.blockHash, now],
  )
}

/** Deletes a payment without a transfer. */
export async function deletePayment(pool: pg.Pool, key: PaymentKey): Promise<void> {
  await pool.query(`DELETE FROM payment WHERE ${OF_KEY} AND settled_at IS NULL`, keyOf(key))
}
