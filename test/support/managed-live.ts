// Uniswap V4's own manager on a live anvil, with a router and positions of ours. Input: a live market. Output: functions to open pools,
// change positions and swap, and the preset that knows them.
import { toAddress } from '../../src/base/address.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { Live } from './live.ts'
import { createManaged, deployManagers } from './market/managed.ts'

export type ManagedLive = Awaited<ReturnType<typeof openManager>>

/** Deploys the manager, the router and the positions. */
export async function openManager({ chain, founder, mine, preset, trade }: Live) {
  const managers = await deployManagers(chain, founder)
  await mine()
  const { manager, positions } = managers
  const factory = { address: toAddress(manager), kind: 'v4', launchpad: 'uniswap_v4', positions: toAddress(positions) }
  return {
    ...createManaged(chain, trade, managers),
    preset: { ...preset, factories: [...preset.factories, factory] } as Preset,
  }
}
