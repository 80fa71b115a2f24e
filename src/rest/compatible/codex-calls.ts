// Pure. The table of the calls of Codex that are answered: each with our document, its variables, and the answer in their
// names. A field of theirs that has no equal here is null.
import { INTERVAL_SECONDS, type Interval } from '../../base/interval.ts'
import type { CandleRow } from '../../ledger/read/candle.ts'
import {
  type AnswerCall,
  type Args,
  answers,
  type Described,
  readTokenAddress,
  refuseArgument,
  TOKEN,
  toToken,
  toUnixSeconds,
} from './codex-call.ts'
import { filterTokens } from './codex-filter.ts'

const MOST_PRICES = 25
const MOST_BARS = 1_000

/** Their resolution: our interval. */
const INTERVAL_OF: ReadonlyMap<string, Interval> = new Map([
  ['1', 'm1'],
  ['5', 'm5'],
  ['15', 'm15'],
  ['60', 'h1'],
  ['240', 'h4'],
  ['1D', 'd1'],
])

interface PriceInput {
  address?: unknown
  networkId?: unknown
  timestamp?: unknown
  blockNumber?: unknown
}

interface Priced {
  address: string
  priceUsd: number | null
  pricedAt: string | null
  liquidityUsd: number
  priceChange: { h24: number | null }
}

const inputsOf = ({ inputs }: Args): PriceInput[] => (Array.isArray(inputs) ? inputs : []).map((each) => ({ ...each }))

const getTokenPrices = answers<{ tokens: { nodes: Priced[] } }>({
  document: `query Prices($addresses: [Address!]!) {
    chain { chainId }
    tokens(addresses: $addresses, first: ${MOST_PRICES}) { nodes { address priceUsd pricedAt liquidityUsd priceChange { h24 } } }
  }`,
  networks: (args) => inputsOf(args).map(({ networkId }) => networkId),
  toVariables(args) {
    const inputs = inputsOf(args)
    if (inputs.length === 0 || inputs.length > MOST_PRICES)
      throw refuseArgument('inputs', `must be 1 to ${MOST_PRICES} tokens`)
    if (inputs.some(({ timestamp, blockNumber }) => (timestamp ?? blockNumber ?? null) !== null))
      throw refuseArgument('inputs', 'must have no timestamp and no blockNumber: getTokenBars has past prices')
    return { addresses: [...new Set(inputs.map(({ address }) => readTokenAddress('address', address)))] }
  },
  shape({ tokens }, args) {
    const known = new Map(tokens.nodes.map((token) => [token.address, token]))
    return inputsOf(args).map(({ address, networkId }) => {
      const token = known.get(String(address).toLowerCase())
      if (!token || token.priceUsd === null) return null
      const { priceUsd, pricedAt, liquidityUsd, priceChange } = token
      const priceChange24 = priceChange.h24 === null ? null : priceChange.h24 / 100
      return {
        address: token.address,
        networkId,
        priceUsd,
        timestamp: toUnixSeconds(pricedAt),
        liquidityUsd: String(liquidityUsd),
        priceChange24,
      }
    })
  },
})

const inputOf = ({ input }: Args): PriceInput => ({ ...Object(input) })

const token = answers<{ token: Described | null }>({
  document: `query Token($address: Address!) { chain { chainId } token(address: $address) { ${TOKEN} } }`,
  networks: (args) => [inputOf(args).networkId],
  toVariables: (args) => ({ address: readTokenAddress('address', inputOf(args).address) }),
  shape: (answer, args) => (answer.token ? toToken(answer.token, inputOf(args).networkId) : undefined),
})

interface Bar extends Omit<CandleRow, 'start'> {
  start: string
}

const symbolOf = ({ symbol }: Args): string[] => String(symbol).split(':')

function toTime(field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 33)
    throw refuseArgument(field, 'must be a time in whole seconds')
  return value
}

const bars = answers<{ token: (Described & { candles: Bar[] }) | null }>({
  document: `query Bars($address: Address!, $interval: Interval, $from: DateTime, $to: DateTime, $limit: Int) {
    chain { chainId }
    token(address: $address) {
      ${TOKEN}
      candles(interval: $interval, from: $from, to: $to, limit: $limit) {
        start openUsd highUsd lowUsd closeUsd openQuote highQuote lowQuote closeQuote
        volumeUsd buyCount sellCount buyVolumeUsd sellVolumeUsd liquidityUsd
      }
    }
  }`,
  networks: (args) => [Number(symbolOf(args)[1])],
  toVariables(args) {
    const interval = INTERVAL_OF.get(String(args.resolution))
    if (!interval) throw refuseArgument('resolution', `must be one of ${[...INTERVAL_OF.keys()].join(', ')}`)
    const [from, to] = [toTime('from', args.from), toTime('to', args.to)]
    const isCounted = (args.countback ?? null) !== null
    const limit = isCounted ? Math.min(Number(args.countback), MOST_BARS) : MOST_BARS
    if (!Number.isInteger(limit) || limit < 1 || from > to)
      throw refuseArgument('from', 'must not lie after to, and countback must be a whole number above 0')
    if (!isCounted && (to - from) / INTERVAL_SECONDS[interval] >= MOST_BARS)
      throw refuseArgument('from', `must be at most ${MOST_BARS} bars before to; countback shortens the range`)
    return {
      address: readTokenAddress('symbol', symbolOf(args)[0]),
      interval,
      // The last bars before `to`, which may lie after the newest block.
      from: isCounted ? null : new Date(from * 1_000).toISOString(),
      to: new Date(to * 1_000).toISOString(),
      limit,
    }
  },
  shape(answer, args) {
    if (!answer.token) return undefined
    const candles = answer.token.candles.filter(({ start }) => Date.parse(start) >= Number(args.from) * 1_000)
    const inQuote = args.currencyCode === 'TOKEN'
    const column = (of: (bar: Bar) => unknown) => candles.map(of)
    return {
      s: candles.length > 0 ? 'ok' : 'no_data',
      t: column(({ start }) => toUnixSeconds(start)),
      o: column((each) => (inQuote ? each.openQuote : each.openUsd)),
      h: column((each) => (inQuote ? each.highQuote : each.highUsd)),
      l: column((each) => (inQuote ? each.lowQuote : each.lowUsd)),
      c: column((each) => (inQuote ? each.closeQuote : each.closeUsd)),
      volume: column(({ volumeUsd }) => String(volumeUsd)),
      buys: column(({ buyCount }) => buyCount),
      sells: column(({ sellCount }) => sellCount),
      buyVolume: column(({ buyVolumeUsd }) => String(buyVolumeUsd)),
      sellVolume: column(({ sellVolumeUsd }) => String(sellVolumeUsd)),
      liquidity: column(({ liquidityUsd }) => String(liquidityUsd)),
      token: toToken(answer.token, Number(symbolOf(args)[1])),
    }
  },
})

export const CODEX_CALLS: Readonly<Record<string, AnswerCall>> = {
  getTokenPrices,
  filterTokens,
  token,
  getBars: bars,
  getTokenBars: bars,
}
