// The preset under which a chain's receipts are indexed, and a deep pair for every token, so that nothing lacks a price. A
// chain without a preset gets what its operator would write: a factory of every kind, whose addresses are made up.
import { type Address, toAddress, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { EXCHANGES, VENUES, type Venue } from '../../../src/chain/exchanges/venues.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { loadPreset, PRESET_CHAIN_IDS } from '../../../src/chain/presets/presets.ts'
import { FILLERS } from '../../../test/support/recorded-coins.ts'
import type { DeepPair, Recorded } from '../../../test/support/recorded-node.ts'

/** The wrapped native coin, the stablecoins and market makers of the chains without a preset. */
const OTHERS: Readonly<Record<number, { wrappedNative: string; stablecoins: string[]; makers?: string[] }>> = {
  10: {
    makers: ['0x50a39b94b1dc8472faa08c36a3ef5b0a01c5bd10'],
    wrappedNative: '0x4200000000000000000000000000000000000006',
    stablecoins: ['0x0b2c639c533813f4aa9d7837caf62653d097ff85'],
  },
  100: {
    wrappedNative: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d',
    stablecoins: ['0xddafbb505ad214d7b80b1f830fccc89b60fb7a83'],
  },
  999: {
    wrappedNative: '0x5555555555555555555555555555555555555555',
    stablecoins: ['0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'],
  },
  534352: {
    wrappedNative: '0x5300000000000000000000000000000000000004',
    stablecoins: ['0x06efdbff2a14a7c8e15944d1f4a48f9f95f663a4'],
  },
}

/** Managers with one address on all chains, and others of chains without a preset, as their projects publish them. */
const MANAGERS: readonly { address: string; kind: Venue; launchpad: string; positions?: string }[] = [
  { address: '0xba12222222228d8ba445958a75a0704d566bf2c8', kind: 'balancer_v2', launchpad: 'balancer_v2' },
  { address: '0xba1333333333a1ba1108e8412f11850a5c319ba9', kind: 'balancer_v3', launchpad: 'balancer_v3' },
  {
    address: '0x9a13f98cb987694c9f086b1f5eb990eea8264ec3',
    kind: 'v4',
    launchpad: 'uniswap_v4',
    positions: '0x3c3ea4b57a46241e54610e5f022e5c45859a1017',
  },
]

/** Kinds that only their own addresses stand for. */
const isNamedAlone = (kind: Venue): boolean =>
  MANAGERS.some((manager) => manager.kind === kind) || EXCHANGES[kind].manager !== undefined

export function presetOf(chainId: number): Preset {
  // Receipts may be older than the preset's first block.
  if (PRESET_CHAIN_IDS.includes(chainId)) return { ...loadPreset(chainId), startBlock: 0 }
  const factories = VENUES.filter((kind) => !isNamedAlone(kind)).map((kind, at) => ({
    address: `0x${'0'.repeat(37)}${100 + at}`,
    kind,
    launchpad: kind,
  }))
  const { makers = [], ...chain } = OTHERS[chainId] ?? { wrappedNative: '', stablecoins: [] }
  const named = makers.map((address) => ({ address, kind: 'maker', launchpad: 'maker' }))
  return loadPreset(chainId, JSON.stringify({ ...chain, factories: [...factories, ...MANAGERS, ...named] }))
}

/** One dollar for every token: what a receipt is judged by are amounts and wallets. */
export function deepPairs(
  recorded: readonly Recorded[],
  { stablecoins: [money], wrappedNative, factories }: Preset,
  decimals: ReadonlyMap<string, number>,
): DeepPair[] {
  if (!money || !factories.some(({ kind }) => kind === 'v2')) return []
  const moved = recorded.flatMap(({ logs }) => logs.flatMap((log) => (log.kind === 'transfer' ? [log.address] : [])))
  const tokens = new Set<Address>([wrappedNative, ...moved, ...FILLERS])
  tokens.delete(money)
  tokens.delete(ZERO_ADDRESS)
  const million = (token: Address) => 10n ** BigInt(6 + (decimals.get(token) ?? 18))
  return [...tokens].map((token) => ({
    token,
    money: toAddress(money),
    reserves: [million(token), million(money)] as const,
  }))
}
