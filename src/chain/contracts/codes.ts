// The first bytes of the code at many addresses. Input: addresses and a block. Output: hex digits by address that has
// code. One `eth_call` without a recipient asks for all of them: its init code reads them and returns a word for each. A
// node that refuses it is asked by `eth_getCode`.
import type { Address } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { hexQuantity } from '../raw.ts'
import { type Call, isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { NULLS } from './call.ts'
import { createConfirmedAsk } from './unknown-refusal.ts'

/** Addresses of one call. Their answers take 16,000 bytes, which is less than a contract may have (EIP-170). */
export const MOST_ADDRESSES = 500
/** 10,000,000 gas: an address takes about 10,000. */
const GAS = '0x989680'
/** Where a node refused the call, the next blocks are not asked so. */
const ASK_AGAIN_BLOCKS = 1_000
const NEWEST = 'latest'
/** Bytes of a code that an answer has: one more than the code of an account that delegates (EIP-7702). */
const BYTES = 24

/**
 * Copies the words behind itself to memory, and puts an answer in the place of each address: 8 bytes of EXTCODESIZE, and
 * 24 of EXTCODECOPY. The first byte is 0: a node refuses an answer that begins with 0xef (EIP-3541).
 */
export const INIT_CODE = [
  '603838038060386000396000', // size = CODESIZE - 56; CODECOPY(0, 56, size); at = 0
  '5b81811015603357', // loop: if at >= size, go to done
  '8051600082526018600083600801833c', // address = MLOAD(at); MSTORE(at, 0); EXTCODECOPY(address, at + 8, 0, 24)
  '3b60c01b8151178152602001', // MSTORE(at, EXTCODESIZE(address) << 192 | MLOAD(at)); at += 32
  '600c56', // go to loop
  '5b506000f3', // done: RETURN(0, size)
].join('')

/** The start of each code, at the end of the block. The newest code stands for one whose block the node has lost. */
export type ReadCodes = (addresses: readonly Address[], block: number) => Promise<Map<Address, string>>

/** Asks for all codes at once, until a node refuses that. A fault of the node is thrown. */
export function createReadCodes(rpc: Rpc): ReadCodes {
  let refusedTo = Number.NEGATIVE_INFINITY
  const confirm = createConfirmedAsk(rpc, 'eth_getCode')
  const askEach = (addresses: readonly Address[], tag: string): Promise<RpcAnswer[]> => {
    const calls = addresses.map((address) => readOne(address, tag))
    return tag === NEWEST ? confirm(calls, tag) : rpc.batch(calls)
  }

  /** Returns the addresses whose codes the node has lost. */
  async function ask(addresses: readonly Address[], block: number, tag: string, codes: Map<Address, string>) {
    if (addresses.length === 0) return []
    const isTogether = block >= refusedTo
    const groups = isTogether ? toGroups(addresses) : addresses.map((address) => [address])
    const answers = await (isTogether
      ? rpc.batch(groups.map((group) => readMany(group, tag)))
      : askEach(addresses, tag))
    const told = groups.map((group, at) => {
      const answer = answers[at] ?? NO_ANSWER
      return isTogether ? readWords(answer, group.length) : readCode(answer, tag)
    })
    const again = groups.filter((_, at) => told[at] === 'refused').flat()
    if (again.length > 0) refusedTo = block + ASK_AGAIN_BLOCKS
    groups.forEach((group, at) => {
      const found = told[at]
      if (!Array.isArray(found)) return
      group.forEach((address, i) => {
        const code = found[i]
        if (code) codes.set(address, code)
      })
    })
    const lost: Address[] = again.length > 0 ? await ask(again, block, tag, codes) : []
    return [...lost, ...groups.filter((_, at) => told[at] === 'lost').flat()]
  }

  return async (addresses, block) => {
    const codes = new Map<Address, string>()
    const lost = await ask(addresses, block, hexQuantity(block), codes)
    await ask(lost, block, NEWEST, codes)
    return codes
  }
}

/** Codes in the order of the addresses, null for none. Lost: the node lacks the block's state. */
type Told = readonly (string | null)[] | 'lost' | 'refused'

function toGroups(addresses: readonly Address[]): Address[][] {
  const count = Math.ceil(addresses.length / MOST_ADDRESSES)
  return Array.from({ length: count }, (_, at) => addresses.slice(at * MOST_ADDRESSES, (at + 1) * MOST_ADDRESSES))
}

function readMany(addresses: readonly Address[], tag: string): Call {
  const words = addresses.map((address) => address.slice(2).padStart(64, '0'))
  return { method: 'eth_call', params: [{ data: `0x${INIT_CODE}${words.join('')}`, gas: GAS }, tag] }
}

const readOne = (address: Address, tag: string): Call => ({
  method: 'eth_getCode',
  params: [address, tag],
  // An account without code has the answer 0x, so null is a fault.
  accept: isHex,
})

/** Only an answer of the right length can be believed. */
function readWords(answer: RpcAnswer, count: number): Told {
  if (!isAnswered(answer)) return readFault(answer) ?? 'refused'
  const { result } = answer
  if (!isHex(result) || result.length !== 2 + 64 * count) return 'refused'
  const words = Array.from({ length: count }, (_, at) => result.slice(2 + 64 * at, 66 + 64 * at))
  const sizes = words.map((word) => Number.parseInt(word.slice(0, 16), 16))
  if (!sizes.every((size) => size <= 0xff_ff_ff)) return 'refused'
  return words.map((word, at) => {
    const size = Math.min(BYTES, sizes[at] ?? 0)
    return size === 0 ? null : `0x${word.slice(16, 16 + 2 * size)}`
  })
}

/** A block whose code the node refuses in any words is one that it lost. */
function readCode(answer: RpcAnswer, tag: string): Told {
  if (!isAnswered(answer)) {
    const fault = readFault(answer)
    return fault === null && answer.error.kind !== 'unsupported' && tag !== NEWEST ? 'lost' : (fault ?? [null])
  }
  const { result } = answer
  return [typeof result === 'string' && result.length > 2 ? result.slice(0, 2 + 2 * BYTES) : null]
}

/** Null: the node does not answer this question. A provider's fault is thrown. */
function readFault({ error }: Extract<RpcAnswer, { error: unknown }>): 'lost' | null {
  if (error?.kind === 'pruned') return 'lost'
  if (error && !NULLS.has(error.kind) && error.kind !== 'unsupported') throw error
  return null
}
