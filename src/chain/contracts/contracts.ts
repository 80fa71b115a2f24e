// Calls to contracts, in batches. Input: an rpc and a preset. Output: the reader that the ledger uses.

import type { Preset } from '../presets/preset.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { encodeCall, readUint, SELECTORS } from './abi.ts'
import { createEthCall } from './call.ts'
import { readTokens } from './metadata.ts'
import { readPoolMetadata } from './pool.ts'
import type { ChainReader } from './reader.ts'

/** A reader over an rpc. Only pools that a factory of the preset confirms count. */
export function createChainReader(rpc: Rpc, preset: Pick<Preset, 'factories'>): ChainReader {
  const ethCall = createEthCall(rpc)
  return {
    readTokens: (addresses, block) => readTokens(ethCall, addresses, block),
    readPools: (addresses, block) => readPoolMetadata(ethCall, preset, addresses, block),
    async readBalances(questions, block) {
      const calls = questions.map(({ token, holder }) => ({
        to: token,
        data: encodeCall(SELECTORS.balanceOf, holder),
      }))
      return (await ethCall(calls, block)).map((answer) => readUint(answer))
    },
  }
}
