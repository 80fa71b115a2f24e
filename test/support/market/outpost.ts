// The contracts of the newcomers' tokens. They are a manager of pools and its hooks, a launch venue, a locker, an entry
// point of smart accounts, a settlement and a broker. Input: the chain. Output: their addresses, after two blocks:
// `deploy`, then `place`.
import type { Address } from 'viem'
import { FOR_OTHERS } from '../../../src/chain/exchanges/attribution.ts'
import type { ArtifactName } from '../contracts/artifacts.ts'
import { wallet } from './cast.ts'
import type { MarketChain } from './chain.ts'
import { deployManagers, type Managers } from './managed.ts'
import type { Plan } from './plan.ts'
import type { Venues } from './venue.ts'

type HookKind = NonNullable<Plan['hook']>

export interface Outpost {
  managers: Managers
  /** Launch venue. */
  seedbed: Address
  locker: Address
  broker: Address
  entryPoint: Address
  settlement: Address
  hooks: Record<HookKind, Address>
}

/** The rights in the lowest bits of a hook's address. (v4-core, Hooks.sol.) */
const RIGHTS: Record<HookKind, number> = { fee: 1 << 7, share: (1 << 6) | (1 << 2), curve: (1 << 7) | (1 << 3) }
const HOOK_CODE: Record<HookKind, ArtifactName> = { fee: 'feeHook', share: 'shareHook', curve: 'curveHook' }
const KINDS: readonly HookKind[] = ['fee', 'share', 'curve']

const hookAddress = (kind: HookKind): Address =>
  `0x${wallet(`hook ${kind}`).slice(2, 38)}${RIGHTS[kind].toString(16).padStart(4, '0')}`

/** Queues all deployments for the next block; the result then copies code to the required addresses. */
export async function deployOutpost(chain: MarketChain, from: Address, { uniswapV2 }: Venues) {
  const managers = await deployManagers(chain, from)
  const seedbed = await chain.deploy(from, 'launchCurve', [uniswapV2.router])
  const locker = await chain.deploy(from, 'numberedLocker')
  const broker = await chain.deploy(from, 'broker')
  const [entryPoint, settlement] = [FOR_OTHERS.entry_point[0], FOR_OTHERS.settlement[0]]
  const copies: [Address, Address][] = [
    [await chain.deploy(from, 'entryPoint'), entryPoint],
    [broker, settlement],
  ]
  for (const kind of KINDS)
    copies.push([await chain.deploy(from, HOOK_CODE[kind], [managers.manager]), hookAddress(kind)])
  const hooks = { fee: hookAddress('fee'), share: hookAddress('share'), curve: hookAddress('curve') }
  const outpost: Outpost = { managers, seedbed, locker, broker, entryPoint, settlement, hooks }
  return {
    outpost,
    place: async () => {
      for (const [made, at] of copies)
        await chain.rpc('anvil_setCode', [at, await chain.rpc('eth_getCode', [made, 'latest'])])
    },
  }
}
