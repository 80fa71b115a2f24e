// Accounts that a contract's creation names. An admin that only a mapping keeps stands in the constructor's arguments,
// in its code, or in its first logs. Input: the block of the creation. Output: accounts to try as callers; none where
// the node does not return the logs of that block.
import type { Address } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readAddressWord } from '../../chain/contracts/abi.ts'
import { type Hex, wordsOf } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { readTransaction, type SignedTransaction, transactionCall } from '../node/transaction.ts'
import { isLikelyAddress, readConstants } from './functions.ts'
import { grantedIn } from './grants.ts'

const MAX_LOGS = 32
/** Arguments of a constructor, from the end. */
const MAX_ARGUMENTS = 16
const WORD = 64
const SELECTOR_CHARS = 10

export interface Creation {
  /** Accounts with a role by a log. */
  roles: readonly Address[]
  others: readonly Address[]
}

const NONE: Creation = { roles: [], others: [] }

export async function readCreation(asker: Asker, token: Address, block: number | null): Promise<Creation> {
  if (block === null) return NONE
  const number = `0x${block.toString(16)}`
  const [reply] = await asker.ask([
    { method: 'eth_getLogs', params: [{ address: token, fromBlock: number, toBlock: number }] },
  ])
  const list: unknown[] = reply?.kind === 'result' && Array.isArray(reply.result) ? reply.result : []
  const logs = list.slice(0, MAX_LOGS) as { topics?: unknown; transactionHash?: unknown }[]
  const hash = logs[0]?.transactionHash
  if (!isHex(hash)) return NONE
  const [found] = await asker.ask([transactionCall(hash)])
  const transaction = readTransaction(found)
  const topics = logs.map(({ topics: each }) => (Array.isArray(each) ? each.map(String) : []))
  const named = addressesOf(topics.flatMap((each) => each.slice(1)))
  return {
    roles: topics.flatMap(grantedIn),
    others: [...named, ...(transaction ? readInput(transaction) : [])],
  }
}

/** Of a creation: the code's constants, and its arguments at the end. Of a factory's call: its arguments. */
function readInput({ to, input }: SignedTransaction): Address[] {
  if (to !== null) return addressesOf(wordsOf(input.slice(SELECTOR_CHARS)).slice(0, MAX_ARGUMENTS).map(toHex))
  const code = input.slice(2)
  const last = wordsOf(code.slice(code.length % WORD)).slice(-MAX_ARGUMENTS)
  return [...addressesOf(last.map(toHex)), ...readConstants(input)]
}

const toHex = (word: string): Hex => `0x${word}`

const addressesOf = (words: readonly string[]): Address[] =>
  words.flatMap((word) => {
    const address = readAddressWord(word)
    return address && isLikelyAddress(Buffer.from(address.slice(2), 'hex')) ? [address] : []
  })
