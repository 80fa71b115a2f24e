// Uniswap V4's own manager on a live anvil, with a router and positions of ours. Input: a live market. Output: functions to open pools,
// change positions and swap, and the preset that knows them.
import { encodeAbiParameters, type Address as Hex, keccak256, zeroAddress } from 'viem'
import { type Address, toAddress } from '../../src/base/address.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { artifacts } from './contracts/artifacts.ts'
import type { Live } from './live.ts'

export interface ManagedKey {
  currency0: Hex
  currency1: Hex
  fee: number
  tickSpacing: number
  hooks: Hex
}

/** The 32 bytes that the manager knows a pool by. */
export const idOf = ({ currency0, currency1, fee, tickSpacing, hooks }: ManagedKey): Address =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [currency0, currency1, fee, tickSpacing, hooks],
    ),
  ) as Address

export type ManagedLive = Awaited<ReturnType<typeof openManager>>

/** Deploys the manager, the router and the positions. */
export async function openManager({ chain, founder, mine, preset, trade }: Live) {
  const manager = await chain.deploy(founder, 'v4Manager', [founder])
  const router = await chain.deploy(founder, 'managerRouter', [manager])
  const positions = await chain.deploy(founder, 'managerPositions', [manager])
  await mine()
  const factory = { address: toAddress(manager), kind: 'v4', launchpad: 'uniswap_v4', positions: toAddress(positions) }
  const call = (
    to: Hex,
    name: 'v4Manager' | 'managerRouter' | 'managerPositions',
    method: string,
    args: unknown[],
  ) => ({
    to,
    abi: artifacts[name].abi,
    name: method,
    args,
  })
  const currencies = ({ currency0, currency1 }: ManagedKey) =>
    [currency0, currency1].filter((one) => one !== zeroAddress)
  return {
    manager,
    router,
    positions,
    preset: { ...preset, factories: [...preset.factories, factory] } as Preset,
    open: (who: Hex, key: ManagedKey, root: bigint) =>
      chain.send(who, call(manager, 'v4Manager', 'initialize', [key, root])),
    /** Opens a position; `value` is the most that it may cost of the native coin. */
    mint: async (
      who: Hex,
      key: ManagedKey,
      ticks: readonly [number, number],
      liquidity: bigint,
      value = 0n,
      owner = who,
    ) => {
      for (const currency of currencies(key)) await trade.approve(who, currency, positions)
      await chain.send(who, call(positions, 'managerPositions', 'mint', [key, ...ticks, liquidity, owner]), value)
    },
    decrease: (who: Hex, id: bigint, liquidity: bigint) =>
      chain.send(who, call(positions, 'managerPositions', 'decrease', [id, liquidity])),
    burn: (who: Hex, id: bigint) => chain.send(who, call(positions, 'managerPositions', 'burn', [id])),
    give: (who: Hex, to: Hex, id: bigint) =>
      chain.send(who, call(positions, 'managerPositions', 'transferFrom', [who, to, id])),
    /** Swaps an exact input; the native coin is sent along. */
    swap: async (who: Hex, key: ManagedKey, zeroForOne: boolean, amount: bigint, to = who) => {
      const sold = zeroForOne ? key.currency0 : key.currency1
      if (sold !== zeroAddress) await trade.approve(who, sold, router)
      const value = sold === zeroAddress ? amount : 0n
      await chain.send(who, call(router, 'managerRouter', 'swap', [key, zeroForOne, amount, to]), value)
    },
  }
}
