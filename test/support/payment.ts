// Payments by x402 on a real EVM: a dollar that is paid by signatures, a payer, and what a client of the protocol sends.
import { randomBytes } from 'node:crypto'
import { createWalletClient, encodeDeployData, encodeFunctionData, type Hex, http, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createPayments } from '../../src/payment/payments.ts'
import { createSettle, type SettleDeps } from '../../src/payment/settle.ts'
import { type PaymentTerms, requiredHeaders } from '../../src/payment/terms.ts'
import { createPaymentToken } from '../../src/payment/token.ts'
import { silentLog } from './access.ts'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import { artifacts } from './contracts/artifacts.ts'
import type { TestDatabase } from './database.ts'
import { untilThere } from './patience.ts'

export const PUBLIC_URL = 'https://assay.example'
export const PRICE = 1_000n
/** Of the dollar's units. */
const BALANCE = 1_000_000n
const CHAIN_ID = 31_337

const account = (digit: string): Address => toAddress(`0x${digit.repeat(40)}`)
const OWNER = account('a')
const PAY_TO = account('b')
const SENDER = account('c')

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export interface SignedFields {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

export interface Signed {
  fields: SignedFields
  signature: Hex
}

/** A header's JSON. */
export const fromHeader = (header: string | null) => JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))
const toHeader = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** The header `PAYMENT-REQUIRED` of a server with these terms. */
export const requiredOf = (terms: PaymentTerms): string =>
  requiredHeaders(terms, { url: PUBLIC_URL, amount: PRICE, error: '', isFailed: false })['payment-required'] ?? ''

/** The settings of a server that takes these payments from its node, with some of them changed. */
export const settingsOf = ({ anvil, terms }: PayingChain, changed: Record<string, string> = {}) =>
  readConfig({
    ...environmentOf({ anvil, terms }),
    ...('X402_FACILITATOR_URL' in changed && { X402_SENDER: '' }),
    ...changed,
  })

/** The same as variables of the environment. */
export const environmentOf = ({ anvil, terms }: Pick<PayingChain, 'anvil' | 'terms'>) => ({
  PUBLIC_URL,
  X402_PAY_TO: terms.payTo,
  X402_PRICE: String(PRICE),
  X402_NETWORK: terms.network,
  X402_ASSET: terms.asset,
  X402_ASSET_NAME: terms.name,
  X402_ASSET_VERSION: terms.version,
  X402_NODE_URL: anvil.url,
  X402_SENDER: SENDER,
  X402_CONFIRMATIONS: '1',
})

export interface PayingChain {
  stop(): Promise<void>
  anvil: Anvil
  terms: PaymentTerms
  payer: Address
  /** The secret key of the payer. */
  secret: Hex
  /** What an address has of the dollar. */
  balanceOf(address: Address): Promise<bigint>
  /** What the operator has been paid. */
  earned(): Promise<bigint>
  sign(changed?: Partial<SignedFields>, domain?: { name?: string; version?: string; chainId?: number }): Promise<Signed>
  /** The header of a payment that answers a `PAYMENT-REQUIRED`, with parts of it changed. */
  toPayment(required: string | null, signed: Signed, changed?: Record<string, unknown>): string
  /** Call data of the transfer. */
  toCall(signed: Signed): Hex
  /** Sends a transaction from an account of the node; returns its hash. */
  send(to: Address, data: Hex, from?: Address): Promise<Hex>
  /** Waits until the transaction is in a block. */
  mined(hash: Hex): Promise<void>
  deploy(data: Hex): Promise<Address>
  /** What a server of this chain needs to be paid. */
  pay(changed?: Partial<Omit<SettleDeps, 'token'>>): (database: TestDatabase) => {
    payments: ReturnType<typeof createPayments>
    publicUrl: string
  }
}

