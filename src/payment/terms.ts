// Pure. How the operator is paid, and what an answer 402 says of it by x402 version 2.
import { randomUUID } from 'node:crypto'
import type { Address } from '../base/address.ts'

/** How the operator is paid. Amounts are in units of the token. */
export interface PaymentTerms {
  /** In the form of CAIP-2, such as `eip155:8453`. */
  network: string
  chainId: number
  /** A token with `transferWithAuthorization` of EIP-3009. */
  asset: Address
  /** The domain of its signatures, by EIP-712. */
  name: string
  version: string
  payTo: Address
  /** The price of one request. */
  price: bigint
}

/** A payer signs an authorization that lasts as long. */
const PAY_WITHIN_SECONDS = 120

/** The requirements of the scheme `exact` that a payer signs for this amount. */
export const requirementsOf = (terms: PaymentTerms, amount: bigint) => ({
  scheme: 'exact',
  network: terms.network,
  amount: String(amount),
  asset: terms.asset,
  payTo: terms.payTo,
  maxTimeoutSeconds: PAY_WITHIN_SECONDS,
  // A client sends the requirements back with its signature. The signature becomes public on the chain, and this does
  // not, so nobody else can send the same header.
  extra: { name: terms.name, version: terms.version, assetTransferMethod: 'eip3009', secret: randomUUID() },
})

/** JSON in a header. */
export const toHeader = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** The headers of an answer 402: what to sign, and for a payment that failed, the reason. */
export const requiredHeaders = (
  terms: PaymentTerms,
  { url, amount, error, isFailed }: { url: string; amount: bigint; error: string; isFailed: boolean },
): Record<string, string> => ({
  'payment-required': toHeader({
    x402Version: 2,
    error,
    resource: { url, mimeType: 'application/json' },
    accepts: [requirementsOf(terms, amount)],
  }),
  ...(isFailed && {
    'payment-response': toHeader({ success: false, errorReason: error, transaction: '', network: terms.network }),
  }),
})
