// The trade on the generated chain: launches, buys, sells and transfers, with consistent balances and reserves. Amounts
// are whole numbers of 10^-9 coins, which doubles hold exactly; in logs they have nine more zeros.
import { account, coins, GIGA, topic, transfer, word } from './chain-words.ts'
import type { GeneratedLog, GeneratedTransaction } from './encode.ts'
import { createManaged, MANAGER, POSITIONS } from './managed-state.ts'
import { createCrowd, createTraders, type Traders } from './traders.ts'

interface Pair {
  address: string
  token: string
  token0: string
  reserveToken: number
  reserveWeth: number
  traders: Traders
  balances: Map<number, number>
}

const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'
const PAIR_CREATED = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'
const SYNC = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1'
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'
const MINT = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f'

/** The supply of a token in units of 10^-9. */
const SUPPLY = 1e6 * GIGA
/** Logs between two launches. */
const LAUNCH_EVERY = 4_000
/**
 * Only this many of the newest tokens are traded, and a small share of trades is in any older token. As on real chains,
 * tokens are forgotten as others are launched, so the number traded at a time does not grow (see traders.long.test.ts).
 */
const ALIVE = 250
const REVIVED = 0.05
/** Share of the transactions that are at the manager: each has twelve logs that change nothing. */
const MANAGED_SHARE = 0.3

const WETH = account(0xc0, 1)
const USD = account(0xc0, 2)
const FACTORY = account(0xc0, 3)
const ROUTER = account(0xc0, 4)
const MONEY_PAIR = account(0xd0, 0)
const FOUNDER = account(0xaa, 0)
const ZERO = `0x${'0'.repeat(40)}`