/** Starts the chain; the caller stops it. */
export async function startPayingChain(options: AnvilOptions = {}): Promise<PayingChain> {
  const now = Math.floor(systemClock.now().getTime() / 1000)
  const anvil = await startAnvil({ timestamp: now - 3_600, chainId: CHAIN_ID, takesFees: true, ...options })
  for (const each of [OWNER, SENDER]) await anvil.rpc('anvil_setBalance', [each, `0x${(10n ** 24n).toString(16)}`])
  const send = async (to: Address, data: Hex, from = OWNER) =>
    anvil.rpc<Hex>('eth_sendTransaction', [{ from, to, data, gas: '0x2dc6c0' }])
  const mined = (hash: Hex) =>
    untilThere(
      async () => (await anvil.rpc('eth_getTransactionReceipt', [hash])) !== null,
      () => `${hash} is not mined`,
    )
  const deploy = async (data: Hex): Promise<Address> => {
    const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from: OWNER, data, gas: '0x5b8d80' }])
    await mined(hash)
    const { contractAddress } = await anvil.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', [hash])
    return toAddress(contractAddress)
  }
  const { abi, bytecode } = artifacts.signedDollar
  await anvil.rpc('evm_setNextBlockTimestamp', [now])
  const asset = await deploy(encodeDeployData({ abi, bytecode, args: [OWNER] }))
  const secret = generatePrivateKey()
  const signer = privateKeyToAccount(secret)
  const payer = toAddress(signer.address)
  const callDollar = (functionName: string, args: readonly unknown[]) => encodeFunctionData({ abi, functionName, args })
  await mined(await send(asset, callDollar('transfer', [payer, BALANCE])))
  const terms: PaymentTerms = {
    network: `eip155:${CHAIN_ID}`,
    chainId: CHAIN_ID,
    asset,
    name: 'Signed Dollar',
    version: '2',
    payTo: PAY_TO,
    price: PRICE,
  }
  const balanceOf = async (address: Address) =>
    BigInt(await anvil.rpc<Hex>('eth_call', [{ to: asset, data: callDollar('balanceOf', [address]) }, 'latest']))
  const wallet = createWalletClient({ account: signer, transport: http(anvil.url) })
  const toCall = ({ fields, signature }: Signed) => {
    const { r, s, v } = parseSignature(signature)
    const { from, to, value, validAfter, validBefore, nonce } = fields
    return callDollar('transferWithAuthorization', [from, to, value, validAfter, validBefore, nonce, Number(v), r, s])
  }
  return {
    anvil,
    stop: anvil.stop,
    terms,
    payer,
    secret,
    balanceOf,
    earned: () => balanceOf(PAY_TO),
    sign: async (changed = {}, domain = {}) => {
      const atSeconds = BigInt(Math.floor(systemClock.now().getTime() / 1000))
      const fields: SignedFields = {
        from: payer,
        to: PAY_TO,
        value: PRICE,
        validAfter: atSeconds - 600n,
        validBefore: atSeconds + 120n,
        nonce: `0x${randomBytes(32).toString('hex')}`,
        ...changed,
      }
      const signature = await wallet.signTypedData({
        domain: { name: terms.name, version: terms.version, chainId: CHAIN_ID, verifyingContract: asset, ...domain },
        types: TYPES,
        primaryType: 'TransferWithAuthorization',
        message: fields,
      })
      return { fields, signature }
    },
    toPayment: (required, { fields, signature }, changed = {}) => {
      const { resource, accepts } = fromHeader(required)
      const authorization = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
      return toHeader({
        x402Version: 2,
        resource,
        accepted: { ...accepts[0], amount: String(fields.value), ...Object(changed.accepted) },
        payload: { signature, authorization, ...Object(changed.payload) },
        ...('x402Version' in changed && { x402Version: changed.x402Version }),
      })
    },
    toCall,
    send,
    mined,
    deploy,
    pay:
      (changed = {}) =>
      (database) => {
        const rpc = createRpc({ urls: [anvil.url], chainId: CHAIN_ID, clock: systemClock, attempts: 1 })
        const token = createPaymentToken(rpc, terms)
        const sender = (payload: Parameters<SettleDeps['send']>[0]) => token.send(payload, SENDER)
        const settle = createSettle({
          ...{ token, send: sender, confirmations: 1, clock: systemClock, log: silentLog },
          ...changed,
        })
        const log = changed.log ?? silentLog
        const payments = createPayments({
          ...{ pool: database.pool, clock: changed.clock ?? systemClock, log, terms, token, settle },
          creditMs: 86_400_000,
        })
        return { payments, publicUrl: PUBLIC_URL }
      },
  }
}
