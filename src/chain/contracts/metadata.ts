// Name, symbol, decimals and supply of tokens at a block. Input: addresses. Output: the values that each contract
// returns. Every field may be missing; a contract that returns none of them is still a token.
import type { Address } from '../../base/address.ts'
import { readText, readUint, SELECTORS } from './abi.ts'
import type { EthCall } from './call.ts'
import type { TokenMetadata } from './reader.ts'
import { callData } from './words.ts'

const QUESTIONS = [SELECTORS.name, SELECTORS.symbol, SELECTORS.decimals, SELECTORS.totalSupply]

/** The metadata of each address at the end of the block. */
export async function readTokens(
  ethCall: EthCall,
  addresses: readonly Address[],
  block: number,
): Promise<Map<Address, TokenMetadata>> {
  const calls = addresses.flatMap((to) =>
    QUESTIONS.map((selector) => ({ to, data: callData(selector), constant: selector !== SELECTORS.totalSupply })),
  )
  const answers = await ethCall(calls, block)
  return new Map(addresses.map((address, i) => [address, toMetadata(answers.slice(4 * i, 4 * i + 4))]))
}

function toMetadata([name, symbol, decimals, totalSupply]: readonly unknown[]): TokenMetadata {
  return {
    name: readText(name),
    symbol: readText(symbol),
    decimals: toDecimals(readUint(decimals)),
    totalSupply: readUint(totalSupply),
  }
}

/** `decimals` is a uint8, so a larger value counts as missing. */
const toDecimals = (value: bigint | null): number | null => (value === null || value > 255n ? null : Number(value))
