// Makes a payment's transfer certain: sends it, and waits until the operator's node has it deep enough. One that is on
// the chain already, such as that of a killed process, is not sent again. The token would refuse it, too.
import type { Clock } from '../base/clock.ts'
import { AssayError, type Fault } from '../base/errors.ts'
import type { Transfer } from '../ledger/account/payment.ts'
import { RefusedTransfer, type SendTransfer } from './facilitator.ts'
import { faultAt, type Payload } from './payload.ts'
import type { PaymentToken } from './token.ts'

/** How long a request waits for its transfer, within its deadline. */
const WITHIN_MS = 10_000
const PAUSE_MS = 250

export interface SettleDeps {
  token: PaymentToken
  send: SendTransfer
  /** Blocks that must have been built on a transfer, its own included. */
  confirmations: number
  clock: Clock
  withinMs?: number
  log: { warn(fields: object, message: string): void }
}

/**
 * The certain transfer, or why there will be none. Throws SERVICE_UNAVAILABLE where nobody knows yet: the payer sends the
 * same header again.
 */
export type Settle = (
  payload: Payload,
  fromBlock: number,
  signal?: AbortSignal,
) => Promise<{ transfer: Transfer } | { fault: Fault }>

export function createSettle({ token, send, confirmations, clock, withinMs = WITHIN_MS, log }: SettleDeps): Settle {
  return async (payload, fromBlock, signal) => {
    const endMs = clock.monotonicMs() + withinMs
    let refusal: unknown
    let sending: Promise<void> | undefined
    const begin = () =>
      send(payload).catch((error: unknown) => {
        refusal = error ?? new Error('it failed')
        log.warn({ err: error }, 'the transfer of a payment was not sent')
      })
    while (true) {
      // Read before the chain is asked: a transfer that was refused meanwhile may be on the chain all the same.
      const refused = refusal
      const found = await token.find(payload.authorization, fromBlock)
      if (found && 'isOther' in found)
        return { fault: faultAt('payload.authorization.nonce', 'was used for another transfer: sign with a new one') }
      if (found && found.depth >= confirmations) {
        const { transactionHash, blockNumber, blockHash } = found
        return { transfer: { transactionHash, blockNumber, blockHash } }
      }
      if (!found && refused instanceof RefusedTransfer)
        return { fault: faultAt('payload', `was not settled: ${refused.message}`) }
      if (!found && refused !== undefined) throw uncertain()
      if (!found) sending ??= begin()
      if (signal?.aborted || clock.monotonicMs() >= endMs) throw uncertain()
      await Promise.race([clock.sleep(PAUSE_MS, signal), ...(sending && !found ? [sending] : [])])
    }
  }
}

const uncertain = () =>
  new AssayError(
    'SERVICE_UNAVAILABLE',
    'The transfer of this payment is not certain yet: send the same header again. It is not paid twice.',
    { retryAfterSeconds: 2 },
  )
