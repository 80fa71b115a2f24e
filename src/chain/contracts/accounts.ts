// Whether an address with code acts for one owner. An account that signed an authorization (EIP-7702) has the code 0xef0100
// and the address of another contract. An account contract answers as a Safe, or names itself (ERC-7579). Input: addresses.
// Output: yes or no; null for an address without code, and without an answer of the node.
import type { Address } from '../../base/address.ts'
import { readList, readText, readUint } from './abi.ts'
import type { EthCall } from './call.ts'
import type { ReadCodes } from './codes.ts'
import { callData } from './words.ts'

/** EIP-7702: the code of an account that delegates, 23 bytes in all. */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/i

const SAFE_THRESHOLD = '0xe75235b8'
const SAFE_OWNERS = '0xa0e67e2b'
const ACCOUNT_ID = '0x9cfd7cff'
const QUESTIONS = [SAFE_THRESHOLD, SAFE_OWNERS, ACCOUNT_ID]

/** Asks for the code of each address at the end of the block. A contract's code does not change, so the newest one serves too. */
export async function readAccounts(
  { readCodes, ethCall }: { readCodes: ReadCodes; ethCall: EthCall },
  addresses: readonly Address[],
  block: number,
): Promise<Map<Address, boolean | null>> {
  const codes = await readCodes(addresses, block)
  const contracts = addresses.filter((address) => codes.has(address) && !DELEGATION.test(codes.get(address) ?? ''))
  const calls = contracts.flatMap((to) =>
    QUESTIONS.map((selector) => ({ to, data: callData(selector), constant: true })),
  )
  const answers = calls.length === 0 ? [] : await ethCall(calls, block)
  const isAccount = new Map(
    contracts.map((address, at) => [address, isAccountContract(answers.slice(3 * at, 3 * at + 3))]),
  )
  return new Map(addresses.map((address) => [address, codes.has(address) ? (isAccount.get(address) ?? true) : null]))
}

function isAccountContract([threshold, owners, id]: readonly unknown[]): boolean {
  const needed = readUint(threshold)
  const count = readList(owners, 0)?.length ?? 0
  return (needed !== null && needed > 0n && needed <= BigInt(count)) || readText(id) !== ''
}
