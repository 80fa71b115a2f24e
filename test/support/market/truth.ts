// What the market knows to be true: the demo chain's preset, and the truth file for tests of flags and classes.

import { toAddress, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { RiskFlag } from '../../../src/base/vocabulary.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { DEMO_CHAIN_ID } from '../../../src/chain/replay/demo.ts'
import type { Recording } from '../../../src/chain/replay/recording.ts'
import { CAST, DEAD, type Role } from './cast.ts'
import type { Story } from './plan.ts'
import { type Coin, NATIVE_USD, type World } from './world.ts'

const MIN_DEPTH_USD = 1_000

interface TokenTruth {
  address: string
  symbol: string
  name: string
  decimals: number | null
  story: Story
  /** The exact flags at the end. */
  flags: readonly RiskFlag[]
  /** Name of the venue in the preset; null when it trades at no known venue. */
  launchpad: string | null
  /** Whether it has a pool with a priced quote at a known venue. */
  indexed: boolean
  /** Whether that pool is deep enough on its quote side, and the token's decimals are known. */
  priced: boolean
}

export interface Truth {
  chainId: number
  head: { number: number; hash: string }
  blocks: number
  logs: number
  tokens: TokenTruth[]
  /** Addresses by the role of their owner. */
  wallets: Partial<Record<Role, string[]>>
}

export function toPreset({ venues }: World): Preset {
  const { weth, usd, uniswapV2, moonforge, peachpad, uniswapV3 } = venues
  return {
    chainId: DEMO_CHAIN_ID,
    name: 'demo',
    wrappedNative: toAddress(weth),
    nativeSymbol: 'ETH',
    stablecoins: [toAddress(usd)],
    factories: [uniswapV2, moonforge, peachpad, uniswapV3].map((venue) => ({
      address: toAddress(venue.factory),
      kind: venue.kind,
      launchpad: venue.name,
      ...(venue.kind === 'v3' ? { positions: toAddress(venue.positions) } : {}),
    })),
    burnAddresses: [ZERO_ADDRESS, toAddress(DEAD)],
    lockers: [{ address: toAddress(CAST.locker), name: 'Deepvault' }],
    exchanges: [
      { address: toAddress(CAST.exchanges[0]!), name: 'Northgate' },
      { address: toAddress(CAST.exchanges[1]!), name: 'Kelp' },
    ],
    finalityDepth: 64,
    minPoolDepthUsd: MIN_DEPTH_USD,
    sectors: {},
    startBlock: 0,
  }
}

/** USD on the quote side of the token's pool at the end, with the native coin at its opening price. */
async function readDepthUsd({ trade, venues }: World, { plan, pool }: Coin): Promise<number> {
  if (plan.venue === 'none') return 0
  const inUsd = plan.quote === 'usd'
  const held = Number(await trade.balance(inUsd ? venues.usd : venues.weth, pool))
  return inUsd ? held / 1e6 : (held / 1e18) * NATIVE_USD
}

export async function toTruth(world: World, { blocks, chainId }: Recording): Promise<Truth> {
  const wallets: Truth['wallets'] = {}
  const depths = new Map<string, number>()
  for (const coin of world.coins) depths.set(coin.address, await readDepthUsd(world, coin))
  for (const [who, role] of world.roles) wallets[role] = [...(wallets[role] ?? []), who]
  return {
    chainId,
    head: { number: blocks.length - 1, hash: blocks.at(-1)?.hash ?? '' },
    blocks: blocks.length,
    logs: blocks.reduce((sum, block) => sum + block.logs.length, 0),
    tokens: world.coins.map(({ address, plan }) => {
      const known = plan.venue !== 'none' && plan.venue !== 'rogue'
      return {
        address,
        symbol: plan.symbol,
        name: plan.name.slice(0, 80),
        story: plan.story,
        flags: plan.flags,
        decimals: plan.kind === 'mute' ? null : plan.decimals,
        launchpad: plan.venue === 'none' || plan.venue === 'rogue' ? null : world.venues[plan.venue].name,
        indexed: known,
        priced: known && plan.kind !== 'mute' && (depths.get(address) ?? 0) >= MIN_DEPTH_USD,
      }
    }),
    wallets,
  }
}
