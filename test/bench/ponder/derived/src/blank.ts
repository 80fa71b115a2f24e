// New rows with their initial values.
import type { Hex } from 'viem'

export const counts = { eventCount: 0, swapCount: 0, liquidityAddCount: 0, liquidityRemoveCount: 0, transferCount: 0 }
const basis = { boughtUsd: 0, soldUsd: 0, soldKnownUsd: 0, realisedUsd: 0 }

export const newWallet = (address: Hex, time: bigint) => ({
  address,
  firstSeenAt: time,
  firstFunder: null,
  ...counts,
  ...basis,
  closedCount: 0,
  winCount: 0,
  peakRealisedUsd: 0,
  maxDrawdownUsd: 0,
  closedTokenCount: 0,
  boughtTokenCount: 0,
  earlyBuyCount: 0,
  snipeCount: 0,
  lastTradeAt: null,
})
export const newPosition = (token: Hex, wallet: Hex, time: bigint) => ({
  token,
  wallet,
  balance: 0n,
  costQuantity: 0,
  costUsd: 0,
  ...basis,
  ...counts,
  buyRank: null,
  firstBuyAt: null,
  firstAt: time,
  lastAt: time,
})
export const newToken = (
  address: Hex,
  said: { name: string; symbol: string; decimals: number },
  isStable: boolean,
) => ({
  address,
  ...said,
  supply: 0n,
  burned: 0n,
  holderCount: 0,
  deployer: null,
  pool: null,
  priced: false,
  priceUsd: isStable ? 1 : 0,
  marketCapUsd: 0,
  liquidityUsd: 0,
  peakLiquidityUsd: 0,
  firstLiquidityAt: null,
  firstLiquidityBlock: null,
  buyerCount: 0,
  ...counts,
})
