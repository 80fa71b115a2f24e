// Calls of the code in Trader.sol, and its answers. Input: a market and an amount. Output: call data; for an answer,
// the outcome.
import type { Address } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import { abiWord, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { readRevertData } from '../node/refusal.ts'
import type { Market } from './market.ts'
import code from './trader.json' with { type: 'json' }

export const TRADER_CODE = code.trader as Hex
const LAUNCH_CODE = code.launch as Hex

/** The failed step of a trade; `none`: no step. `funds`: there was nothing to trade with. */
const STAGES = ['none', 'funds', 'token', 'pool'] as const
export type Stage = (typeof STAGES)[number]

export interface TradeOutcome {
  stage: Stage
  /** Raw units of the token that left the seller, or the pool. */
  left: bigint
  /** And that arrived at the pool, or the buyer. */
  arrived: bigint
  /** The trader's proceeds: of the quote for a sale. */
  received: bigint
  text: string
}

const MARKET = '(uint8,address,address,address,uint24,int24,address,bool,bool)'
const BUY = selectorOf(`buy(${MARKET},uint256,address)`)
const SELL = selectorOf(`sell(${MARKET},uint256,address)`)

const marketWords = ({ kind, pool, token, quote, fee, spacing, hooks, native, wraps }: Market): string =>
  [kind, pool, token, quote, fee, spacing, hooks, native, wraps].map(abiWord).join('')

export const buyData = (market: Market, amount: bigint, to: Address): Hex =>
  `${BUY}${marketWords(market)}${abiWord(amount)}${abiWord(to)}`
/** An amount of 0 sells everything. */
export const sellData = (market: Market, amount: bigint, payer: Address): Hex =>
  `${SELL}${marketWords(market)}${abiWord(amount)}${abiWord(payer)}`
/** Code that buys and sells in a constructor. */
export const launchData = (market: Market, amount: bigint): Hex =>
  `${LAUNCH_CODE}${marketWords(market)}${abiWord(amount)}`

/** The outcome whose offset is at this word; null for an unknown answer. */
export function readOutcome(data: unknown, at = 0): TradeOutcome | null {
  const offset = readUint(data, at)
  if (!isHex(data) || offset === null || offset % 32n !== 0n || offset > 4_096n) return null
  const first = Number(offset) / 32
  const [stage, left, arrived, received, said] = [0, 1, 2, 3, 4].map((place) => readUint(data, first + place))
  const name = STAGES[Number(stage ?? 99n)]
  if (name === undefined || left == null || arrived == null || received == null) return null
  return { stage: name, left, arrived, received, text: readSaid(data, first, said ?? 0n) }
}

/** The contract's bytes, after the mark of their source. */
function readSaid(data: Hex, first: number, offset: bigint): string {
  if (offset > 4_096n) return ''
  const start = first + Number(offset) / 32
  const length = Math.min(Number(readUint(data, start) ?? 0n), 257)
  const said = data.slice(2 + 64 * (start + 1), 2 + 64 * (start + 1) + 2 * length)
  return readRevertData(`0x${/^f[de]/.test(said) ? said.slice(2) : said}`)
}
