// Callers that only a mapping names. Input: acts that harmed, and their callers. Output: the acts that a caller can no
// longer make once its entry of a mapping is empty. The entry is where Solidity or Vyper keep those of the first slots.
import { isHex } from '../../chain/columns/hex.ts'
import { abiWord, type Hex } from '../../chain/contracts/words.ts'
import { keccakOfHex } from '../../chain/keccak.ts'
import type { Asker } from '../node/asker.ts'
import { ACT_GAS } from '../node/gas.ts'
import type { Attempt } from './suspects.ts'

const MAX_ATTEMPTS = 3
const MAX_ENTRIES = 2
/** Slots asked where each takes a call of its own. */
const FEW_SLOTS = 4
const SLOTS = 16
/** A flag or a set of roles; a balance is larger. */
const MAX_ENTRY = 2n ** 32n
const EMPTY = `0x${'0'.repeat(64)}`

export async function findMapped(asker: Asker, attempts: readonly Attempt[]): Promise<ReadonlySet<Attempt>> {
  const asked = attempts.slice(0, MAX_ATTEMPTS)
  const slots = asked.map(({ act }) => slotsOf(act.from, asker.sharesTries() ? SLOTS : FEW_SLOTS))
  const questions = asked.flatMap(({ act }, at) =>
    (slots[at] ?? []).map((slot) => ({ method: 'eth_getStorageAt', params: [act.to, slot, asker.block.tag] })),
  )
  const words = await asker.ask(questions)
  let place = 0
  const entries = asked.flatMap((attempt, at) => {
    const mine = slots[at] ?? []
    const read = words.slice(place, place + mine.length)
    place += mine.length
    const set = mine.filter((_, index) => {
      const reply = read[index]
      const value = reply?.kind === 'result' && isHex(reply.result) ? BigInt(reply.result) : 0n
      return value > 0n && value < MAX_ENTRY
    })
    return set.slice(0, MAX_ENTRIES).map((slot) => ({ attempt, slot }))
  })
  const replies = await asker.ask(
    entries.map(({ attempt: { act }, slot }) => ({
      method: 'eth_call',
      params: [{ ...act, gas: ACT_GAS }, asker.block.tag, { [act.to]: { stateDiff: { [slot]: EMPTY } } }],
    })),
  )
  return new Set(entries.flatMap(({ attempt }, at) => (replies[at]?.kind === 'refused' ? [attempt] : [])))
}

/** Solidity hashes the key before the slot, and Vyper behind it. */
function slotsOf(account: Attempt['act']['from'], count: number): Hex[] {
  const key = abiWord(account)
  return Array.from({ length: count }, (_, at) => abiWord(at)).flatMap((slot) => [
    keccakOfHex(`${key}${slot}`),
    keccakOfHex(`${slot}${key}`),
  ])
}
