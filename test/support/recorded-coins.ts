// Swaps of pools of coins in recorded transactions, and the answers of their contracts. The log itself, else the
// transfers of the swap, give the two coins of a pool. The recording's name of the log gives the maker of a pool.
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Recording } from '../../research/goldens/recording.ts'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { itemAt } from '../../src/base/item-at.ts'
import { isOwnShare } from '../../src/chain/contracts/coin-pool.ts'
import type { DecodedLog, LogOf } from '../../src/chain/event.ts'
import type { Venue } from '../../src/chain/exchanges/venues.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { RecordedChange, RecordedSwap } from './recorded-node.ts'

export type CoinsSwap = LogOf<'coins_swap'>

/** Where the tokens of all pools of Fluid lie. */
const FLUID_LIQUIDITY = '0x52aa899454998be5b000ad077a46bbe360f4e497'

/** A swap by the numbers of the pool's coins; if the log names the coins, the paid one is the first. */
export function readCoinsSwap(logs: readonly DecodedLog[], log: CoinsSwap): RecordedSwap {
  const { amountIn, amountOut } = log
  const holders: readonly string[] = [log.address, FLUID_LIQUIDITY]
  const moved = (amount: bigint, side: 'from' | 'to') =>
    logs.find((other) => other.kind === 'transfer' && other.amount === amount && holders.includes(other[side]))?.address
  const sides: [bigint, Address | null][] = [
    [amountIn, log.tokenIn ?? moved(amountIn, 'to') ?? null],
    [-amountOut, log.tokenOut ?? moved(amountOut, 'from') ?? null],
  ]
  const [first, second] = (log.coinIn === 1 ? sides.reverse() : sides) as typeof sides
  return {
    log,
    pool: log.pool ?? log.address,
    amounts: [first?.[0] ?? 0n, second?.[0] ?? 0n],
    tokens: [first?.[1] ?? null, second?.[1] ?? null],
  }
}

const VENUE_OF: readonly [name: string, venue: Venue][] = [
  ['curve.', 'curve'],
  ['bal1.', 'balancer_v1'],
  ['uni1.', 'uniswap_v1'],
  ['dodo.', 'dodo'],
  ['bal2.', 'balancer_v2'],
  ['bal3.', 'balancer_v3'],
  ['fluid.', 'fluid'],
  ['lfj', 'lfj'],
  ['mav2.', 'maverick'],
]

const call = (to: Address, selector: string, ...args: (Address | bigint)[]) =>
  `${to} ${selector}${args.map((arg) => BigInt(arg).toString(16).padStart(64, '0')).join('')}`
const words = (...values: (Address | bigint)[]): `0x${string}` =>
  `0x${values.map((value) => BigInt(value).toString(16).padStart(64, '0')).join('')}`

