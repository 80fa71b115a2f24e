import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/base/address.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { createRounds } from '../support/rounds.ts'

interface PoolRow {
  address: `0x${string}`
  kind: string
  token0: `0x${string}`
  token1: `0x${string}`
  base: `0x${string}`
  reserve0: string
  reserve1: string
  sqrt: string | null
  price: number
  base_decimals: number
  quote_decimals: number
}

const title = `a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const rounds = await createRounds(live)
    await rounds.play(70)
    await indexToHead(database, live)
    await rounds.play(20)
    await indexToHead(database, live)
  })
  afterAll(() => live?.anvil.stop())

  const ask = (to: `0x${string}`, name: string, ...args: unknown[]) =>
    live.chain.ask<bigint>({ to, abi: artifacts.plainToken.abi, name, args })

  test('is indexed with the balances that balanceOf reports, for every holder', async () => {
    const { rows } = await database.pool.query<{ token: `0x${string}`; holder: `0x${string}`; balance: string }>(
      `SELECT t.address AS token, w.address AS holder, p.balance FROM position p
       JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
       WHERE t.address NOT IN (SELECT address FROM pool WHERE kind = 'v3')`,
    )
    expect(rows.length).toBeGreaterThan(60)
    const wrong: string[] = []
    for (const { token, holder, balance } of rows) {
      // A pair's first shares are held by the zero address, for which other tokens report no balance.
      const real = await ask(token, 'balanceOf', holder)
      if (real !== BigInt(balance)) wrong.push(`${token} of ${holder}: ${balance}, chain ${real}`)
    }
    expect(wrong).toEqual([])
  })

  test('is indexed with the total supply of every token', async () => {
    const { rows } = await database.pool.query<{ address: `0x${string}`; supply: string }>(
      `SELECT address, supply FROM token WHERE address NOT IN (SELECT address FROM pool WHERE kind = 'v3')`,
    )
    for (const { address, supply } of rows)
      expect([address, supply]).toEqual([address, String(await ask(address, 'totalSupply'))])
  })

  test('is indexed with the reserves and the price of every pool', async () => {
    const { rows } = await database.pool.query<PoolRow>(
      `SELECT p.address, p.kind, a.address AS token0, b.address AS token1, base.address AS base, p.reserve0, p.reserve1,
              p.sqrt_price_x96 AS sqrt, p.price, base.decimals AS base_decimals, quote.decimals AS quote_decimals
       FROM pool p JOIN token a ON a.id = p.token0_id JOIN token b ON b.id = p.token1_id
       JOIN token base ON base.id = p.base_id JOIN token quote ON quote.id = p.quote_id`,
    )
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['v2', 'v2', 'v2', 'v2', 'v3'])
    for (const row of rows) {
      const [first, second] = [
        await ask(row.token0, 'balanceOf', row.address),
        await ask(row.token1, 'balanceOf', row.address),
      ]
      expect([row.address, row.reserve0, row.reserve1]).toEqual([row.address, String(first), String(second)])
      const ratio = row.sqrt ? (Number(row.sqrt) / 2 ** 96) ** 2 : Number(second) / Number(first)
      const raw = row.base === row.token0 ? ratio : 1 / ratio
      expect(row.price / (raw * 10 ** (row.base_decimals - row.quote_decimals))).toBeCloseTo(1, 9)
    }
  })

  test('is indexed with an event for each swap, addition and removal of liquidity', async () => {
    const logs = await live.anvil.rpc<{ topics: string[]; data: string; address: string }[]>('eth_getLogs', [
      { fromBlock: '0x0', toBlock: 'latest' },
    ])
    const count = (...topics: string[]) => logs.filter(({ topics: [topic] }) => topics.includes(topic ?? '')).length
    const { rows } = await database.pool.query<{ swaps: number; adds: number; removes: number }>(
      `SELECT swap_count::int AS swaps, liquidity_add_count::int AS adds, liquidity_remove_count::int AS removes
       FROM block ORDER BY number DESC LIMIT 1`,
    )
    const swaps = count(
      '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
      '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
    )
    const adds = count(
      '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
      '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
    )
    const burns = logs.filter(
      ({ topics: [topic], data }) =>
        topic === '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496' ||
        (topic === '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c' &&
          BigInt(data.slice(0, 66)) > 0n),
    )
    expect(rows[0]).toEqual({ swaps, adds, removes: burns.length })
    expect(parseAddress(live.founder)).not.toBeNull()
  })
})
