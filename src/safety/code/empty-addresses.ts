// Addresses without code that a sale depends on: whoever brings code to one decides who sells. Input: addresses, and
// the same trial without them. Output: those that decide. Code of ours is laid over each: it refuses every call with
// data, or it answers one.
import type { Address } from '../../base/address.ts'
import type { Hex } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import type { RpcCall } from '../report.ts'
import { type Aftermath, aftermathCall, canSend, compare, readTrial, type TrialSetting } from './aftermath.ts'

/** The address, and the trial that shows what code there does. */
export interface EmptyAddress {
  address: Address
  call: RpcCall
}

/** Refuses calls with data: coins are sent without, so an account that only gets coins decides nothing. */
const REFUSING_DATA: Hex = '0x3615600957600080fd5b00'
/** Answer 1, and the largest number. */
const ANSWERING: readonly Hex[] = ['0x600160005260206000f3', '0x60001960005260206000f3']

const layCode = (setting: TrialSetting, address: Address, code: Hex): TrialSetting => ({
  ...setting,
  code: { ...setting.code, [address]: code },
})

/** Those where code that refuses stops holders who can send now. */
export async function findDeciders(
  asker: Asker,
  setting: TrialSetting,
  addresses: readonly Address[],
  before: Aftermath,
): Promise<EmptyAddress[]> {
  const settings = addresses.map((address) => layCode(setting, address, REFUSING_DATA))
  const replies = await asker.ask(settings.map((each) => aftermathCall(asker, each, null)))
  return addresses.flatMap((address, at) => {
    const [reply, laid] = [replies[at], settings[at]]
    const after = reply && laid ? readTrial(reply, laid, null) : null
    return reply && after && compare(before, after)?.effect === 'stopped' ? [{ address, call: reply.call }] : []
  })
}

/** Where nobody can send: the first address whose code lets a holder send, and the trial with it; null for none. */
export async function openByCode(asker: Asker, setting: TrialSetting, addresses: readonly Address[]) {
  const tried = addresses.flatMap((address) =>
    ANSWERING.map((code) => ({ address, laid: layCode(setting, address, code) })),
  )
  const replies = await asker.ask(tried.map(({ laid }) => aftermathCall(asker, laid, null)))
  for (const [at, { address, laid }] of tried.entries()) {
    const reply = replies[at]
    const before = reply ? readTrial(reply, laid, null) : null
    if (reply && before && canSend(before)) return { decider: { address, call: reply.call }, setting: laid, before }
  }
  return null
}
