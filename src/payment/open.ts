// Payments as the settings have them: the operator's node confirms, and it or a facilitator sends.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { DAY_SECONDS } from '../base/time.ts'
import { createRpc } from '../chain/rpc/rpc.ts'
import type { Database } from '../database/client.ts'
import { createFacilitator, type SendTransfer } from './facilitator.ts'
import { createPayments, type Payments } from './payments.ts'
import { createSettle } from './settle.ts'
import type { PaymentTerms } from './terms.ts'
import { createPaymentToken, type PaymentToken } from './token.ts'

/** How long one call of the node may take, and the size of its answer. */
const NODE = { timeoutMs: 4_000, maxBodyBytes: 2 ** 20, attempts: 1 }

type PaymentConfig = Pick<
  Config,
  | 'X402_PAY_TO'
  | 'X402_PRICE'
  | 'X402_NETWORK'
  | 'X402_ASSET'
  | 'X402_ASSET_NAME'
  | 'X402_ASSET_VERSION'
  | 'X402_NODE_URL'
  | 'X402_SENDER'
  | 'X402_FACILITATOR_URL'
  | 'X402_FACILITATOR_AUTH'
  | 'X402_CONFIRMATIONS'
  | 'X402_CREDIT_DAYS'
>

interface OpenDeps {
  pool: Database['pool']
  clock: Clock
  log: { warn(fields: object, message: string): void }
}

/** The terms of the settings; null: payments are off. */
export function termsOf(config: PaymentConfig): PaymentTerms | null {
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
  const token = createPaymentToken(createRpc({ urls: [node], chainId: terms.chainId, clock, ...NODE }), terms)
  const send = senderOf(config, terms, token)
  const settle = createSettle({ token, send, confirmations, clock, log })
  return createPayments({ pool, clock, log, terms, token, settle, creditMs: days * DAY_SECONDS * 1000 })
}

function senderOf(config: PaymentConfig, terms: PaymentTerms, token: PaymentToken): SendTransfer {
  const { X402_FACILITATOR_URL: url, X402_FACILITATOR_AUTH: authorization, X402_SENDER: sender } = config
  if (url !== undefined) return createFacilitator({ url, authorization }, terms)
  if (sender === undefined) throw new Error('nobody sends the transfers of payments')
  return (payload) => token.send(payload, sender)
}
