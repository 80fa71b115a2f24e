// Pure. The table of the calls of Codex that are answered: each with our document, its variables, and the answer in their
// names. A field of theirs that has no equal here is null.
import { parseAddress } from '../../base/address.ts'
import { AssayError, invalid } from '../../base/errors.ts'
import { INTERVAL_SECONDS, type Interval } from '../../base/interval.ts'
import type { AskGraph } from '../../graph/run/ask.ts'
import type { CandleRow } from '../../ledger/read/candle.ts'

type Args = Record<string, unknown>

interface ForeignCall<Answer> {
  document: string
  /** Throws INVALID_PARAMS for arguments that the call does not take. */
  toVariables(args: Args): Record<string, unknown>
  /** The chains that the arguments name. */
  networks(args: Args): unknown[]
  /** The value in their names; undefined: the token is not indexed. */
  shape(answer: Answer, args: Args): unknown
}

/** Answers a call. Throws INVALID_PARAMS for its arguments, and NOT_FOUND for a token that is not indexed. */
type AnswerCall = (args: Args, asker: { ask: AskGraph; admission: Parameters<AskGraph>[2] }) => Promise<unknown>

function answers<Answer extends object>(call: ForeignCall<Answer>): AnswerCall {
  return async (args, { ask, admission }) => {
    const variables = call.toVariables(args)
    const answer = await ask<Answer & { chain: { chainId: number } | null }>(call.document, variables, admission)
    const foreign = call.networks(args).find((network) => network !== answer.chain?.chainId)
    if (foreign !== undefined)
      throw refuse(
        'networkId',
        `${String(foreign).slice(0, 20)} is not indexed here; ${answer.chain?.chainId ?? 'none'} is`,
      )
    const value = call.shape(answer, args)
    if (value === undefined) throw new AssayError('NOT_FOUND', 'This token is not indexed.')
    return value
  }
}

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

const refuse = (field: string, message: string) =>
  invalid([{ location: 'body', field, message: `${field} ${message}` }])

function readAddress(field: string, value: unknown): string {
  const address = parseAddress(String(value))
  if (!address) throw refuse(field, 'must be 0x and 40 hex digits')
  return address
}

const given = (value: number | null): string | null => (value === null ? null : String(value))
const seconds = (time: string | null): number | null => (time === null ? null : Math.floor(Date.parse(time) / 1_000))

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
    if (inputs.length === 0 || inputs.length > MOST_PRICES) throw refuse('inputs', `must be 1 to ${MOST_PRICES} tokens`)
    if (inputs.some(({ timestamp, blockNumber }) => (timestamp ?? blockNumber ?? null) !== null))
      throw refuse('inputs', 'must have no timestamp and no blockNumber: getTokenBars has past prices')
    return { addresses: [...new Set(inputs.map(({ address }) => readAddress('address', address)))] }
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
        timestamp: seconds(pricedAt),
        liquidityUsd: String(liquidityUsd),
        priceChange24,
      }
    })
  },
})

interface Described {
  address: string
  name: string
  symbol: string
  decimals: number | null
  supply: number | null
  circulatingSupply: number | null
  createdBlock: number
  createdAt: string
  deployer: { address: string } | null
}

const TOKEN = 'address name symbol decimals supply circulatingSupply createdBlock createdAt deployer { address }'

function toToken(token: Described, networkId: unknown) {
  const { address, name, symbol } = token
  const own = {
    id: `${address}:${networkId}`,
    address,
    networkId,
    name,
    symbol,
    totalSupply: given(token.supply),
    circulatingSupply: given(token.circulatingSupply),
  }
  return {
    ...own,
    info: own,
    decimals: token.decimals,
    creatorAddress: token.deployer?.address ?? null,
    createBlockNumber: token.createdBlock,
    createdAt: seconds(token.createdAt),
  }
}

const inputOf = ({ input }: Args): PriceInput => ({ ...Object(input) })

const token = answers<{ token: Described | null }>({
  document: `query Token($address: Address!) { chain { chainId } token(address: $address) { ${TOKEN} } }`,
  networks: (args) => [inputOf(args).networkId],
  toVariables: (args) => ({ address: readAddress('address', inputOf(args).address) }),
  shape: (answer, args) => (answer.token ? toToken(answer.token, inputOf(args).networkId) : undefined),
})

interface Bar extends Omit<CandleRow, 'start'> {
  start: string
}

const symbolOf = ({ symbol }: Args): string[] => String(symbol).split(':')

function toTime(field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 33)
    throw refuse(field, 'must be a time in whole seconds')
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
    if (!interval) throw refuse('resolution', `must be one of ${[...INTERVAL_OF.keys()].join(', ')}`)
    const [from, to] = [toTime('from', args.from), toTime('to', args.to)]
    const isCounted = (args.countback ?? null) !== null
    const limit = isCounted ? Math.min(Number(args.countback), MOST_BARS) : MOST_BARS
    if (!Number.isInteger(limit) || limit < 1 || from > to)
      throw refuse('from', 'must not lie after to, and countback must be a whole number above 0')
    if (!isCounted && (to - from) / INTERVAL_SECONDS[interval] >= MOST_BARS)
      throw refuse('from', `must be at most ${MOST_BARS} bars before to; countback shortens the range`)
    return {
      address: readAddress('symbol', symbolOf(args)[0]),
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
      t: column(({ start }) => seconds(start)),
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
  token,
  getBars: bars,
  getTokenBars: bars,
}
