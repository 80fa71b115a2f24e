// Applies what a contract told of its token again: its names, its decimals, and its supply, whose difference to the logs
// is kept. What a contract does not answer stays as it was.
import { finite } from '../../base/amount.ts'
import type { TokenMetadata } from '../../chain/contracts/reader.ts'
import { circulatingOf } from '../rows/circulating.ts'
import { noteToldSupply } from '../rows/periods.ts'
import type { TokenRecord } from '../rows/rows.ts'
import { touchToken, type Work } from '../rows/working-set.ts'
import { valueSupply } from './balance.ts'

/**
 * `told`: the answers at the end of the block being applied; undefined: none. `gone`: the part of the told supply that
 * lies at the zero address.
 */
export function learnTold(work: Work, token: TokenRecord, told: TokenMetadata | undefined, gone: bigint): void {
  token.toldBlock = work.block.number
  token.toldAt = work.block.time
  touchToken(work, token)
  if (!told) return
  const before = circulatingOf(token)
  if (told.name !== '') token.name = told.name
  if (told.symbol !== '') token.symbol = told.symbol
  if (told.decimals !== null) learnDecimals(token, told.decimals)
  // A supply of 0 is no answer about a token that moves.
  const supply = (told.totalSupply ?? 0n) - gone
  if (supply > 0n) {
    token.unlogged = (token.unlogged ?? 0n) + supply - token.supply
    token.supply = supply
  }
  valueSupply(work, token)
  if (circulatingOf(token) !== before) noteToldSupply(work, token)
}

/** From now on a whole token has other raw units, and so another price. Logged amounts stay as they are. */
function learnDecimals(token: TokenRecord, decimals: number): void {
  const before = token.decimals
  if (before === decimals) return
  token.decimals = decimals
  if (before === null) return
  const scaled = (price: number) => finite(price * 10 ** (decimals - before))
  token.priceUsd = scaled(token.priceUsd)
  token.priceQuote = token.priceQuote === null ? null : scaled(token.priceQuote)
  token.priceUnit = token.priceUnit === null ? null : scaled(token.priceUnit)
}
