// Reads the facts of tokens as of a block, in a fixed number of statements for all tokens. What each statement reads per
// token is bounded, whatever the token's history. Call it inside one transaction, so that all facts are of the same block;
// `memory` may be shared by calls for the same block.

import { float64At, int32At, itemAt, numberAt } from '../../base/item-at.ts'
import {
  defineRead,
  double,
  findRanges,
  integer,
  listBy,
  orNull,
  type Reader,
  type RowsOf,
  seconds,
  text,
} from '../../database/column-query.ts'
import { readContractFacts } from './contract.ts'
import { readDeployerRecords } from './deployers.ts'
import type { FactsBlock, PreviousScore, TokenFacts, TraderFacts } from './facts.ts'
import { type HolderRows, listHolders, readHolderRows } from './holders.ts'
import { readLaunchHolders, takeDue } from './launch.ts'
import { readLinks } from './links.ts'
import type { Memory } from './memory.ts'
import { readPoolFacts } from './pools.ts'
import { type Scale, toScale } from './scale.ts'
import { listSwaps, readSwaps, readWeekHours, type SwapRows } from './swaps.ts'
import { readTraders, readWallets, type TraderPairs } from './traders.ts'

const readTokenRows = defineRead(
  'facts tokens',
  {
    id: integer('id'),
    name: text('name'),
    symbol: text('symbol'),
    launchpad: text('launchpad'),
    // Without a start nothing is older than the index: a supply without a log does not hide the opening.
    partial: integer('(partial AND (SELECT start_block FROM chain) > 0)::int'),
    createdAt: seconds('created_at'),
    firstLiquidityAt: seconds('first_liquidity_at'),
    decimals: double('decimals::float8'),
    supply: double('supply::float8'),
    burned: double('burned::float8'),
    priceUsd: double('price_usd'),
    marketCapUsd: double('market_cap_usd'),
    liquidityUsd: double('liquidity_usd'),
    peakLiquidityUsd: double('peak_liquidity_usd'),
    volume24hUsd: double('volume_24h_micro_usd::float8 / 1e6'),
    holderCount: integer('holder_count'),
    fundedHolderCount: integer('funded_holder_count'),
    fundedHolderCount1hAgo: integer('funded_holder_count_1h_ago'),
    buyerCount: integer('buyer_count'),
    swapCount: integer('swap_count'),
    liquidityAddCount: integer('liquidity_add_count'),
    liquidityRemoveCount: integer('liquidity_remove_count'),
    transferCount: integer('transfer_count'),
    eventCount: integer('event_count'),
    isQuote: integer('(address = ANY($2::text[]))::int'),
    previousScore: double('s.risk_score'),
    previousAt: seconds('s.updated_at'),
    heldUntil: seconds('s.held_until'),
  },
  (columns) => `SELECT ${columns} FROM token LEFT JOIN token_score s ON s.token_id = token.id
    WHERE id = ANY($1::int[]) AND indexed AND kind = 'erc20' ORDER BY id`,
)

type TokenRows = RowsOf<typeof readTokenRows>

/** The facts of the indexed tokens among `ids`, in ascending order of id. Each token's facts are made when the iterator reaches it. */
export async function loadTokenFacts(
  client: Reader,
  ids: readonly number[],
  block: FactsBlock,
  memory: Memory,
): Promise<Iterable<TokenFacts>> {
  const rows = await readTokenRows(client, [ids, `{${memory.rules.quotes.join(',')}}`])
  const tokenIds = [...rows.id]
  const scales = listScales(rows)
  const swapsRead = memory.recentSwaps?.read ?? readSwaps
  const [poolsOf, positions, swaps, hoursOf, contractOf, recordOf, launchOf] = await Promise.all([
    readPoolFacts(client, tokenIds, block, memory.rules),
    readHolderRows(client, tokenIds, block),
    swapsRead(client, new Map(tokenIds.map((id, at) => [id, int32At(rows.swapCount, at)])), block),
    readWeekHours(client, tokenIds, block),
    readContractFacts(client, tokenIds),
    readDeployerRecords(client, tokenIds),
    readLaunchHolders(client, listLaunchesDue(rows, block, memory), memory.rules.launch),
  ])
  const pairs = findTraders(tokenIds, swaps, positions)
  const known = await readWallets(client, [positions.walletId, pairs.walletIds], memory)
  const tradersOf = await readTraders(client, pairs, known, scales)
  const walletsOf = listWallets(positions, pairs)
  const { linksOf, isFundedBy } = await readLinks(client, { tokenIds, walletsOf }, known, memory)
  const holdersOf = listHolders(positions, known, scales)
  const swapsOf = listSwaps(swaps)

  /** Removes funders that connect nobody: services, and senders of airdrops. */
  const dropServices = <Wallet extends TraderFacts>(wallets: Wallet[]): Wallet[] => {
    for (const wallet of wallets)
      if (wallet.firstFunderId !== null && !isFundedBy(wallet.id, wallet.firstFunderId)) wallet.firstFunderId = null
    return wallets
  }
  function* toFacts(): Generator<TokenFacts> {
    for (const [at, id] of tokenIds.entries()) {
      yield Object.assign(toToken(rows, at, scales.get(id), block), {
        chainId: memory.rules.chainId,
        pools: poolsOf(id),
        holders: dropServices(holdersOf(id)),
        traders: dropServices(tradersOf(id)),
        swaps: swapsOf(id),
        hours: hoursOf(id),
        links: linksOf(id),
        contract: contractOf(id),
        deployerRecord: recordOf(id),
        launch: launchOf(id),
      })
    }
  }
  return toFacts()
}

