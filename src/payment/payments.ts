// Requests that pay for themselves. Input: the header of a payer. Output: a charge that is confirmed once the transfer is
// certain, and spent when the answer is on its way. The rest stays as the credit of the same header.
import { randomUUID } from 'node:crypto'
import type { Charge } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import { AssayError, type Fault } from '../base/errors.ts'
import type { Database } from '../database/client.ts'
import {
  deletePayment,
  deleteSettledBefore,
  endLease,
  findOverdue,
  findPayment,
  type HeldPayment,
  insertPayment,
  type Lease,
  leasePayment,
  noteLate,
  noteTransfer,
  type Transfer,
} from '../ledger/account/payment.ts'
import { faultAt, findFaults, findNewFaults, type Payload, readPayload } from './payload.ts'
import { createPaymentQueue } from './queue.ts'
import type { Settle } from './settle.ts'
import { type PaymentTerms, requiredHeaders, toHeader } from './terms.ts'
import type { PaymentToken } from './token.ts'

/** Longer than a request takes: another request may then take a payment over. */
const LEASE_MS = 30_000
const CLEAR_INTERVAL_MS = 3_600_000
/** How long after the end of its authorization a payment may still become certain. */
const OVERDUE_MS = 3_600_000
const VALUE = 'payload.authorization.value'

export interface PaymentsDeps {
  pool: Database['pool']
  clock: Clock
  log: { warn(fields: object, message: string): void }
  terms: PaymentTerms
  token: PaymentToken
  settle: Settle
  /** How long the rest of a payment stays. */
  creditMs: number
}

/** A request without a key. */
export interface PaidRequest {
  /** The header PAYMENT-SIGNATURE; undefined: the request asks for the price. */
  header: string | undefined
  /** The network of its sender. */
  network: string
  /** The address that is paid for. */
  url: string
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** Gets the headers of the answer once the payment is certain. */
  onPaid(headers: Readonly<Record<string, string>>): void
}

export type PaidCharge = Required<Charge>

export interface Payments {
  /** The charge of a request. It waits for nothing before `confirm`. */
  open(request: PaidRequest): PaidCharge
  /** Clears old payments from time to time. */
  start(): void
  /**
   * Deletes payments whose credit has ended, and those whose authorizations ended without a transfer. A transfer that
   * nobody saw in time counts from now on, as the credit of its header.
   */
  clear(): Promise<void>
  /** Waits until the answers that were sent are noted as spent. */
  stop(): Promise<void>
}

/** Creates the charges over the table of payments. */
export function createPayments(deps: PaymentsDeps): Payments {
  const { pool, log } = deps
  const queue = createPaymentQueue()
  const ends = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const use = async (request: PaidRequest, payload: Payload, amount: bigint): Promise<Use> => {
    const { from: payer, nonce } = payload.authorization
    const free = await queue.wait(`${payer} ${nonce}`, request.network)
    try {
      return { ...(await pay(deps, request, payload, amount)), free }
    } catch (error) {
      free()
      throw error
    }
  }
  const end = ({ lease, free }: Use, amount: bigint): Promise<void> => {
    const ending = endLease(pool, lease, amount)
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a payment could not be noted'))
      .finally(() => {
        free()
        ends.delete(ending)
      })
    ends.add(ending)
    return ending
  }
  const clear = () => clearOld(deps)
  return {
    open: (request) => openCharge(deps.terms, request, { use, end }),
    start: () => {
      const told = () =>
        void clear().catch((error: unknown) => log.warn({ err: error }, 'old payments could not be deleted'))
      timer ??= setInterval(told, CLEAR_INTERVAL_MS).unref()
    },
    clear,
    stop: async () => {
      clearInterval(timer)
      timer = undefined
      await Promise.all(ends)
    },
  }
}

async function clearOld({ pool, clock, terms, token, creditMs }: PaymentsDeps): Promise<void> {
  const now = clock.now()
  await deleteSettledBefore(pool, new Date(now.getTime() - creditMs))
  for (const { heldBlock, value, ...key } of await findOverdue(pool, new Date(now.getTime() - OVERDUE_MS))) {
    const found = await token.find({ from: key.payer, to: terms.payTo, value, nonce: key.nonce }, heldBlock)
    if (found && !('isOther' in found)) await noteLate(pool, key, found, now)
    else await deletePayment(pool, key)
  }
}

interface Paid {
  lease: Lease
  transfer: Transfer
  /** What the payment has left after this request. */
  left: bigint
}

interface Use extends Paid {
  /** Lets the next request of this process have the payment. */
  free(): void
}

interface Using {
  use(request: PaidRequest, payload: Payload, amount: bigint): Promise<Use>
  end(use: Use, amount: bigint): Promise<void>
}

