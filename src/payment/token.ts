// The token of payments on the operator's node: whether it would take an authorization, and the transfer of one. Only
// the token's logs make a payment certain.
import type { Address, Hash } from '../base/address.ts'
import { AssayError, type Fault } from '../base/errors.ts'
import { propertiesOf } from '../base/json.ts'
import { readUint, SELECTORS } from '../chain/contracts/abi.ts'
import { TRANSFER_TOPIC } from '../chain/contracts/topics.ts'
import { abiWord, callData, selectorOf } from '../chain/contracts/words.ts'
import { keccakOfHex, keccakOfText } from '../chain/keccak.ts'
import { hexQuantity } from '../chain/raw.ts'
import { NO_ANSWER, type RpcAnswer } from '../chain/rpc/endpoint.ts'
import type { Rpc } from '../chain/rpc/rpc.ts'
import type { Transfer } from '../ledger/account/payment.ts'
import { type Authorization, faultAt, type Payload } from './payload.ts'
import type { PaymentTerms } from './terms.ts'

/** The hash of the form of a domain, by EIP-712. */
const DOMAIN = keccakOfText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
const DOMAIN_CALL = selectorOf('DOMAIN_SEPARATOR()')
const TRANSFER_CALL = selectorOf(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
)
const STATE_CALL = selectorOf('authorizationState(address,bytes32)')
const USED = keccakOfText('AuthorizationUsed(address,bytes32)')
/** A reorganisation may move a transfer below the block at which it was sent, by as many blocks. */
const REORGANISED_BLOCKS = 64

/** A transfer on the chain; `depth`: its block and the blocks after it. */
export interface FoundTransfer extends Transfer {
  depth: number
}

/** The part of an authorization that its transfer shows. */
type Transferring = Pick<Authorization, 'from' | 'to' | 'value' | 'nonce'>

export interface PaymentToken {
  /** Every reason for which the token would refuse the authorization now, and the block from which on it is looked for. */
  check(payload: Payload): Promise<{ faults: Fault[]; block: number }>
  /** The transfer by the authorization; null: there is none. `isOther`: its nonce served another transfer. */
  find(authorization: Transferring, fromBlock: number): Promise<FoundTransfer | { isOther: true } | null>
  /** Sends the transfer from an account of the node, which signs it. */
  send(payload: Payload, sender: Address): Promise<void>
  /** Whether the block of a transfer is still on the chain. */
  isOnChain(transfer: Transfer): Promise<boolean>
}

const topicOf = (account: Address): string => `0x${abiWord(account)}`

/** The call data of `transferWithAuthorization`. */
function toTransferCall({ authorization: own, signature }: Payload): string {
  const [r, s] = [signature.slice(2, 66), signature.slice(66, 130)]
  const parity = BigInt(`0x${signature.slice(130)}`)
  const { from, to, value, validAfter, validBefore, nonce } = own
  const v = parity < 27n ? parity + 27n : parity
  return `${callData(TRANSFER_CALL, from, to, value, validAfter, validBefore, nonce, v)}${r}${s}`
}

/** Asks the node for several results. Throws SERVICE_UNAVAILABLE while it does not answer. */
type Ask = (...calls: Question[]) => Promise<unknown[]>
type Question = readonly [method: string, params: readonly unknown[]]

/** Creates the token over the operator's node. Throws SERVICE_UNAVAILABLE while that does not answer. */
export function createPaymentToken(rpc: Pick<Rpc, 'together'>, { asset }: Pick<PaymentTerms, 'asset'>): PaymentToken {
  const callOf = (data: string) => ['eth_call', [{ to: asset, data }, 'latest']] as const
  const send = (...calls: Question[]) =>
    rpc
      .together(calls.map(([method, params]) => ({ method, params })))
      .catch((error: unknown) => Promise.reject(unavailable(error)))
  const ask: Ask = async (...calls) => (await send(...calls)).map(resultOf)
  return {
    check: async (payload) => {
      const { authorization: own } = payload
      const answers = await send(
        ['eth_blockNumber', []],
        callOf(callData(STATE_CALL, own.from, own.nonce)),
        callOf(callData(SELECTORS.balanceOf, own.from)),
        callOf(toTransferCall(payload)),
      )
      const [number, state, balance] = answers.slice(0, 3).map(resultOf)
      const block = Math.max(0, toNumber(number) - REORGANISED_BLOCKS)
      return { faults: findRefusals(own, { state, balance, transfer: answers[3] }), block }
    },
    find: (own, fromBlock) => findTransfer(ask, asset, own, fromBlock),
    send: async (payload, sender) => {
      await ask(['eth_sendTransaction', [{ from: sender, to: asset, data: toTransferCall(payload) }]])
    },
    isOnChain: async ({ blockNumber, blockHash }) => {
      const [block] = await ask(['eth_getBlockByNumber', [hexQuantity(blockNumber), false]])
      return propertiesOf(block).hash === blockHash
    },
  }
}