/** What contracts say of the pool, by address and call data. */
export function tellCoinPool(
  { events }: Recording,
  preset: Preset,
  named: RecordedSwap | RecordedChange,
): [string, `0x${string}`][] {
  const name = events.find(({ logIndex }) => Number(logIndex) === named.log.logIndex)?.name ?? ''
  const venue = VENUE_OF.find(([beginning]) => name.startsWith(beginning))?.[1]
  const factory = preset.factories.find(({ kind }) => kind === venue)?.address
  const { pool, log } = named
  const isListed = log.kind === 'coins_change' && log.coins.length > 1
  const coins = (isListed ? log.coins : named.tokens).flatMap((coin) => coin ?? [])
  // A coin that the transaction does not move: of a change of one coin, and of a swap of a pool's own share.
  if (coins.length === 1 || (!isListed && coins.some((coin) => isOwnShare(pool, coin))))
    coins.push(itemAt(FILLERS, coins.length))
  const [coin0, coin1] = coins
  // The native coin of this exchange has no transfer.
  if (factory && venue === 'uniswap_v1' && coin0) return [[call(factory, '0x59770438', pool), words(coin0)]]
  if (!factory || !coin0 || !coin1) return []
  const list = parseAbiParameters('address[]')
  switch (venue) {
    case 'curve':
      return [[call(factory, '0x9ac90d3d', pool), words(coin0, coin1, ...Array<Address>(6).fill(ZERO_ADDRESS))]]
    case 'balancer_v1':
      return [
        [call(factory, '0xc2bb6dc2', pool), words(1n)],
        [call(pool, '0xbe3bbd2e'), encodeAbiParameters(list, [coins])],
      ]
    case 'dodo':
      return [
        [call(pool, '0x4a248d2a'), words(coin0)],
        [call(pool, '0xd4b97046'), words(coin1)],
        [call(factory, '0x57a281dc', coin0, coin1), encodeAbiParameters(list, [[pool]])],
      ]
    case 'balancer_v2':
      return [
        [
          call(factory, '0xf94d4668', pool),
          encodeAbiParameters(parseAbiParameters('address[], uint256[], uint256'), [coins, coins.map(() => 0n), 0n]),
        ],
      ]
    case 'balancer_v3':
      return [[call(factory, '0xca4f2803', pool), encodeAbiParameters(list, [coins])]]
    case 'fluid':
      return [
        [call(factory, '0x3c11e12a', pool), words(1n)],
        [call(pool, '0xb7791bf2'), words(...Array<bigint>(9).fill(0n), coin0, coin1)],
      ]
    case 'maverick':
      return [
        [call(factory, '0x578eaca4', pool), words(1n)],
        [call(pool, '0x0fc63d10'), words(coin0)],
        [call(pool, '0x5f64b55b'), words(coin1)],
      ]
    default:
      return [
        [call(pool, '0x05e8746d'), words(coin0)],
        [call(pool, '0xda10610c'), words(coin1)],
        [call(pool, '0x17f11ecc'), words(1n)],
        [call(factory, '0x704037bd', coin0, coin1, 1n), words(1n, pool, 0n, 0n)],
      ]
  }
}

/** Coins of a pool that its transaction does not move. */
export const FILLERS = Array.from({ length: 8 }, (_, at) => toAddress(`0x${'c'.repeat(38)}0${at}`))

/** The address that Curve uses for the native coin. */
const NATIVE = toAddress(`0x${'e'.repeat(40)}`)

/** What the registry says of each Curve pool: its coins by number, as all transfers of the recordings tell them. */
export function tellCurvePools(
  recorded: readonly { recording: Recording; logs: readonly DecodedLog[] }[],
  preset: Preset,
): [string, `0x${string}`][] {
  const factory = preset.factories.find(({ kind }) => kind === 'curve')?.address
  const pools = new Map<Address, (Address | undefined)[]>()
  for (const { recording, logs } of recorded) {
    const own = new Set(
      recording.events.flatMap(({ name, logIndex }) => (name.startsWith('curve.') ? [Number(logIndex)] : [])),
    )
    for (const log of logs) {
      if (!own.has(log.logIndex) || (log.kind !== 'coins_swap' && log.kind !== 'coins_change')) continue
      const coins = pools.get(log.address) ?? []
      pools.set(log.address, coins)
      for (const [coin, amount] of coinsMoved(log)) {
        const moved = logs.findLast(
          (other) =>
            other.kind === 'transfer' &&
            other.amount === (amount < 0n ? -amount : amount) &&
            (amount < 0n ? other.from : other.to) === log.address,
        )
        coins[coin] ??= moved?.address ?? (log.kind === 'coins_swap' ? NATIVE : undefined)
      }
    }
  }
  if (!factory) return []
  return [...pools].flatMap(([pool, coins]) => {
    if (!coins.some((coin) => coin !== undefined)) return []
    const named = Array.from({ length: Math.max(2, coins.length) }, (_, at) => coins[at] ?? itemAt(FILLERS, at))
    const padding = Array<Address>(8 - named.length).fill(ZERO_ADDRESS)
    return [[call(factory, '0x9ac90d3d', pool), words(...named, ...padding)] as [string, `0x${string}`]]
  })
}

/** The numbers of the coins that moved, each with its amount; below zero: out of the pool. */
function coinsMoved(log: LogOf<'coins_swap' | 'coins_change'>): [number, bigint][] {
  if (log.kind === 'coins_change')
    return log.amounts.flatMap((amount, at) => (amount === 0n ? [] : [[at, amount] as [number, bigint]]))
  if (log.coinIn === null || log.coinOut === null || log.isUnderlying) return []
  return [
    [log.coinIn, log.amountIn],
    [log.coinOut, -log.amountOut],
  ]
}