function openCharge(terms: PaymentTerms, request: PaidRequest, { use, end }: Using): PaidCharge {
  let taken = 0
  let used: Use | undefined
  let isOver = false
  const finish = async (amount: bigint) => {
    isOver = true
    const current = used
    used = undefined
    if (current) await end(current, amount)
  }
  const priceOf = () => BigInt(taken) * terms.price
  return {
    limits: [],
    get requests() {
      return taken
    },
    remaining: { minute: null, day: null },
    add: async (requests) => {
      taken += requests
    },
    confirm: async () => {
      const amount = priceOf()
      const { header, url } = request
      if (header === undefined) throw required(terms, { url, amount, faults: [] })
      const current = await use(request, readPayload(header), amount)
      if (isOver) return end(current, 0n)
      used = current
      request.onPaid({
        'payment-response': toHeader({
          success: true,
          transaction: current.transfer.transactionHash,
          network: terms.network,
          payer: current.lease.payer,
          amount: String(amount),
        }),
        'assay-credit': String(current.left),
      })
    },
    refund: async () => {
      taken = 0
      await finish(0n)
    },
    spend: () => void finish(priceOf()),
  }
}

/** Finds or stores the payment, takes it, and makes its transfer certain. */
async function pay(deps: PaymentsDeps, request: PaidRequest, payload: Payload, amount: bigint): Promise<Paid> {
  const { pool, clock, terms } = deps
  const refuse = (faults: readonly Fault[]) => required(terms, { url: request.url, amount, faults })
  const { from: payer, nonce, validBefore, value } = payload.authorization
  const key = { network: terms.network, asset: terms.asset, payer, nonce }
  const faults = findFaults(payload, terms)
  if (faults.length > 0) throw refuse(faults)
  const known = await findPayment(pool, key, payload.hash)
  if (known && !known.sameHeader)
    throw refuse([faultAt('payload.authorization.nonce', `${nonce} came with another header: send that one again`)])
  if (!known) {
    const early = findNewFaults(payload, amount, clock.now().getTime() / 1000)
    if (early.length > 0) throw refuse(early)
    const { faults: refusals, block: heldBlock } = await deps.token.check(payload)
    if (refusals.length > 0) throw refuse(refusals)
    const row = { ...key, payloadHash: payload.hash, value, validBefore: toDate(validBefore), heldBlock }
    if (!(await insertPayment(pool, row, clock.now())))
      throw new AssayError(
        'SERVICE_UNAVAILABLE',
        'Too many payments, or too many of this payer, wait for their transfers: try again later.',
        {
          retryAfterSeconds: 60,
        },
      )
  }
  const lease = { ...key, lease: randomUUID() }
  const now = clock.now()
  const held = await leasePayment(pool, lease, { now, until: new Date(now.getTime() + LEASE_MS) })
  if (!held)
    throw new AssayError('CONFLICT', 'Another request uses this payment: send the header again when it is answered.', {
      retryAfterSeconds: 1,
    })
  try {
    const left = held.value - held.spent - amount
    if (left < 0n)
      throw refuse([
        faultAt(VALUE, `was ${held.value}, ${held.spent} of it is spent, and this request costs ${amount}: sign anew`),
      ])
    return { lease, left, transfer: await makeCertain(deps, { request, payload, lease, held, refuse }) }
  } catch (error) {
    await endLease(pool, lease, 0n)
    throw error
  }
}

interface Certain {
  request: PaidRequest
  payload: Payload
  lease: Lease
  held: HeldPayment
  refuse(faults: readonly Fault[]): AssayError
}

/** The transfer of a payment: the noted one if it is still on the chain, or one that the chain has now. */
async function makeCertain(
  { pool, clock, token, settle }: PaymentsDeps,
  { request, payload, lease, held, refuse }: Certain,
): Promise<Transfer> {
  if (held.transfer && (await token.isOnChain(held.transfer))) return held.transfer
  // A reorganisation took the transfer away. The authorization may still be used, or is no payment any more.
  if (held.transfer) await noteTransfer(pool, lease, null, clock.now())
  const outcome = await settle(payload, held.heldBlock, request.signal)
  if ('fault' in outcome) throw refuse([outcome.fault])
  await noteTransfer(pool, lease, outcome.transfer, clock.now())
  return outcome.transfer
}

/** Seconds since 1970 as a date. The window of an authorization keeps them small. */
const toDate = (seconds: bigint): Date => new Date(Number(seconds) * 1000)

/** The refusal of a request that did not pay, with what it would have to sign. */
function required(
  terms: PaymentTerms,
  { url, amount, faults }: { url: string; amount: bigint; faults: readonly Fault[] },
): AssayError {
  const [first] = faults
  const error = first?.message ?? 'Send your API key, or pay: PAYMENT-REQUIRED has what to sign for PAYMENT-SIGNATURE.'
  const payment = requiredHeaders(terms, { url, amount, error, isFailed: faults.length > 0 })
  return new AssayError('PAYMENT_REQUIRED', error, { faults, payment })
}
