// Answers calls to a recorded chain: recorded answers, and balances, supplies, reserves, prices, pools and transfers at
// a block. Input: a call. Output: the returned data. An account without code returns no data; a revert is thrown.

import { RpcError } from '../rpc/error.ts'
import { bornBy, type RecordedContract } from './recording.ts'
import { EMPTY_WORD, key, type ReplayState } from './state.ts'

export interface CallObject {
  from?: string
  to?: string
  data?: string
  input?: string
}

/** A contract at a block. */
interface Asked {
  to: string
  /** The caller, without 0x. */
  by: string
  contract: RecordedContract
  block: number
  at: (name: string) => string | null
  isContract: (account: string) => boolean
}

type Read = (asked: Asked, words: readonly string[]) => string

const address = (word = '') => word.slice(24)
const amount = (word = '') => BigInt(`0x${word || '0'}`)
const YES = `${EMPTY_WORD.slice(1)}1`

/** Calls whose answer changes over time, by selector. */
const MOVING: Record<string, Read> = {
  /** totalSupply() */
  '0x18160ddd': ({ to, at }) => at(key.supply(to)) ?? EMPTY_WORD,
  /** balanceOf(address) */
  '0x70a08231': (asked, [who]) => balanceOf(asked, address(who)),
  /** getReserves(): the timestamp of the last change is always 0. */
  '0x0902f1ac': ({ to, at }) => `${at(key.reserves(to)) ?? EMPTY_WORD + EMPTY_WORD}${EMPTY_WORD}`,
  /** slot0(): price and tick. The oracle fields are always 0, and the pool is unlocked. */
  '0x3850c7bd': ({ to, at }) => `${at(key.price(to)) ?? EMPTY_WORD + EMPTY_WORD}${EMPTY_WORD.repeat(4)}${YES}`,
  /** getPair(address,address) */
  '0xe6a43905': ({ to, at }, [a, b]) => at(key.pool(to, address(a), address(b), '')) ?? EMPTY_WORD,
  /** getPool(address,address,uint24) */
  '0x1698ee82': ({ to, at }, [a, b, fee]) =>
    at(key.pool(to, address(a), address(b), BigInt(`0x${fee}`).toString(16))) ?? EMPTY_WORD,
  /** transfer(address,uint256) */
  '0xa9059cbb': (asked, [receiver, value]) => send(asked, asked.by, address(receiver), amount(value)),
  /** transferFrom(address,address,uint256): the recording keeps no approvals, so only a rule allows it. */
  '0x23b872dd': (asked, [owner, receiver, value]) =>
    spends(asked) ? send(asked, address(owner), address(receiver), amount(value)) : revert('allowance is too low'),
}

/** The contract's rule of this kind, where it holds for the account. */
const holds = ({ contract: { rule }, block }: Asked, kind: string, account: string): boolean =>
  rule?.kind === kind && rule.from <= block && !rule.free.includes(`0x${account}`)

const spends = ({ contract: { rule }, block, by }: Asked): boolean =>
  rule?.kind === 'grasping' && rule.from <= block && rule.free.includes(`0x${by}`)

function balanceOf(asked: Asked, who: string): string {
  if (holds(asked, 'emptied', who) && !asked.isContract(who)) return EMPTY_WORD
  return asked.at(key.balance(asked.to, who)) ?? EMPTY_WORD
}

/** A transfer by `transfer` or `transferFrom`, tried and not done. */
function send(asked: Asked, from: string, to: string, value: bigint): string {
  if (holds(asked, 'closed', from) && asked.isContract(to)) return revert('trading is closed')
  return amount(balanceOf(asked, from)) < value ? revert('the balance is too low') : YES
}

/**
 * The data that the contract returned at the end of the block; throws an `RpcError` of kind `execution` for a revert.
 */
export function answerCall(
  contractAt: (address: string) => RecordedContract | undefined,
  state: ReplayState,
  call: CallObject,
  block: number,
): string {
  const to = (call.to ?? '').toLowerCase()
  const data = (call.data ?? call.input ?? '0x').toLowerCase()
  const contract = bornBy(contractAt(to), block)
  if (!contract) return '0x'
  const selector = data.slice(0, 10)
  const recorded = contract.answers[data]
  if (recorded !== undefined) return recorded ?? revert()
  const read = contract.moving.includes(selector) ? MOVING[selector] : undefined
  if (!read) return revert()
  const asked: Asked = {
    to,
    by: (call.from ?? '').toLowerCase().slice(2),
    contract,
    block,
    at: (name) => state.read(name, block),
    isContract: (account) => bornBy(contractAt(`0x${account}`), block) !== undefined,
  }
  return `0x${read(asked, data.slice(10).match(/.{64}/g) ?? [])}`
}

function revert(reason?: string): never {
  throw new RpcError('execution', `demo: execution reverted${reason ? `: ${reason}` : ''}`)
}
