// Trades at a manager of pools (Uniswap V4) on the generated chain, like those on Base. A dozen empty changes follow
// each swap, because a hook collects fees by them. Pools are of the native coin and a token, and new ones keep coming.
import { createHash } from 'node:crypto'
import { account, coins, GIGA, topic, transfer, word } from './chain-words.ts'
import type { GeneratedLog, GeneratedTransaction } from './encode.ts'
import { createCrowd, createTraders, type Traders } from './traders.ts'

const INITIALIZE = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'
const MODIFY = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'
const SWAP = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'

export const MANAGER = account(0xc0, 11)
export const POSITIONS = account(0xc0, 12)
const ROUTER = account(0xc0, 13)
/** May run after a swap. */
const HOOK = `${account(0xc0, 14).slice(0, -4)}0040`
const FOUNDER = account(0xaa, 1)
const ZERO = `0x${'0'.repeat(40)}`

const FEE = 10_000
const WIDEST = 887_200
/** Changes of nothing after a swap. */
const NOTHINGS = 12
/** Transactions between two launches. */
const LAUNCH_EVERY = 150
/** Only the newest pools are traded. */
const ALIVE = 100
const SUPPLY = 1e6 * GIGA

interface Pool {
  id: string
  token: string
  native: number
  tokens: number
  traders: Traders
  balances: Map<number, number>
}

const signed = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const giga = (amount: number) => BigInt(Math.floor(amount)) * 1_000_000_000n

/** The square root of the price of the native coin in tokens, its tick, and the liquidity of the whole range. */
const rootOf = ({ native, tokens }: Pool) => BigInt(Math.floor(Math.sqrt(tokens / native) * 2 ** 48)) << 48n
const tickOf = ({ native, tokens }: Pool) => BigInt(Math.floor(Math.log(tokens / native) / Math.log(1.0001)))
const liquidityOf = ({ native, tokens }: Pool) => giga(Math.sqrt(native) * Math.sqrt(tokens))

export function createManaged(
  next: () => number,
  by: (from: string, value: number, logs: GeneratedLog[]) => GeneratedTransaction,
) {
  const pools: Pool[] = []
  const crowd = createCrowd(next)
  let made = 0

  const change = ({ id }: Pool, sender: string, liquidity: bigint): GeneratedLog => ({
    address: MANAGER,
    topics: [MODIFY, id, topic(sender)],
    data: `0x${signed(BigInt(-WIDEST))}${signed(BigInt(WIDEST))}${signed(liquidity)}${word(pools.length)}`,
  })

  function launch(): GeneratedTransaction {
    const index = pools.length
    const token = account(0xe1, index)
    const id = `0x${createHash('sha256').update(token).digest('hex')}`
    const native = (20 + Math.floor(next() * 60)) * GIGA
    const pool = { id, token, native, tokens: SUPPLY, traders: createTraders(), balances: new Map() }
    pools.push(pool)
    const opened = {
      address: MANAGER,
      topics: [INITIALIZE, id, topic(ZERO), topic(token)],
      data: `0x${word(FEE)}${word(200)}${word(HOOK)}${signed(rootOf(pool))}${signed(tickOf(pool))}`,
    }
    const minted = transfer(token, ZERO, FOUNDER, coins(SUPPLY))
    const paid = transfer(token, FOUNDER, MANAGER, coins(SUPPLY))
    return by(FOUNDER, native, [minted, opened, change(pool, POSITIONS, liquidityOf(pool)), paid])
  }

  /** Amounts are the swapper's side: the paid amount is below zero. */
  function swap(pool: Pool, native: number, tokens: number): GeneratedLog[] {
    pool.native -= native
    pool.tokens -= tokens
    const [amount0, amount1] = [native, tokens].map((amount) => signed(amount < 0 ? -giga(-amount) : giga(amount)))
    const state = `${signed(rootOf(pool))}${signed(liquidityOf(pool))}${signed(tickOf(pool))}${word(FEE)}`
    return [
      { address: MANAGER, topics: [SWAP, pool.id, topic(ROUTER)], data: `0x${amount0}${amount1}${state}` },
      ...Array.from({ length: NOTHINGS }, () => change(pool, HOOK, 0n)),
    ]
  }

  function trade(pool: Pool): GeneratedTransaction {
    const isNew = next() < 0.55 || pool.traders.size === 0
    const who = isNew ? crowd.buyer(pool.traders) : crowd.seller(pool.traders)
    const wallet = account(0xac, who)
    const held = pool.balances.get(who) ?? 0
    if (isNew || held < 1_000) {
      const paid = Math.floor((0.01 + next() ** 3 * 0.8) * GIGA)
      const out = Math.floor((pool.tokens * (paid * 0.99)) / (pool.native + paid * 0.99))
      pool.balances.set(who, held + out)
      return by(wallet, paid, [...swap(pool, -paid, out), transfer(pool.token, MANAGER, wallet, coins(out))])
    }
    const amount = Math.floor(held * (0.1 + 0.8 * next()))
    const out = Math.floor((pool.native * (amount * 0.99)) / (pool.tokens + amount * 0.99))
    pool.balances.set(who, held - amount)
    return by(wallet, 0, [...swap(pool, out, -amount), transfer(pool.token, wallet, MANAGER, coins(amount))])
  }

  return {
    act(): GeneratedTransaction {
      made += 1
      if (pools.length * LAUNCH_EVERY < made || pools.length < 5) return launch()
      return trade(pools[pools.length - Math.floor(Math.min(pools.length, ALIVE) ** next())] as Pool)
    },
    tokens: () => pools.map(({ token }) => token),
  }
}
