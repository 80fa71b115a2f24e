// A facilitator of x402: it sends the transfer and pays its gas. Its word makes nothing certain, because a payment counts
// by its log on the operator's node.
import { parseJson, propertiesOf } from '../base/json.ts'
import { toPrintable } from '../base/printable.ts'
import { readBounded } from '../base/read-bounded.ts'
import type { Payload } from './payload.ts'
import { type PaymentTerms, requirementsOf } from './terms.ts'

/** How long it may take: it waits for the transfer itself. */
const WITHIN_MS = 20_000
const MOST_BYTES = 64 * 1024
const MOST_REASON = 100

export interface FacilitatorOptions {
  url: string
  /** The header Authorization; undefined: none. */
  authorization: string | undefined
}

/** A facilitator said that it did not send the transfer, and why. */
export class RefusedTransfer extends Error {
  override name = 'RefusedTransfer'
}

/** Sends a transfer; throws `RefusedTransfer`, or another error where nobody knows whether it was sent. */
export type SendTransfer = (payload: Payload) => Promise<void>

const addressOf = (url: string, path: string) => `${url.replace(/\/+$/, '')}${path}`

/** Creates the sender over `POST /settle` of the facilitator. */
export function createFacilitator({ url, authorization }: FacilitatorOptions, terms: PaymentTerms): SendTransfer {
  return async (payload) => {
    const response = await fetch(addressOf(url, '/settle'), {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify({
        x402Version: 2,
        paymentPayload: payload.sent,
        paymentRequirements: requirementsOf(terms, payload.authorization.value),
      }),
    })
    const { success, errorReason, transaction } = propertiesOf(
      parseJson(await readBounded(response, MOST_BYTES, 'the facilitator')),
    )
    // A transfer that it has sent, and does not see yet, is no success: `settlement_pending`.
    if (success === true || (typeof transaction === 'string' && transaction !== '')) return
    if (success !== false) throw new Error(`the facilitator answered with HTTP ${response.status}`)
    throw new RefusedTransfer(`the facilitator says ${toPrintable(String(errorReason)).slice(0, MOST_REASON)}`)
  }
}

/** Whether the facilitator says that it takes these terms. Throws where it does not answer. */
export async function isSupported({ url, authorization }: FacilitatorOptions, terms: PaymentTerms): Promise<boolean> {
  const response = await fetch(addressOf(url, '/supported'), {
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
    headers: { ...(authorization !== undefined && { authorization }) },
  })
  const { kinds } = propertiesOf(parseJson(await readBounded(response, MOST_BYTES, 'the facilitator')))
  if (!Array.isArray(kinds)) throw new Error(`it answers with HTTP ${response.status}, and names no kinds of payments`)
  return kinds.map(propertiesOf).some((kind) => {
    const isOurs = kind.network === terms.network || kind.network === 'eip155:*'
    return isOurs && kind.scheme === 'exact' && kind.x402Version === 2
  })
}
