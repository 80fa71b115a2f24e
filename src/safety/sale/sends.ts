// Transfers in the form of a holder's, each a plain `eth_call` that every node supports. Input: sender, amount and
// receiver. Output: whether the token allowed it.
import type { Address } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { callData, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import { gasPriceOf, sendGasOf, withPurse } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { RpcCall } from '../report.ts'
import type { SampledHolder } from './sample.ts'

export interface SendAnswer {
  from: Address
  /** `unknown`: the node did not answer. */
  outcome: 'sent' | 'refused' | 'unknown'
  /** The contract's reason for a refusal. */
  text: string
  call: RpcCall
}

export interface SendPlan {
  from: Address
  to: Address
  data: Hex
}

export interface SendSetting {
  seed: string
  /** Without a gas price, like a careless check. */
  isFree: boolean
  /** The node lays state over addresses. */
  canOverride: boolean
  /** The node takes another time. */
  canWait: boolean
  /** The block's time and number this many seconds later; 0: unchanged. */
  laterSeconds: number
}

const weiCall = (asker: Asker, of: Address): RpcCall => ({ method: 'eth_getBalance', params: [of, asker.block.tag] })

/** Reads what tells whether these accounts can send in a shared request: their wei, and that they have no code. */
export const prepareSenders = (asker: Asker, senders: readonly Address[]): void =>
  asker.prepare(
    senders.flatMap((each) => [weiCall(asker, each), { method: 'eth_getCode', params: [each, asker.block.tag] }]),
  )

const TRANSFER = selectorOf('transfer(address,uint256)')
const TRANSFER_FROM = selectorOf('transferFrom(address,address,uint256)')
/** Blocks are seldom slower than this, and a trap that waits for a number waits for fewer. */
const SECONDS_PER_BLOCK = 2

export const transferPlan = (token: Address, from: Address, to: Address, amount: bigint): SendPlan => ({
  from,
  to: token,
  data: callData(TRANSFER, to, amount),
})

/** Each holder sends its amount to the keeper. */
export const plansOf = (token: Address, keeper: Address, holders: readonly SampledHolder[]): SendPlan[] =>
  holders.map(({ address, amount }) => transferPlan(token, address, keeper, amount))

/** The holders whose sends ended so. */
export const endedAs = (
  outcome: SendAnswer['outcome'],
  holders: readonly SampledHolder[],
  sends: readonly SendAnswer[],
): SampledHolder[] =>
  holders.filter(({ address }) => sends.some((send) => send.from === address && send.outcome === outcome))

export const spendPlan = (token: Address, spender: Address, owner: Address, amount: bigint): SendPlan => ({
  from: spender,
  to: token,
  data: callData(TRANSFER_FROM, owner, spender, amount),
})

/** Tries each plan. A node's refusal for lack of funds is tried again with funds, or without a gas price. */
export async function trySends(asker: Asker, plans: readonly SendPlan[], setting: SendSetting): Promise<SendAnswer[]> {
  const gasPrice = setting.isFree ? null : gasPriceOf(asker.block, setting.seed)
  const calls = plans.map((plan) => toCall(asker, plan, setting, gasPrice, isKnownPoor(asker, plan, setting, gasPrice)))
  const replies = await asker.ask(calls)
  const poor = replies.flatMap((reply, at) => (isPoor(reply) ? [at] : []))
  const again = await asker.ask(
    poor.flatMap((at) => {
      const plan = plans[at]
      return plan ? [toCall(asker, plan, setting, setting.canOverride ? gasPrice : null, setting.canOverride)] : []
    }),
  )
  poor.forEach((at, k) => {
    const reply = again[k]
    if (reply) replies[at] = reply
  })
  return plans.flatMap(({ from }, at) => {
    const reply = replies[at]
    return reply ? [{ from, ...readSend(reply), call: reply.call }] : []
  })
}

/** Whether the sender could not pay for the gas, as far as its balance was read. */
function isKnownPoor(asker: Asker, { from }: SendPlan, { seed, canOverride }: SendSetting, gasPrice: bigint | null) {
  const reply = asker.known(weiCall(asker, from))
  if (!canOverride || gasPrice === null || reply?.kind !== 'result' || !isHex(reply.result)) return false
  return BigInt(reply.result) < BigInt(sendGasOf(seed, from)) * gasPrice
}

function toCall(
  asker: Asker,
  plan: SendPlan,
  setting: SendSetting,
  gasPrice: bigint | null,
  hasPurse: boolean,
): RpcCall {
  const { from, to, data } = plan
  const transaction = {
    from,
    to,
    data,
    gas: sendGasOf(setting.seed, from),
    ...(gasPrice === null ? {} : { gasPrice: hexQuantity(gasPrice) }),
  }
  const { laterSeconds, seed } = setting
  const { tag, time, number } = asker.block
  const state = hasPurse ? [withPurse(seed, from)] : []
  if (laterSeconds === 0) return { method: 'eth_call', params: [transaction, tag, ...state] }
  const later = {
    time: hexQuantity(time + laterSeconds),
    number: hexQuantity(number + Math.ceil(laterSeconds / SECONDS_PER_BLOCK)),
  }
  return { method: 'eth_call', params: [transaction, tag, state[0] ?? {}, later] }
}

/**
 * Some answers of shared requests again, each by a request of its own: one that nobody could choose, and those that
 * accuse. Null: the contract answered otherwise.
 */
export async function confirmSends(asker: Asker, sends: readonly SendAnswer[], accusing: readonly SendAnswer[]) {
  if (!asker.sharesTries()) return sends
  const [first] = sends
  const refused = sends.find(({ outcome }) => outcome === 'refused')
  const asked = [...new Set([...(first ? [first] : []), ...(refused ? [refused] : []), ...accusing])]
  const replies = await asker.askAlone(asked.map(({ call }) => call))
  const alone = new Map(asked.map((send, at) => [send, replies[at]]))
  const confirmed = sends.map((send) => {
    const reply = alone.get(send)
    return reply && reply.kind !== 'failed' ? { ...send, ...readSend(reply) } : send
  })
  const isSame = asked.every((send) => {
    const reply = alone.get(send)
    return !reply || reply.kind === 'failed' || readSend(reply).outcome === send.outcome
  })
  return isSame ? confirmed : null
}

/** Repeats the call; null if the contract or the node contradicts itself at the same block. */
export async function repeatSend(asker: Asker, send: SendAnswer | undefined): Promise<RpcCall | null> {
  if (!send || send.outcome === 'unknown') return null
  const [reply] = await asker.askAlone([send.call])
  const again = reply ? readSend(reply).outcome : 'unknown'
  return again !== 'unknown' && again !== send.outcome ? send.call : null
}

/**
 * Nodes use different words, but all name the funds. A contract with the same words reverts, so that is its refusal and
 * no fault of the node.
 */
const isPoor = (reply: Reply): boolean =>
  reply.kind === 'failed' && /insufficient (sender )?(funds|balance)|OutOfFunds|max fee per gas less/i.test(reply.text)

function readSend(reply: Reply): Pick<SendAnswer, 'outcome' | 'text'> {
  if (reply.kind === 'failed') return { outcome: 'unknown', text: '' }
  if (reply.kind === 'refused') return { outcome: 'refused', text: reply.text }
  return isYes(reply.result) ? { outcome: 'sent', text: '' } : { outcome: 'refused', text: 'it answered false' }
}

/** Old tokens return nothing; a first word of zero is a refusal. */
function isYes(result: unknown): boolean {
  if (!isHex(result)) return false
  return result === '0x' || (result.length >= 66 && !/^0x0{64}/.test(result))
}
