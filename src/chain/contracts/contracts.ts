// Calls to contracts, in batches. Input: an rpc and a preset. Output: the reader that the ledger uses.

import type { Address } from '../../base/address.ts'
import { traitsOf } from '../exchanges/venues.ts'
import type { Preset } from '../presets/preset.ts'
import { gatherCalls } from '../rpc/gather.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { readUint, SELECTORS } from './abi.ts'
import { readAccounts } from './accounts.ts'
import { createEthCall, type EthCall } from './call.ts'
import { createReadCodes } from './codes.ts'
import { createReadCoinPools } from './coin-pools.ts'
import { readCurves } from './curve.ts'
import { readLfjPools } from './lfj-pool.ts'
import { readManagedPools } from './managed-pool.ts'
import { readTokens } from './metadata.ts'
import { createOpeningLogs } from './opening-logs.ts'
import { readPoolMetadata } from './pool.ts'
import type { ChainReader } from './reader.ts'
import { callData } from './words.ts'

type ReaderPreset = Pick<Preset, 'factories' | 'wrappedNative'>

/** A longer text is the 32 bytes of a manager's pool. */
const ADDRESS_LENGTH = 42

/** A reader over an rpc. Only pools that a factory of the preset confirms count. */
export function createChainReader(direct: Rpc, preset: ReaderPreset, onNotice: OnNotice = () => {}): ChainReader {
  const rpc = gatherCalls(direct)
  const ethCall = createEthCall(rpc, (block, isOver) =>
    onNotice(
      isOver
        ? `RPC_URL has the state of old blocks again, such as ${block}`
        : `RPC_URL no longer has the state of block ${block}: balances that are older than the index are lower bounds, and their tokens are partial. An archive node has it`,
      isOver,
    ),
  )
  const readCodes = createReadCodes(rpc)
  return {
    readTokens: (addresses, block) => readTokens(ethCall, addresses, block),
    readPools: createReadPools(rpc, ethCall, preset),
    readAccounts: (addresses, block) => readAccounts({ readCodes, ethCall }, addresses, block),
    async readBalances(questions, block) {
      const calls = questions.map(({ token, holder }) => ({
        to: token,
        data: callData(SELECTORS.balanceOf, holder),
      }))
      return (await ethCall(calls, block)).map((answer) => readUint(answer))
    },
  }
}

/** Asks a pool's own contract or its manager first, then the registries of coins. */
function createReadPools(rpc: Rpc, ethCall: EthCall, preset: ReaderPreset): ChainReader['readPools'] {
  const readCoinPools = createReadCoinPools(ethCall, preset)
  const asking = { ethCall, openings: createOpeningLogs(rpc, ethCall) }
  const hasCoins = preset.factories.some((each) => traitsOf(each).reserves !== undefined)
  const isManaged = (address: Address) => address.length > ADDRESS_LENGTH

  const readOfManagers = async (keys: readonly Address[], block: number) => {
    const curves = await readCurves(ethCall, preset, keys, block)
    const managed = keys.filter((key) => !curves.has(key))
    const others = managed.length === 0 ? [] : await readManagedPools(asking, preset, managed, block)
    return [...curves, ...others]
  }

  return async (addresses, block) => {
    const contracts = addresses.filter((address) => !isManaged(address))
    const [own, others] = await Promise.all([
      readPoolMetadata(ethCall, preset, contracts, block),
      readOfManagers(addresses.filter(isManaged), block),
    ])
    const found = new Map([...own, ...others])
    const unknown = hasCoins ? addresses.filter((address) => !found.get(address)) : []
    if (unknown.length === 0) return found
    const pairs = unknown.filter((address) => !isManaged(address))
    const [coins, bins] = await Promise.all([
      readCoinPools(unknown, block),
      readLfjPools(ethCall, preset, pairs, block),
    ])
    return new Map([...found, ...coins, ...bins])
  }
}