/** `isManaged`: half of all logs are of a manager of pools, and most of these change nothing. */
export function createChainState(seed: number, isManaged = false) {
  let random = seed >>> 0
  const next = () => {
    random = (random + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(random ^ (random >>> 15), random | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pairs: Pair[] = []
  const crowd = createCrowd(next)
  const managed = isManaged ? createManaged(next, by) : null
  let logs = 0
  let started = false

  const sync = (pair: Pair): GeneratedLog => ({
    address: pair.address,
    topics: [SYNC],
    data: `0x${pair.token0 === pair.token ? coins(pair.reserveToken) + coins(pair.reserveWeth) : coins(pair.reserveWeth) + coins(pair.reserveToken)}`,
  })

  function open(pair: string, token: string, other: string, amount: string, otherAmount: string): GeneratedLog[] {
    const [token0, token1] = token < other ? [token, other] : [other, token]
    const [first, second] = token0 === token ? [amount, otherAmount] : [otherAmount, amount]
    return [
      {
        address: FACTORY,
        topics: [PAIR_CREATED, topic(token0), topic(token1)],
        data: `0x${word(pair)}${word(pairs.length + 1)}`,
      },
      transfer(token, FOUNDER, pair, amount),
      { address: WETH, topics: [DEPOSIT, topic(ROUTER)], data: `0x${otherAmount}` },
      transfer(other, ROUTER, pair, otherAmount),
      transfer(pair, ZERO, ZERO, word(1000)),
      transfer(pair, ZERO, FOUNDER, coins(1e3 * GIGA)),
      { address: pair, topics: [SYNC], data: `0x${first}${second}` },
      { address: pair, topics: [MINT, topic(ROUTER)], data: `0x${first}${second}` },
    ]
  }

  function by(from: string, value: number, made: GeneratedLog[]): GeneratedTransaction {
    const wei = `0x${coins(value).replace(/^0+(?=.)/, '')}`
    return { from, to: ROUTER, value: wei, input: '0x7ff36ab5', logs: made }
  }

  function openMoney(): GeneratedTransaction {
    const usd = word(9_000_000 * 1e6)
    return by(FOUNDER, 3_000 * GIGA, [
      transfer(USD, ZERO, FOUNDER, usd),
      ...open(MONEY_PAIR, USD, WETH, usd, coins(3_000 * GIGA)),
    ])
  }

  function launch(): GeneratedTransaction {
    const index = pairs.length
    const token = account(0xe0, index)
    const pair: Pair = {
      address: account(0xd1, index),
      token,
      token0: token < WETH ? token : WETH,
      reserveToken: SUPPLY,
      reserveWeth: (20 + Math.floor(next() * 60)) * GIGA,
      traders: createTraders(),
      balances: new Map(),
    }
    pairs.push(pair)
    const made = open(pair.address, token, WETH, coins(SUPPLY), coins(pair.reserveWeth))
    return by(FOUNDER, pair.reserveWeth, [transfer(token, ZERO, FOUNDER, coins(SUPPLY)), ...made])
  }

  /** One of the newest tokens: among the first r with probability log r / log n. Sometimes any token. */
  function pickPair(): Pair | undefined {
    if (next() < REVIVED) return pairs[Math.floor(pairs.length * next())]
    return pairs[pairs.length - Math.floor(Math.min(pairs.length, ALIVE) ** next())]
  }

  function swapLog(
    pair: Pair,
    to: string,
    tokenIn: number,
    wethIn: number,
    tokenOut: number,
    wethOut: number,
  ): GeneratedLog {
    const [first, second] = pair.token0 === pair.token ? [tokenIn, wethIn] : [wethIn, tokenIn]
    const [third, fourth] = pair.token0 === pair.token ? [tokenOut, wethOut] : [wethOut, tokenOut]
    return {
      address: pair.address,
      topics: [SWAP, topic(ROUTER), topic(to)],
      data: `0x${coins(first)}${coins(second)}${coins(third)}${coins(fourth)}`,
    }
  }

  const credit = (pair: Pair, who: number, amount: number) =>
    pair.balances.set(who, (pair.balances.get(who) ?? 0) + amount)

  function buy(pair: Pair, who: number): GeneratedTransaction {
    const wallet = account(0xab, who)
    const wei = Math.floor((0.01 + next() ** 3 * 0.8) * GIGA)
    const out = Math.floor((pair.reserveToken * (wei * 0.997)) / (pair.reserveWeth + wei * 0.997))
    pair.reserveWeth += wei
    pair.reserveToken -= out
    credit(pair, who, out)
    return by(wallet, wei, [
      { address: WETH, topics: [DEPOSIT, topic(ROUTER)], data: `0x${coins(wei)}` },
      transfer(WETH, ROUTER, pair.address, coins(wei)),
      transfer(pair.token, pair.address, wallet, coins(out)),
      sync(pair),
      swapLog(pair, wallet, 0, wei, out, 0),
    ])
  }

  function sell(pair: Pair, who: number, held: number): GeneratedTransaction {
    const wallet = account(0xab, who)
    const amount = next() < 0.4 ? held : Math.floor(held * (0.1 + 0.8 * next()))
    const out = Math.floor((pair.reserveWeth * (amount * 0.997)) / (pair.reserveToken + amount * 0.997))
    pair.balances.set(who, held - amount)
    pair.reserveToken += amount
    pair.reserveWeth -= out
    return by(wallet, 0, [
      transfer(pair.token, wallet, pair.address, coins(amount)),
      transfer(WETH, pair.address, ROUTER, coins(out)),
      sync(pair),
      swapLog(pair, ROUTER, amount, 0, 0, out),
      { address: WETH, topics: [WITHDRAWAL, topic(ROUTER)], data: `0x${coins(out)}` },
    ])
  }

  function send(pair: Pair, who: number, held: number): GeneratedTransaction {
    const to = crowd.buyer(pair.traders)
    const amount = Math.floor(held * next() * 0.5)
    pair.balances.set(who, held - amount)
    credit(pair, to, amount)
    return by(account(0xab, who), 0, [transfer(pair.token, account(0xab, who), account(0xab, to), coins(amount))])
  }

  function act(): GeneratedTransaction {
    if (managed && next() < MANAGED_SHARE) return managed.act()
    const pair = pickPair()
    if (!pair) return launch()
    const dice = next()
    if (dice < 0.5 || pair.traders.size === 0) return buy(pair, crowd.buyer(pair.traders))
    const who = crowd.seller(pair.traders)
    const held = pair.balances.get(who) ?? 0
    if (held < 1_000) return buy(pair, who)
    return dice < 0.85 ? sell(pair, who, held) : send(pair, who, held)
  }

  return {
    nextBlock(size: number): GeneratedTransaction[] {
      const made: GeneratedTransaction[] = []
      let count = 0
      while (count < size) {
        const due = pairs.length < 10 || pairs.length * LAUNCH_EVERY < logs
        const transaction = !started ? openMoney() : due ? launch() : act()
        started = true
        made.push(transaction)
        count += transaction.logs.length
        logs += transaction.logs.length
      }
      return made
    },
    tokens: () => ({
      [WETH]: { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
      [USD]: { name: 'Bench Dollar', symbol: 'bUSD', decimals: 6 },
      ...Object.fromEntries(
        [...pairs.map(({ token }) => token), ...(managed?.tokens() ?? [])].map((token, i) => [
          token,
          { name: `Bench token ${i}`, symbol: `B${i}`, decimals: 18 },
        ]),
      ),
    }),
    preset: (chainId: number) => ({
      chainId,
      name: 'bench',
      wrappedNative: WETH,
      nativeSymbol: 'ETH',
      stablecoins: [USD],
      factories: [
        { address: FACTORY, kind: 'v2', launchpad: 'bench_v2' },
        ...(managed ? [{ address: MANAGER, kind: 'v4', launchpad: 'bench_v4', positions: POSITIONS }] : []),
      ],
      burnAddresses: [ZERO],
      lockers: [],
      exchanges: [],
      finalityDepth: 64,
      minPoolDepthUsd: 1_000,
      sectors: {},
      startBlock: 0,
    }),
  }
}
