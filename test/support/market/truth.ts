// The true facts of the market: the demo chain's preset, and the truth file for tests of flags and classes.

import { toAddress, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { RiskFlag } from '../../../src/base/vocabulary.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { DEMO_CHAIN_ID } from '../../../src/chain/replay/demo.ts'
import type { Recording } from '../../../src/chain/replay/recording.ts'
import { CAST, DEAD, type Role } from './cast.ts'
import type { Market } from './market.ts'
import type { Plan, Story } from './plan.ts'
import { type Coin, NATIVE_USD, type ProxyTrade, type World } from './world.ts'

const MIN_DEPTH_USD = 1_000
const SWAPS: readonly string[] = [TOPICS.v2_swap, TOPICS.v4_swap]

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

/** Swaps of a transaction that somebody else signed than whose they are. */
interface ProxyTruth {
  block: number
  transaction: string
  signer: string
  traders: string[]
  way: ProxyTrade['way']
}

export interface Truth {
  chainId: number
  head: { number: number; hash: string }
  blocks: number
  logs: number
  tokens: TokenTruth[]
  /** Addresses by the role of their owner. */
  wallets: Partial<Record<Role, string[]>>
  /** Every other swap belongs to its signer, except for a token's contract that sells tokens kept from transfers. */
  proxies: ProxyTruth[]
}

export function toPreset({ world: { venues }, frontier }: Market): Preset {
  const { weth, usd, uniswapV2, moonforge, peachpad, uniswapV3 } = venues
  const { outpost, hub } = frontier
  const { manager, positions } = outpost.managers
  return {
    chainId: DEMO_CHAIN_ID,
    name: 'demo',
    wrappedNative: toAddress(weth),
    nativeSymbol: 'ETH',
    stablecoins: [toAddress(usd)],
    hubs: [toAddress(hub().address)],
    factories: [
      ...[uniswapV2, moonforge, peachpad, uniswapV3].map((venue) => ({
        address: toAddress(venue.factory),
        kind: venue.kind,
        launchpad: venue.name,
        ...(venue.kind === 'v3' ? { positions: toAddress(venue.positions) } : {}),
      })),
      { address: toAddress(manager), kind: 'v4', launchpad: 'uniswap_v4', positions: toAddress(positions) },
      { address: toAddress(outpost.seedbed), kind: 'four_meme', launchpad: 'seedbed' },
    ],
    burnAddresses: [ZERO_ADDRESS, toAddress(DEAD)],
    lockers: [
      { address: toAddress(CAST.locker), name: 'Deepvault' },
      { address: toAddress(outpost.locker), name: 'Timevault', kind: 'pinklock' },
    ],
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

/** USD on the quote side of the token's pool at the end, with the native coin at its opening price. On a curve any depth is enough. */
async function readDepthUsd({ trade, venues }: World, { plan, pool, place }: Coin): Promise<number> {
  if (plan.venue === 'none') return 0
  if (place) return (await place.readDepthUsd()) ?? Number.POSITIVE_INFINITY
  const inUsd = plan.quote === 'usd'
  const held = Number(await trade.balance(inUsd ? venues.usd : venues.weth, pool))
  return inUsd ? held / 1e6 : (held / 1e18) * NATIVE_USD
}

/** The name of the token's venue in the preset. */
function launchpadOf({ venue }: Plan, venues: World['venues']): string | null {
  if (venue === 'none' || venue === 'rogue') return null
  if (venue === 'uniswapV4') return 'uniswap_v4'
  return venue === 'seedbed' ? 'seedbed' : venues[venue].name
}

/** The swaps of what others signed, in the order of the chain: an account's approval alone is none. */
function listProxies({ proxies }: World, blocks: Recording['blocks']): ProxyTruth[] {
  return blocks.flatMap(({ transactions, logs }, block) =>
    transactions.flatMap(({ hash, from }, at) => {
      const proxy = proxies.get(hash)
      if (!proxy || !logs.some((log) => log.at === at && SWAPS.includes(log.topics[0] ?? ''))) return []
      return [{ block, transaction: hash, signer: from, traders: proxy.traders.map(toAddress), way: proxy.way }]
    }),
  )
}

export async function toTruth({ world, frontier, traps }: Market, { blocks, chainId }: Recording): Promise<Truth> {
  const wallets: Truth['wallets'] = {}
  const depths = new Map<string, number>()
  const coins = [...world.coins, ...frontier.coins, ...traps.coins]
  for (const coin of coins) depths.set(coin.address, await readDepthUsd(world, coin))
  for (const [who, role] of world.roles) wallets[role] = [...(wallets[role] ?? []), who]
  return {
    chainId,
    head: { number: blocks.length - 1, hash: blocks.at(-1)?.hash ?? '' },
    blocks: blocks.length,
    logs: blocks.reduce((sum, block) => sum + block.logs.length, 0),
    tokens: coins.map(({ address, plan }) => {
      const known = plan.venue !== 'none' && plan.venue !== 'rogue'
      return {
        address,
        symbol: plan.symbol,
        name: plan.name.slice(0, 80),
        story: plan.story,
        flags: plan.flags,
        decimals: plan.kind === 'mute' ? null : plan.decimals,
        launchpad: launchpadOf(plan, world.venues),
        indexed: known,
        priced: known && plan.kind !== 'mute' && (depths.get(address) ?? 0) >= MIN_DEPTH_USD,
      }
    }),
    wallets,
    proxies: listProxies(world, blocks),
  }
}