/** The tokens whose launches are read: those of much traded tokens once in a while. */
const listLaunchesDue = (rows: TokenRows, block: FactsBlock, { launches }: Memory): number[] =>
  takeDue(
    launches,
    Array.from(rows.id, (id, at) => ({ id, eventCount: int32At(rows.eventCount, at) })),
    block.time,
  )

/** Scales by token id. */
function listScales({ id, decimals, supply, burned }: TokenRows): Map<number, Scale> {
  const scales = new Map<number, Scale>()
  for (const [at, tokenId] of id.entries())
    scales.set(tokenId, toScale(orNull(decimals[at]), float64At(supply, at), float64At(burned, at)))
  return scales
}

/** The wallets of the swaps that are not among the holders. */
function findTraders(
  tokens: readonly number[],
  { tokenId: swapTokens, walletId: swapWallets }: SwapRows,
  { tokenId: holderTokens, walletId: holderWallets }: HolderRows,
): TraderPairs {
  const [heldIn, tradedIn] = [findRanges(holderTokens), findRanges(swapTokens)]
  const pairs: TraderPairs = { tokenIds: [], walletIds: [] }
  for (const tokenId of tokens) {
    const traded = tradedIn(tokenId)
    if (traded.from === traded.to) continue
    const held = heldIn(tokenId)
    const seen = new Set<number>()
    for (let at = held.from; at < held.to; at += 1) seen.add(int32At(holderWallets, at))
    for (let at = traded.from; at < traded.to; at += 1) {
      const walletId = int32At(swapWallets, at)
      if (seen.has(walletId)) continue
      seen.add(walletId)
      pairs.tokenIds.push(tokenId)
      pairs.walletIds.push(walletId)
    }
  }
  return pairs
}

/** Returns a function that lists the ids of a token's holders and traders. */
function listWallets({ tokenId, walletId }: HolderRows, pairs: TraderPairs): (tokenId: number) => number[] {
  const holdersOf = listBy(tokenId, (at) => int32At(walletId, at))
  const tradersOf = listBy(pairs.tokenIds, (at) => numberAt(pairs.walletIds, at))
  return (id) => holdersOf(id).concat(tradersOf(id))
}

function toToken(rows: TokenRows, at: number, scale: Scale | undefined, block: FactsBlock) {
  const [supply, burned, priceUsd] = [
    float64At(rows.supply, at),
    float64At(rows.burned, at),
    float64At(rows.priceUsd, at),
  ]
  return {
    id: int32At(rows.id, at),
    block,
    name: itemAt(rows.name, at),
    symbol: itemAt(rows.symbol, at),
    launchpad: itemAt(rows.launchpad, at),
    partial: rows.partial[at] === 1,
    createdAt: float64At(rows.createdAt, at),
    firstLiquidityAt: orNull(rows.firstLiquidityAt[at]),
    circulating: scale && scale.circulating > 0 ? scale.circulating : null,
    burnedShare: supply > 0 ? Math.min(1, burned / supply) : null,
    priceUsd: priceUsd > 0 ? priceUsd : null,
    marketCapUsd: priceUsd > 0 ? float64At(rows.marketCapUsd, at) : null,
    liquidityUsd: float64At(rows.liquidityUsd, at),
    peakLiquidityUsd: float64At(rows.peakLiquidityUsd, at),
    volume24hUsd: float64At(rows.volume24hUsd, at),
    holderCount: int32At(rows.holderCount, at),
    fundedHolderCount: int32At(rows.fundedHolderCount, at),
    fundedHolderCount1hAgo: int32At(rows.fundedHolderCount1hAgo, at),
    buyerCount: int32At(rows.buyerCount, at),
    swapCount: int32At(rows.swapCount, at),
    liquidityAddCount: int32At(rows.liquidityAddCount, at),
    liquidityRemoveCount: int32At(rows.liquidityRemoveCount, at),
    transferCount: int32At(rows.transferCount, at),
    isQuote: rows.isQuote[at] === 1,
    previous: toPrevious(rows, at),
  }
}

function toPrevious(rows: TokenRows, at: number): PreviousScore | null {
  const riskScore = orNull(rows.previousScore[at])
  if (riskScore === null) return null
  return { riskScore, time: float64At(rows.previousAt, at), heldUntil: orNull(rows.heldUntil[at]) }
}
