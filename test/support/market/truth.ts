// What the market knows of itself: the preset of the demo chain, and the truth file that tests hold the flags and classes against.

import { toAddress, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { RiskFlag } from '../../../src/base/vocabulary.ts'
import { DEMO_CHAIN_ID } from '../../../src/chain/demo.ts'
import type { Preset } from '../../../src/chain/preset.ts'
import type { Recording } from '../../../src/chain/recording.ts'
import { CAST, DEAD, type Role } from './cast.ts'
import type { Story } from './plan.ts'
import type { World } from './world.ts'

export interface TokenTruth {
  address: string
  symbol: string
  name: string
  decimals: number | null
  story: Story
  /** Exactly these flags at the end. */
  flags: readonly RiskFlag[]
  /** Name of the venue in the preset; null: it trades nowhere that counts. */
  launchpad: string | null
  /** Whether it has a pool with enough on a priced side. */
  priced: boolean
}

export interface Truth {
  chainId: number
  head: { number: number; hash: string }
  blocks: number
  logs: number
  tokens: TokenTruth[]
  /** Addresses by what their owners do. */
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
    factories: [uniswapV2, moonforge, peachpad, uniswapV3].map(({ factory, kind, name }) => ({
      ...{ address: toAddress(factory), kind, launchpad: name },
    })),
    burnAddresses: [ZERO_ADDRESS, toAddress(DEAD)],
    lockers: [{ address: toAddress(CAST.locker), name: 'Deepvault' }],
    exchanges: [
      { address: toAddress(CAST.exchanges[0]!), name: 'Northgate' },
      { address: toAddress(CAST.exchanges[1]!), name: 'Kelp' },
    ],
    finalityDepth: 64,
    minPoolDepthUsd: 1_000,
    sectors: {},
    startBlock: 0,
  }
}

export function toTruth(world: World, { blocks, chainId }: Recording): Truth {
  const wallets: Truth['wallets'] = {}
  for (const [who, role] of world.roles) wallets[role] = [...(wallets[role] ?? []), who]
  return {
    chainId,
    head: { number: blocks.length - 1, hash: blocks.at(-1)?.hash ?? '' },
    blocks: blocks.length,
    logs: blocks.reduce((sum, block) => sum + block.logs.length, 0),
    tokens: world.coins.map(({ address, plan }) => {
      const counts = !['thin', 'unconfirmed', 'spam'].includes(plan.story)
      return {
        ...{ address, symbol: plan.symbol, name: plan.name.slice(0, 80), story: plan.story, flags: plan.flags },
        decimals: plan.kind === 'mute' ? null : plan.decimals,
        launchpad: plan.venue === 'none' || plan.venue === 'rogue' ? null : world.venues[plan.venue].name,
        priced: counts && plan.kind !== 'mute',
      }
    }),
    wallets,
  }
}
