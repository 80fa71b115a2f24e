// The wallets of a holder map: the largest holders, and those that only link them.
import { percent, shortAddress, words } from '../format.ts'
import type { MapData, MapDays } from './query.ts'

export interface MapWallet {
  address: string
  /** Null: it holds too little to be among the largest, and only links others. */
  classification: string | null
  pct: number
  /** The number of its cluster, from 1; null: it belongs to none. */
  cluster: number | null
}

interface Held {
  address: string
  classification: string
  holdingPct: number | null
}

/** The wallets of now, and of each earlier day that had holders, the oldest first. */
export const toTimes = (data: MapData, days: MapDays): { start: string | null; wallets: MapWallet[] }[] => [
  ...(days ?? [])
    .filter(({ holders }) => holders.some(({ holdingPct }) => holdingPct !== null))
    .map(({ start, holders }) => ({ start, wallets: toWallets(holders, data) })),
  { start: null, wallets: toWallets(data.holders.nodes, data) },
]

/** Each wallet once, with its largest share: it keeps its place while the time moves. */
export function largestOf(times: readonly { wallets: readonly MapWallet[] }[]): MapWallet[] {
  const largest = new Map<string, MapWallet>()
  for (const wallet of times.flatMap(({ wallets }) => wallets))
    if (wallet.pct >= (largest.get(wallet.address)?.pct ?? 0)) largest.set(wallet.address, wallet)
  return [...largest.values()].sort((a, b) => b.pct - a.pct)
}

/** The holders, then the wallets that only link them. */
function toWallets(holders: readonly Held[], { clusters }: MapData): MapWallet[] {
  const numbers = new Map<string, number>()
  for (const [at, { wallets }] of (clusters?.clusters ?? []).entries())
    for (const one of wallets) numbers.set(one, at + 1)
  const known = new Set(holders.map(({ address }) => address))
  const linking = new Set(
    (clusters?.links ?? []).flatMap(({ from, to }) => [from, to]).filter((one) => !known.has(one)),
  )
  return [
    ...holders.map(({ address, classification, holdingPct }) => ({
      ...{ address, classification, pct: holdingPct ?? 0, cluster: numbers.get(address) ?? null },
    })),
    ...[...linking].map((address) => ({
      ...{ address, classification: null, pct: 0, cluster: numbers.get(address) ?? null },
    })),
  ]
}

/** What lies in a pool belongs to all who put it in, and its circle hides those of the holders. */
export const isPool = ({ classification }: MapWallet): boolean => classification === 'pool'

export const nameOf = ({ classification }: MapWallet): string =>
  classification === null ? 'only links others' : words(classification)

/** A circle in a sentence, for readers who cannot see it. */
export const tellWallet = (wallet: MapWallet): string =>
  `${shortAddress(wallet.address)}, ${nameOf(wallet)}, ${percent(wallet.pct)} of the supply${
    wallet.cluster === null ? '' : `, cluster ${wallet.cluster}`
  }`
