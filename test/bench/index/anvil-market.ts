// The trade on the anvil chain: hundreds of wallets buy, sell and send a few dozen tokens on Uniswap V2. It tracks the
// amounts of pools and wallets to the wei, so that no transaction fails and nothing has to be read meanwhile.
import { type Abi, type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { artifacts } from '../../support/contracts/artifacts.ts'
import { createRandom } from '../../support/market/random.ts'

export interface Order {
  from: Address
  to: Address
  value: bigint
  data: Hex
}

export interface Pool {
  token: Address
  reserveToken: bigint
  reserveWeth: bigint
}

export interface Holding {
  token: Address
  wallet: Address
  amount: bigint
  approved: boolean
}

const FOREVER = 4_000_000_000n
const COIN = 10n ** 18n
/** Initial funds of a wallet; buys are small compared with it. */
const ALLOWANCE = 10_000n * COIN
/** Share of deeds by a new wallet. */
const NEWCOMERS = 0.04
/**
 * Wallets that are funded in advance, because a node accepts no transaction from an account that cannot pay for it yet.
 */
const PAID_AHEAD = 50
/** Logs per buy or sale: Deposit or Withdrawal, two Transfers, Sync, Swap. */
const TRADE_LOGS = 5
const router = artifacts.v2Router.abi
const erc20 = artifacts.plainToken.abi

/** Uniswap V2's getAmountOut. */
const amountOut = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint =>
  (amountIn * 997n * reserveOut) / (reserveIn * 1_000n + amountIn * 997n)

const walletAt = (index: number): Address =>
  `0xab${(Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}${index.toString(16).padStart(30, '0')}`

const call = (from: Address, to: Address, abi: Abi, name: string, args: readonly unknown[], value = 0n): Order => ({
  from,
  to,
  value,
  data: encodeFunctionData({ abi, functionName: name, args }),
})

interface Places {
  router: Address
  weth: Address
  founder: Address
  pools: readonly Pool[]
}

export function createMarket(seed: number, { router: at, weth, founder, pools }: Places) {
  const random = createRandom(seed)
  const holdings = new Map<Address, Map<Address, Holding>>(pools.map(({ token }) => [token, new Map()]))
  const lists = new Map<Address, Holding[]>(pools.map(({ token }) => [token, []]))
  let wallets = 0
  let paid = 0
  let logs = 0
  let approvals = 0

  function pay(orders: Order[]): void {
    for (; paid < wallets + PAID_AHEAD; paid++)
      orders.push({ from: founder, to: walletAt(paid), value: ALLOWANCE, data: '0x' })
  }

  function pickWallet(): Address {
    if (wallets > 0 && !random.chance(NEWCOMERS)) return walletAt(Math.floor(random.next() ** 2 * wallets))
    return walletAt(wallets++)
  }

  function credit(token: Address, wallet: Address, amount: bigint): void {
    const known = holdings.get(token)?.get(wallet)
    if (known) {
      known.amount += amount
      return
    }
    const holding = { token, wallet, amount, approved: false }
    holdings.get(token)?.set(wallet, holding)
    lists.get(token)?.push(holding)
  }

  function buy(pool: Pool, orders: Order[]): void {
    const wallet = pickWallet()
    const wei = BigInt(Math.floor(random.between(0.01, 0.2) * 1e9)) * 10n ** 9n
    const out = amountOut(wei, pool.reserveWeth, pool.reserveToken)
    pool.reserveWeth += wei
    pool.reserveToken -= out
    credit(pool.token, wallet, out)
    orders.push(call(wallet, at, router, 'swapExactETHForTokens', [0n, [weth, pool.token], wallet, FOREVER], wei))
    logs += TRADE_LOGS
  }

  function sell(pool: Pool, holding: Holding, orders: Order[]): void {
    const { wallet, token } = holding
    if (!holding.approved) {
      orders.push(call(wallet, token, erc20, 'approve', [at, maxUint256]))
      holding.approved = true
      approvals += 1
    }
    const amount = random.chance(0.4) ? holding.amount : holding.amount / BigInt(2 + Math.floor(random.next() * 4))
    const out = amountOut(amount, pool.reserveToken, pool.reserveWeth)
    holding.amount -= amount
    pool.reserveToken += amount
    pool.reserveWeth -= out
    orders.push(call(wallet, at, router, 'swapExactTokensForETH', [amount, 0n, [token, weth], wallet, FOREVER]))
    logs += TRADE_LOGS
  }

  function send(pool: Pool, holding: Holding, orders: Order[]): void {
    const to = pickWallet()
    const amount = holding.amount / 3n
    holding.amount -= amount
    credit(pool.token, to, amount)
    orders.push(call(holding.wallet, pool.token, erc20, 'transfer', [to, amount]))
    logs += 1
  }

  return {
    /** Adds the orders that must be mined before the first deed. */
    begin: pay,
    /** Adds the transactions of one deed to the orders: a trade or transfer, and its preparations. */
    act(orders: Order[]): void {
      const pool = random.pick(pools)
      const list = lists.get(pool.token) ?? []
      const holding = list.length > 0 ? random.pick(list) : null
      if (!holding || holding.amount < 10n ** 12n || random.chance(0.5)) buy(pool, orders)
      else if (random.chance(0.75)) sell(pool, holding, orders)
      else send(pool, holding, orders)
      pay(orders)
    },
    /** The logs of the deeds so far without approvals, the approvals (one log each), and the wallets. */
    counts: () => ({ logs, approvals, wallets }),
    /** Expected balances of some wallets. */
    sample: (): Holding[] => [...lists.values()].flatMap((list) => list.slice(0, 2)),
  }
}