const logsOf = (given: unknown): (Log | null)[] => (Array.isArray(given) ? given : []).map(toLog)

async function findTransfer(
  ask: Ask,
  asset: Address,
  own: Transferring,
  fromBlock: number,
): ReturnType<PaymentToken['find']> {
  const topics = [USED, topicOf(own.from), own.nonce]
  const range = { fromBlock: hexQuantity(fromBlock), toBlock: 'latest' }
  const [number, logs] = await ask(['eth_blockNumber', []], ['eth_getLogs', [{ address: asset, topics, ...range }]])
  const used = logsOf(logs).find((log) => log !== null)
  if (!used) return null
  const [receipt] = await ask(['eth_getTransactionReceipt', [used.transactionHash]])
  // The token marks the nonce and then transfers, so its next log is the transfer of this authorization. Any other log
  // of the transaction may belong to another one.
  const ours = logsOf(propertiesOf(receipt).logs).filter((log) => log?.address === asset)
  const place = ours.findIndex((log) => log?.index === used.index)
  if (place < 0) return null
  const next = ours[place + 1]
  const expected = [TRANSFER_TOPIC, topicOf(own.from), topicOf(own.to)]
  const isOwn = next && String(next.topics) === String(expected) && readUint(next.data) === own.value
  if (!isOwn) return { isOther: true }
  const { transactionHash, blockNumber, blockHash } = used
  return { transactionHash, blockNumber, blockHash, depth: toNumber(number) - blockNumber + 1 }
}

interface Refusals {
  state: unknown
  balance: unknown
  transfer: RpcAnswer | undefined
}

function findRefusals({ from, value, nonce }: Authorization, { state, balance, transfer }: Refusals): Fault[] {
  const own = 'payload.authorization'
  const faults: Fault[] = []
  const [used, held] = [readUint(state), readUint(balance)]
  if (used === null || held === null) throw unavailable(new Error('the token of payments does not answer'))
  if (used !== 0n) faults.push(faultAt(`${own}.nonce`, `${nonce} was used already: sign with a new one`))
  if (held < value) faults.push(faultAt(`${own}.value`, `is ${value}, and ${from} has ${held} of the token`))
  const refusal = transfer?.error
  if (refusal && refusal.kind !== 'execution') throw unavailable(refusal)
  if (refusal && faults.length === 0)
    faults.push(
      faultAt('payload.signature', `must be by ${from} over the authorization, in the domain of accepted.extra`),
    )
  return faults
}

interface Log extends Transfer {
  address: string
  index: number
  topics: readonly unknown[]
  data: unknown
}

const isHash = (value: unknown): value is Hash => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)

/** A log of the node; null: it is none, or a reorganisation removed it. */
function toLog(given: unknown): Log | null {
  const { address, logIndex, topics, data, transactionHash, blockNumber, blockHash, removed } = propertiesOf(given)
  if (removed === true || !isHash(transactionHash) || !isHash(blockHash)) return null
  return {
    address: String(address).toLowerCase(),
    index: toNumber(logIndex),
    topics: Array.isArray(topics) ? topics : [],
    data,
    transactionHash,
    blockNumber: toNumber(blockNumber),
    blockHash,
  }
}

function toNumber(quantity: unknown): number {
  const number = /^0x[0-9a-f]{1,12}$/.test(String(quantity)) ? Number(quantity) : Number.NaN
  if (Number.isNaN(number)) throw unavailable(new Error(`${String(quantity).slice(0, 40)} is no number of a block`))
  return number
}

function resultOf(answer: RpcAnswer): unknown {
  if (answer.error) throw unavailable(answer.error)
  return answer.result
}

/** The payer keeps its authorization, so the same header can be sent again. */
const unavailable = (cause: unknown) =>
  new AssayError(
    'SERVICE_UNAVAILABLE',
    'The node that confirms payments does not answer: send the same header again.',
    {
      retryAfterSeconds: 5,
      cause,
    },
  )

/** Whether signatures in the domain of the terms are those of the token. Throws where the node does not answer. */
export async function hasDomain(rpc: Pick<Rpc, 'together'>, terms: PaymentTerms): Promise<boolean> {
  const { name, version, chainId, asset } = terms
  const words = [DOMAIN, keccakOfText(name), keccakOfText(version), BigInt(chainId), asset].map(abiWord)
  const call = { method: 'eth_call', params: [{ to: asset, data: DOMAIN_CALL }, 'latest'] }
  return resultOf((await rpc.together([call]))[0] ?? NO_ANSWER) === keccakOfHex(words.join(''))
}
