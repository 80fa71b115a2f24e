// Identifiers of tokens -> their facts as of a block: seven flat statements for all of them, each bounded per token
// whatever its history. Call inside one transaction, so that the facts are of one moment;
// `memory` is for calls of the same block.

import { findRanges, listBy, type Reader, readRows } from '../../database/column-query.ts'
import type { FactsBlock, TokenFacts, TraderFacts } from './facts.ts'
import { type HolderRows, listHolders, readHolderRows } from './holders.ts'
import { readLinks } from './links.ts'
import type { Memory } from './memory.ts'
import { readPoolFacts } from './pools.ts'
import { toScale } from './scale.ts'
import { listSwaps, readSwaps, readTradedHours, type SwapRows } from './swaps.ts'
import { readTraders, readWallets, type TraderPairs } from './traders.ts'

const TOKENS = `SELECT id, name, symbol, launchpad, partial, date_part('epoch', created_at),
  date_part('epoch', first_liquidity_at), decimals, supply::float8, burned::float8, price_usd, market_cap_usd,
  liquidity_usd, peak_liquidity_usd, volume_24h_micro_usd::float8 / 1e6, holder_count, holder_count_1h_ago, buyer_count,
  swap_count, liquidity_add_count, liquidity_remove_count, transfer_count, address = ANY($2::text[])
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
  isQuote: boolean,
]

/** Facts of those of the tokens that are indexed, in order of their ids, each made when it is asked for. */
export async function loadTokenFacts(
  client: Reader,
  ids: readonly number[],
  block: FactsBlock,
  memory: Memory,
): Promise<Iterable<TokenFacts>> {
  const rows = await readRows<TokenRow>(client, 'facts tokens', TOKENS, [ids, `{${memory.rules.quotes.join(',')}}`])
  const tokenIds = rows.map((row) => row[0])
  const scales = new Map(
    rows.flatMap((row) => {
      const scale = toScale(row[7], row[8], row[9])
      return scale ? [[row[0], scale] as const] : []
    }),
  )
  const [poolsOf, positions, swaps, hoursOf] = await Promise.all([
    readPoolFacts(client, tokenIds, block, memory.rules),
    readHolderRows(client, [...scales.keys()], block),
    readSwaps(client, new Map(rows.map((row) => [row[0], row[18]])), block),
    readTradedHours(client, tokenIds, block),
  ])
  const pairs = findTraders(tokenIds, swaps, positions)
  const known = await readWallets(client, [positions[1], pairs.walletIds], memory)
  const tradersOf = await readTraders(client, pairs, known, scales)
  const walletsOf = listWallets(positions, pairs)
  const { linksOf, isService } = await readLinks(client, tokenIds, walletsOf, known, memory)
  const holdersOf = listHolders(positions, known, scales)
  const swapsOf = listSwaps(swaps)

  /** Services are taken out of the wallets' funders. */
  const dropServices = <Wallet extends TraderFacts>(wallets: Wallet[]): Wallet[] => {
    for (const wallet of wallets)
      if (wallet.firstFunderId !== null && isService(wallet.firstFunderId)) wallet.firstFunderId = null
    return wallets
  }
  function* toFacts(): Generator<TokenFacts> {
    for (const row of rows) {
      const id = row[0]
      yield Object.assign(toToken(row, block), {
        pools: poolsOf(id),
        holders: scales.has(id) ? dropServices(holdersOf(id)) : null,
        traders: dropServices(tradersOf(id)),
        swaps: swapsOf(id),
        hours: hoursOf(id),
        links: linksOf(id),
      })
    }
  }
  return toFacts()
}

/** Wallets of the swaps that are not among the holders. */
function findTraders(
  tokens: readonly number[],
  [swapTokens, swapWallets]: SwapRows,
  [holderTokens, holderWallets]: HolderRows,
): TraderPairs {
  const [heldIn, tradedIn] = [findRanges(holderTokens), findRanges(swapTokens)]
  const pairs: TraderPairs = { tokenIds: [], walletIds: [] }
  for (const tokenId of tokens) {
    const traded = tradedIn(tokenId)
    if (traded.from === traded.to) continue
    const held = heldIn(tokenId)
    const seen = new Set<number>()
    for (let at = held.from; at < held.to; at += 1) seen.add(holderWallets[at] as number)
    for (let at = traded.from; at < traded.to; at += 1) {
      const walletId = swapWallets[at] as number
      if (seen.has(walletId)) continue
      seen.add(walletId)
      pairs.tokenIds.push(tokenId)
      pairs.walletIds.push(walletId)
    }
  }
  return pairs
}

/** Holders and traders by token. */
function listWallets([tokens, wallets]: HolderRows, pairs: TraderPairs): (tokenId: number) => number[] {
  const holdersOf = listBy(tokens, (at) => wallets[at] as number)
  const tradersOf = listBy(pairs.tokenIds, (at) => pairs.walletIds[at] as number)
  return (tokenId) => holdersOf(tokenId).concat(tradersOf(tokenId))
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
    isQuote: row[22],
  }
}
