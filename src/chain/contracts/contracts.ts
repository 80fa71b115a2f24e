// Calls to contracts, in batches. Input: an rpc and a preset. Output: the reader that the ledger uses.

import type { Address } from '../../base/address.ts'
import type { Preset } from '../presets/preset.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { encodeCall, readUint, SELECTORS } from './abi.ts'
import { createEthCall } from './call.ts'
import { readManagedPools } from './managed-pool.ts'
import { readTokens } from './metadata.ts'
import { readPoolMetadata } from './pool.ts'
import type { ChainReader } from './reader.ts'

/** A longer text is the 32 bytes that a manager's pool is known by. */
const ADDRESS_LENGTH = 42

/** A reader over an rpc. Only pools that a factory of the preset confirms count. */
export function createChainReader(rpc: Rpc, preset: Pick<Preset, 'factories' | 'wrappedNative'>): ChainReader {
  const ethCall = createEthCall(rpc)
  return {
    readTokens: (addresses, block) => readTokens(ethCall, addresses, block),
    async readPools(addresses, block) {
      const isManaged = (address: Address) => address.length > ADDRESS_LENGTH
      const own = await readPoolMetadata(
        ethCall,
        preset,
        addresses.filter((address) => !isManaged(address)),
        block,
      )
      const managed = addresses.filter(isManaged)
      if (managed.length === 0) return own
      return new Map([...own, ...(await readManagedPools(ethCall, preset, managed, block))])
    },
    async readBalances(questions, block) {
      const calls = questions.map(({ token, holder }) => ({
        to: token,
        data: encodeCall(SELECTORS.balanceOf, holder),
      }))
      return (await ethCall(calls, block)).map((answer) => readUint(answer))
    },
  }
}
