// Uniswap V4's manager with a router and positions of ours: pools that are known by 32 bytes. Input: the chain, a wallet's actions, the three
// contracts. Output: functions to open pools, change positions and swap. All of them queue for the next block.
import { type Address, encodeAbiParameters, keccak256, zeroAddress } from 'viem'
import { type ArtifactName, artifacts } from '../contracts/artifacts.ts'
import type { MarketChain } from './chain.ts'
import type { Trade } from './trade.ts'

export interface ManagedKey {
  currency0: Address
  currency1: Address
  fee: number
  tickSpacing: number
  hooks: Address
}

export interface Managers {
  manager: Address
  router: Address
  positions: Address
}

/** Where the manager keeps its pools. (v4-core, StateLibrary.sol.) */
const POOLS_SLOT = 6n
const ROOT_BITS = (1n << 160n) - 1n

/** The 32 bytes that the manager knows a pool by. */
export const idOf = ({ currency0, currency1, fee, tickSpacing, hooks }: ManagedKey): Address =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [currency0, currency1, fee, tickSpacing, hooks],
    ),
  )

/** Queues the deployment of the three. */
export async function deployManagers(chain: MarketChain, from: Address): Promise<Managers> {
  const manager = await chain.deploy(from, 'v4Manager', [from])
  const router = await chain.deploy(from, 'managerRouter', [manager])
  return { manager, router, positions: await chain.deploy(from, 'managerPositions', [manager]) }
}

export type Managed = ReturnType<typeof createManaged>

export function createManaged(chain: MarketChain, trade: Pick<Trade, 'approve'>, managers: Managers) {
  const { manager, router, positions } = managers
  const call = (to: Address, name: ArtifactName, method: string, args: readonly unknown[]) => ({
    to,
    abi: artifacts[name].abi,
    name: method,
    args,
  })
  const onPositions = (method: string, args: readonly unknown[]) => call(positions, 'managerPositions', method, args)
  const approveBoth = async (who: Address, { currency0, currency1 }: ManagedKey) => {
    for (const currency of [currency0, currency1])
      if (currency !== zeroAddress) await trade.approve(who, currency, positions)
  }
  return {
    ...managers,
    open: (who: Address, key: ManagedKey, root: bigint) =>
      chain.send(who, call(manager, 'v4Manager', 'initialize', [key, root])),
    /** Opens a position; `value` is the most that it may cost of the native coin. */
    mint: async (
      who: Address,
      key: ManagedKey,
      ticks: readonly [number, number],
      liquidity: bigint,
      value = 0n,
      owner = who,
    ) => {
      await approveBoth(who, key)
      await chain.send(who, onPositions('mint', [key, ...ticks, liquidity, owner]), value)
    },
    decrease: (who: Address, id: bigint, liquidity: bigint) =>
      chain.send(who, onPositions('decrease', [id, liquidity])),
    burn: (who: Address, id: bigint) => chain.send(who, onPositions('burn', [id])),
    give: (who: Address, to: Address, id: bigint) => chain.send(who, onPositions('transferFrom', [who, to, id])),
    /** Positions of the pool: number, owner and liquidity of each that is not burned. */
    positionsOf: async (key: ManagedKey): Promise<{ id: bigint; owner: Address; liquidity: bigint }[]> => {
      const count = await chain.ask<bigint>(onPositions('nextTokenId', []))
      const found: { id: bigint; owner: Address; liquidity: bigint }[] = []
      for (let id = 1n; id < count; id++) {
        const owner = await chain.ask<Address>(onPositions('ownerOf', [id]))
        if (owner === zeroAddress || (await chain.ask<string>(onPositions('poolOf', [id]))) !== idOf(key)) continue
        const liquidity = await chain.ask<bigint>(onPositions('liquidityOf', [id]))
        found.push({ id, owner: owner.toLowerCase() as Address, liquidity })
      }
      return found
    },
    /** The square root of the pool's price, times 2^96. */
    rootOf: async (key: ManagedKey): Promise<bigint> => {
      const types = [{ type: 'bytes32' }, { type: 'uint256' }] as const
      const slot = keccak256(encodeAbiParameters(types, [idOf(key), POOLS_SLOT]))
      return BigInt(await chain.ask<string>(call(manager, 'v4Manager', 'extsload', [slot]))) & ROOT_BITS
    },
    /** Swaps an exact input; the native coin is sent along. */
    swap: async (who: Address, key: ManagedKey, zeroForOne: boolean, amount: bigint, to = who) => {
      const sold = zeroForOne ? key.currency0 : key.currency1
      if (sold !== zeroAddress) await trade.approve(who, sold, router)
      const value = sold === zeroAddress ? amount : 0n
      return chain.send(who, call(router, 'managerRouter', 'swap', [key, zeroForOne, amount, to]), value)
    },
  }
}
