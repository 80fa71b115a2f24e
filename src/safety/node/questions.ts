// Which calls can share a request. Input: a call at the block of a check. Output: its kind and its parts; null for a
// call that is sent alone.
import { type Address, parseAddress } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import type { Hex } from '../../chain/contracts/words.ts'
import type { RpcCall } from '../report.ts'

/** A question whose answer changes nothing: the same question always gets the same answer at one block. */
export type ReadQuestion =
  | { kind: 'call'; at: Address; data: Hex; gas: number }
  | { kind: 'code' | 'balance'; at: Address }
  | { kind: 'slot'; at: Address; slot: Hex }

/** A transaction of an account, which is only tried. */
export interface TryQuestion {
  kind: 'try'
  from: Address
  to: Address
  data: Hex
  gas: number
  gasPrice: bigint
  /** The sender's balance in wei that is laid over its own. */
  purse: Hex | null
}

export type Question = ReadQuestion | TryQuestion

const READS: Readonly<Record<string, 'code' | 'balance'>> = { eth_getCode: 'code', eth_getBalance: 'balance' }
const FIELDS: ReadonlySet<string> = new Set(['from', 'to', 'data', 'gas', 'gasPrice'])
/** A word has the length of the longest call data that a question may have. */
const MAX_DATA_CHARS = 2 + 2 * 0xffff
const MAX_GAS = 0xff_ff_ff

export function toQuestion({ method, params }: RpcCall, tag: string): Question | null {
  const [first, second, third] = params
  const kind = READS[method]
  if (kind) return second === tag ? placed(first, (at) => ({ kind, at })) : null
  if (method === 'eth_getStorageAt')
    return third === tag && isHex(second) ? placed(first, (at) => ({ kind: 'slot', at, slot: second })) : null
  return method === 'eth_call' && second === tag && params.length <= 3 ? toCall(first, third) : null
}

/** Reads are told apart by their parts, so that none is asked twice. */
export const isRead = (question: Question): question is ReadQuestion => question.kind !== 'try'

function placed<T>(text: unknown, make: (at: Address) => T): T | null {
  const at = typeof text === 'string' ? parseAddress(text) : null
  return at && make(at)
}

function toCall(transaction: unknown, laid: unknown): Question | null {
  const fields = propertiesOf(transaction)
  const { from, to, data, gas, gasPrice = '0x0' } = fields
  if (!isHex(data) || !isHex(gas) || !isHex(gasPrice) || data.length > MAX_DATA_CHARS || Number(gas) > MAX_GAS)
    return null
  if (!Object.keys(fields).every((name) => FIELDS.has(name))) return null
  const parts = { data, gas: Number(gas) }
  if (from === undefined) return laid === undefined ? placed(to, (at) => ({ kind: 'call', at, ...parts })) : null
  return placed(from, (sender) =>
    placed(to, (at): TryQuestion | null => {
      const purse = laid === undefined ? null : purseIn(laid, sender)
      if (purse === undefined || sender === at) return null
      return { kind: 'try', from: sender, to: at, ...parts, gasPrice: BigInt(gasPrice), purse }
    }),
  )
}

/** Undefined where more than the sender's balance is laid over. */
function purseIn(laid: unknown, sender: Address): Hex | undefined {
  const state = (laid ?? {}) as Record<string, Record<string, unknown>>
  const { balance, ...others } = state[sender] ?? {}
  const isOnly = Object.keys(state).length === 1 && Object.keys(others).length === 0
  return isOnly && isHex(balance) ? balance : undefined
}
