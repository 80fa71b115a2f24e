// Pools of Uniswap V4's own manager on a live EVM, with random positions and swaps. At every stop the reserves of all
// pools of a token equal the manager's balance less the uncollected amounts, and are never below zero. The doctor finds
// no difference.
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import { rootAtTick } from '../../src/book/prices/tick-math.ts'
import { diagnose } from '../../src/ledger/doctor/doctor.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type ChainParts, connect, createLive, indexToHead, type Live } from '../support/live.ts'
import { type ManagedLive, openManager } from '../support/managed-live.ts'
import { wallet } from '../support/market/cast.ts'
import { idOf, type ManagedKey } from '../support/market/managed.ts'
import { createRandom } from '../support/market/random.ts'
import { ether, units } from '../support/market/trade.ts'
import { sortTokens } from '../support/market/venue.ts'

const SEED = 4
const STOPS = 5
const BLOCKS = 12

interface Place {
  key: ManagedKey
  tick: number
  /** Liquidity of a usual position. */
  liquidity: bigint
}

const title = `pools of Uniswap V4’s manager${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let managed: ManagedLive
  let parts: ChainParts
  let database: TestDatabase
  let places: Place[]
  /** Two tokens: the first is only in a pool without a fee, so that nothing but its liquidity lies with the manager. */
  let tokens: Address[]
  let swaps = 0
  const random = createRandom(SEED)
  const people = Array.from({ length: 4 }, (_, i) => toAddress(wallet(`provider ${i} of managed pools`)))

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const { chain, founder, mine, trade, venues } = live
    managed = await openManager(live)
    parts = connect(live.anvil.url, managed.preset)
    const free = await chain.deploy(founder, 'plainToken', ['Free', 'FREE', 18, units(1e7, 18), founder])
    const paid = await chain.deploy(founder, 'plainToken', ['Paid', 'PAID', 18, units(1e7, 18), founder])
    tokens = [toAddress(free), toAddress(paid)]
    await mine()
    for (const who of people) {
      await chain.pay(founder, who, ether(1_000))
      await trade.mintUsd(who, units(1e6, 6))
      for (const token of tokens) await trade.transfer(founder, token, who, units(1e6, 18))
    }
    const [low, high] = sortTokens(venues.usd, paid)
    const usdTick = low === venues.usd ? 265_380 : -265_380
    const key = (currency0: string, currency1: string, fee: number, tickSpacing: number): ManagedKey =>
      ({ currency0, currency1, fee, tickSpacing, hooks: zeroAddress }) as ManagedKey
    places = [
      { key: key(zeroAddress, free, 0, 10), tick: 69_080, liquidity: 10n ** 20n },
      { key: key(zeroAddress, paid, 10_000, 200), tick: 69_000, liquidity: 10n ** 20n },
      { key: key(low, high, 3_000, 60), tick: usdTick, liquidity: 10n ** 15n },
    ]
    await mine()
    for (const { key, tick, liquidity } of places) {
      await managed.open(founder, key, rootAtTick(tick))
      await trade.mintUsd(founder, units(1e6, 6))
      const round = (at: number) => at - (at % key.tickSpacing)
      const around: [number, number] = [round(tick - 20_000), round(tick + 20_000)]
      await managed.mint(founder, key, around, 20n * liquidity, ether(500))
    }
    await mine()
  })
  afterAll(() => live?.anvil.stop())

  const mine: { id: bigint; who: Address; place: Place }[] = []
  let next = 4n

  async function act(): Promise<void> {
    const who = random.pick(people)
    const place = random.pick(places)
    const { key, tick, liquidity } = place
    const dice = random.next()
    const own = mine.filter((each) => each.who === who)
    if (dice < 0.35) {
      const spacing = key.tickSpacing
      const middle = tick - (tick % spacing) + spacing * Math.floor(random.between(-20, 20))
      const width = spacing * Math.ceil(random.between(0, 30))
      const amount = (liquidity * BigInt(Math.ceil(random.between(1, 300)))) / 100n
      await managed.mint(who, key, [middle - width, middle + width], amount, ether(200))
      mine.push({ id: next++, who, place })
    } else if (dice < 0.45 && own.length > 0) {
      const { id } = random.pick(own)
      await managed.decrease(who, id, 10n ** 12n)
    } else if (dice < 0.55 && own.length > 0) {
      const gone = random.pick(own)
      mine.splice(mine.indexOf(gone), 1)
      await managed.burn(who, gone.id)
    } else {
      const isUp = random.chance(0.5)
      const sold = isUp ? key.currency1 : key.currency0
      const size = sold === zeroAddress ? 0.05 : sold === live.venues.usd ? 200 : 60
      const amount = units(random.between(size / 1_000, size), sold === live.venues.usd ? 6 : 18)
      swaps += 1
      await managed.swap(who, key, !isUp, amount)
    }
  }

  /** The pools' reserves of each token, and an upper bound of the fees paid in it. */
  async function sums(): Promise<Map<string, bigint>> {
    const { rows } = await database.pool.query<{ token: string; pool: string; reserve: string }>(
      `SELECT t.address AS token, p.address AS pool, r.reserve FROM pool p
       CROSS JOIN LATERAL (VALUES (p.token0_id, p.reserve0), (p.token1_id, p.reserve1)) r (token_id, reserve)
       JOIN token t ON t.id = r.token_id WHERE p.kind = 'v4'`,
    )
    const found = new Map<string, bigint>()
    for (const { token, reserve } of rows) {
      expect(BigInt(reserve) >= 0n).toBe(true)
      found.set(token, (found.get(token) ?? 0n) + BigInt(reserve))
    }
    expect(new Set(rows.map(({ pool }) => pool))).toEqual(new Set(places.map(({ key }) => idOf(key))))
    return found
  }

  test('have together the manager’s balance, at every stop', async () => {
    const [free, paid] = tokens as [Address, Address]
    for (let stop = 0; stop < STOPS; stop++) {
      for (let block = 0; block < BLOCKS; block++) {
        for (let i = 0; i < 3; i++) await act()
        await live.mine()
      }
      await indexToHead(database, parts)
      const sum = await sums()
      const rest = async (token: Address, held: bigint) => held - (sum.get(token) ?? 0n)
      const balance = (token: Address) => live.trade.balance(token, managed.manager)
      // Rounded for the manager's benefit at each change, by a raw unit or two.
      const slack = BigInt(4 * swaps + 200)
      const of = await rest(free, await balance(free))
      expect(of >= -slack && of <= slack, `${of} of ${slack}`).toBe(true)
      for (const token of [paid, toAddress(live.venues.usd)]) {
        const left = await rest(token, await balance(token))
        expect(left >= -slack, `${left} of ${token}`).toBe(true)
        expect(left < (await balance(token)) / 20n, `${left} of ${token}`).toBe(true)
      }
      const native = await rest(live.preset.wrappedNative, await live.chain.balanceOf(managed.manager))
      expect(native >= -slack, `${native} of the native coin`).toBe(true)
    }
    expect(swaps).toBeGreaterThan(40)
    expect(live.chain.failures).toEqual([])
  })

  test('pass the doctor, which finds a reserve above the manager’s balance and a wrong balance of it', async () => {
    const readHash = async (block: number) => (await parts.source.readLinks([block]))[0]?.hash ?? ''
    const { wrappedNative } = parts.preset
    const look = () => diagnose({ database, reader: parts.reader, readHash, sample: 1_000, wrappedNative })
    const { differences, compared } = await look()
    expect(differences).toEqual([])
    expect(compared.reserves).toBeGreaterThan(3)
    await database.pool.query(`UPDATE pool SET reserve0 = 2 * reserve0, reserve1 = 2 * reserve1 WHERE kind = 'v4'`)
    const wrong = (await look()).differences
    expect(new Set(wrong.map(({ what }) => what))).toEqual(new Set(['reserves']))
    expect(new Set(wrong.map(({ holder }) => holder))).toEqual(new Set([toAddress(managed.manager)]))
    await database.pool.query(`UPDATE pool SET reserve0 = reserve0 / 2, reserve1 = reserve1 / 2 WHERE kind = 'v4'`)
  })
})
