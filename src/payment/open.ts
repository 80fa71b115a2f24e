// Payments as the settings have them: the operator's node confirms, and it or a facilitator sends.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { DAY_SECONDS } from '../base/time.ts'
import { createRpc } from '../chain/rpc/rpc.ts'
import type { Database } from '../database/client.ts'
import { createFacilitator, isSupported, type SendTransfer } from './facilitator.ts'
import { createPayments, type Payments } from './payments.ts'
import { createSettle } from './settle.ts'
import type { PaymentTerms } from './terms.ts'
import { createPaymentToken, hasDomain, type PaymentToken } from './token.ts'

/** How long one call of the node may take, and the size of its answer. */
const NODE = { timeoutMs: 4_000, maxBodyBytes: 2 ** 20, attempts: 1 }

type PaymentConfig = Pick<Config, Extract<keyof Config, `X402_${string}`>>

interface OpenDeps {
  pool: Database['pool']
  clock: Clock
  log: { warn(fields: object, message: string): void }
}

/** The terms of the settings; null: payments are off. */
function termsOf(config: PaymentConfig): PaymentTerms | null {
  const { X402_NETWORK: network, X402_ASSET: asset, X402_PAY_TO: payTo, X402_PRICE: price } = config
  const { X402_ASSET_NAME: name, X402_ASSET_VERSION: version } = config
  if (!network || !asset || !payTo || !price || !name || !version) return null
  return { network, chainId: Number(network.split(':')[1]), asset, name, version, payTo, price: BigInt(price) }
}

/** Opens the payments; undefined where they are off. Nothing is asked before the first payment. */
export function openPayments(config: PaymentConfig, { pool, clock, log }: OpenDeps): Payments | undefined {
  const terms = termsOf(config)
  const { X402_NODE_URL: node, X402_CONFIRMATIONS: confirmations, X402_CREDIT_DAYS: days } = config
  if (!terms || node === undefined) return undefined
  const token = createPaymentToken(openNode(node, terms, clock), terms)
  const send = senderOf(config, terms, token)
  const settle = createSettle({ token, send, confirmations, clock, log })
  return createPayments({ pool, clock, log, terms, token, settle, creditMs: days * DAY_SECONDS * 1000 })
}

const openNode = (node: string, { chainId }: PaymentTerms, clock: Clock) =>
  createRpc({ urls: [node], chainId, clock, ...NODE })

/** Asks the node and the facilitator whether they can be paid by: a sentence for each, and whether it is a fault. */
export async function checkPayments(
  config: PaymentConfig,
  clock: Clock,
): Promise<{ text: string; isFault: boolean }[]> {
  const terms = termsOf(config)
  const { X402_NODE_URL: node, X402_FACILITATOR_URL: url, X402_FACILITATOR_AUTH: authorization } = config
  if (!terms || node === undefined) return []
  const ask = (who: string, fits: Promise<boolean>, [yes, no]: readonly [string, string]) =>
    fits.then(
      (isFit) => ({ text: `${who} ${isFit ? yes : no}`, isFault: !isFit }),
      (error: unknown) => ({ text: `${who} cannot be used: ${reasonOf(error)}`, isFault: true }),
    )
  return Promise.all([
    ask('X402_NODE_URL', hasDomain(openNode(node, terms, clock), terms), [
      `answers for ${terms.network}, and the token has the domain of X402_ASSET_NAME and X402_ASSET_VERSION`,
      'knows the token by another domain: X402_ASSET_NAME or X402_ASSET_VERSION is wrong, or X402_ASSET no token of EIP-3009',
    ]),
    ...(url === undefined
      ? []
      : [
          ask('X402_FACILITATOR_URL', isSupported({ url, authorization }, terms), [
            `takes payments by exact on ${terms.network}`,
            `takes no payments by exact on ${terms.network} of version 2`,
          ]),
        ]),
  ])
}

/** The innermost reason, because `fetch` and the node's answers wrap it. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? reasonOf(error.cause) : error.message) : String(error)

function senderOf(config: PaymentConfig, terms: PaymentTerms, token: PaymentToken): SendTransfer {
  const { X402_FACILITATOR_URL: url, X402_FACILITATOR_AUTH: authorization, X402_SENDER: sender } = config
  if (url !== undefined) return createFacilitator({ url, authorization }, terms)
  if (sender === undefined) throw new Error('nobody sends the transfers of payments')
  return (payload) => token.send(payload, sender)
}
