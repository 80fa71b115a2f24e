// Calls to contracts, in batches. Input: an rpc and a preset. Output: the reader that the ledger uses.

import type { Address } from '../../base/address.ts'
import { traitsOf } from '../exchanges/venues.ts'
import type { Preset } from '../presets/preset.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { encodeCall, readUint, SELECTORS } from './abi.ts'
import { readAccounts } from './accounts.ts'
import { createEthCall } from './call.ts'
import { readCoinPools } from './coin-pools.ts'
import { readCurves } from './curve.ts'
import { readLfjPools } from './lfj-pool.ts'
import { readManagedPools } from './managed-pool.ts'
import { readTokens } from './metadata.ts'
import { createOpeningLogs } from './opening-logs.ts'
import { readPoolMetadata } from './pool.ts'
import type { ChainReader } from './reader.ts'

/** A longer text is the 32 bytes of a manager's pool. */
const ADDRESS_LENGTH = 42

/** A reader over an rpc. Only pools that a factory of the preset confirms count. */
export function createChainReader(
  rpc: Rpc,
  preset: Pick<Preset, 'factories' | 'wrappedNative'>,
  onNotice: OnNotice = () => {},
): ChainReader {
  const ethCall = createEthCall(rpc, (block, isOver) =>
    onNotice(
      isOver
        ? `RPC_URL has the state of old blocks again, such as ${block}`
        : `RPC_URL no longer has the state of block ${block}: balances that are older than the index are lower bounds, and their tokens are partial. An archive node has it`,
      isOver,
    ),
  )
  const asking = { ethCall, openings: createOpeningLogs(rpc, ethCall) }
  const hasCoins = preset.factories.some((each) => traitsOf(each).reserves !== undefined)
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
      const curves = await readCurves(ethCall, preset, addresses.filter(isManaged), block)
      const managed = addresses.filter((address) => isManaged(address) && !curves.has(address))
      const others = managed.length === 0 ? [] : await readManagedPools(asking, preset, managed, block)
      const found = new Map([...own, ...curves, ...others])
      const unknown = hasCoins ? addresses.filter((address) => !found.get(address)) : []
      if (unknown.length === 0) return found
      const pairs = unknown.filter((address) => !isManaged(address))
      const coins = await readCoinPools(ethCall, preset, unknown, block)
      return new Map([...found, ...coins, ...(await readLfjPools(ethCall, preset, pairs, block))])
    },
    readAccounts: (addresses, block) => readAccounts(rpc, ethCall, addresses, block),
    async readBalances(questions, block) {
      const calls = questions.map(({ token, holder }) => ({
        to: token,
        data: encodeCall(SELECTORS.balanceOf, holder),
      }))
      return (await ethCall(calls, block)).map((answer) => readUint(answer))
    },
  }
}
