// Identifiers of tokens -> their facts as of a block: seven flat statements for all of them, each bounded per token
// whatever its history. Call inside one transaction, so that the facts are of one moment;
// `memory` is for calls of the same block.
import type { FactsBlock, TokenFacts, TraderFacts } from '../facts.ts'
import { type HolderRows, readHolderRows, toHolders } from './holders.ts'
import { readLinks } from './links.ts'
import { createMemory, type Memory } from './memory.ts'
import { readPools } from './pools.ts'
import { type Reader, readRows } from './query.ts'
import { toScale } from './scale.ts'
import { readHours, readSwaps } from './swaps.ts'
import { type Pair, readTraders, readWallets } from './traders.ts'

const TOKENS = `SELECT id, name, symbol, launchpad, partial, date_part('epoch', created_at),
  date_part('epoch', first_liquidity_at), decimals, supply::float8, burned::float8, price_usd, market_cap_usd,
  liquidity_usd, peak_liquidity_usd, volume_24h_micro_usd::float8 / 1e6, holder_count, holder_count_1h_ago, buyer_count,
  swap_count, liquidity_add_count, liquidity_remove_count, transfer_count
FROM token WHERE id = ANY($1::int[]) AND indexed AND kind = 'erc20' ORDER BY id`

type TokenRow = [
  id: number,
  name: string,
  symbol: string,
  launchpad: string,
  partial: boolean,
  createdAt: number,
  firstLiquidityAt: number | null,
  decimals: number | null,
  supply: number,
  burned: number,
  priceUsd: number,
  marketCapUsd: number,
  liquidityUsd: number,
  peakLiquidityUsd: number,
  volume24hUsd: number,
  holderCount: number,
  holderCount1hAgo: number,
  buyerCount: number,
  swapCount: number,
  liquidityAddCount: number,
  liquidityRemoveCount: number,
  transferCount: number,
]

/** Facts of those of the tokens that are indexed, in order of their ids. */
export async function loadTokenFacts(
  client: Reader,
  ids: readonly number[],
  block: FactsBlock,
  memory: Memory = createMemory(),
): Promise<TokenFacts[]> {
  const rows = await readRows<TokenRow>(client, 'facts tokens', TOKENS, [ids])
  const tokenIds = rows.map((row) => row[0])
  const scales = new Map(
    rows.flatMap((row) => {
      const scale = toScale(row[7], row[8], row[9])
      return scale ? [[row[0], scale] as const] : []
    }),
  )
  const [pools, positions, swaps, hours] = await Promise.all([
    readPools(client, tokenIds, block),
    readHolderRows(client, [...scales.keys()], block),
    readSwaps(client, new Map(rows.map((row) => [row[0], row[18]])), block),
    readHours(client, tokenIds, block),
  ])
  const pairs = findTraders(swaps, positions)
  const known = await readWallets(client, [positions[1], pairs.map(([, walletId]) => walletId)], memory)
  const holders = toHolders(positions, known, scales)
  const traders = await readTraders(client, pairs, known, scales)
  const wallets = new Map<number, TraderFacts[]>()
  for (const id of tokenIds) wallets.set(id, [...(holders.get(id) ?? []), ...(traders.get(id) ?? [])])
  const links = await readLinks(client, wallets, memory)
  return rows.map((row) =>
    Object.assign(toToken(row, block), {
      pools: pools.get(row[0]) ?? [],
      holders: scales.has(row[0]) ? (holders.get(row[0]) ?? []) : null,
      traders: traders.get(row[0]) ?? [],
      swaps: swaps.get(row[0]) ?? [],
      hours: hours.get(row[0]) ?? [],
      links: links.get(row[0]) ?? [],
    }),
  )
}

/** Wallets of the swaps that are not among the holders. */
function findTraders(
  swaps: ReadonlyMap<number, { walletId: number | null }[]>,
  [tokenIds, walletIds]: HolderRows,
): Pair[] {
  const held = new Map<number, Set<number>>()
  for (let at = 0; at < tokenIds.length; at += 1) {
    const tokenId = tokenIds[at] as number
    held.set(tokenId, (held.get(tokenId) ?? new Set()).add(walletIds[at] as number))
  }
  return [...swaps].flatMap(([tokenId, list]) => {
    const others = new Set<number>()
    for (const { walletId } of list) if (walletId !== null && !held.get(tokenId)?.has(walletId)) others.add(walletId)
    return [...others].map((walletId): Pair => [tokenId, walletId])
  })
}

function toToken(row: TokenRow, block: FactsBlock) {
  const scale = toScale(row[7], row[8], row[9])
  return {
    id: row[0],
    block,
    name: row[1],
    symbol: row[2],
    launchpad: row[3],
    partial: row[4],
    createdAt: row[5],
    firstLiquidityAt: row[6],
    circulating: scale && scale.circulating > 0 ? scale.circulating : null,
    burnedShare: row[8] > 0 ? Math.min(1, row[9] / row[8]) : null,
    priceUsd: row[10] > 0 ? row[10] : null,
    marketCapUsd: row[10] > 0 ? row[11] : null,
    liquidityUsd: row[12],
    peakLiquidityUsd: row[13],
    volume24hUsd: row[14],
    holderCount: row[15],
    holderCount1hAgo: row[16],
    buyerCount: row[17],
    swapCount: row[18],
    liquidityAddCount: row[19],
    liquidityRemoveCount: row[20],
    transferCount: row[21],
  }
}
