import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import type { Locker } from '../../src/chain/presets/preset.ts'
import { type PackedExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type ChainParts, connect, createLive, dumpLedger, indexToHead, type Live } from '../support/live.ts'
import { ether, part, units } from '../support/market/trade.ts'
import { pairOf } from '../support/market/venue.ts'

const DAY = 86_400
const ids = { plain: 'plainLocker', numbered: 'numberedLocker' } as const

const title = `locks on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let parts: ChainParts
  let database: TestDatabase
  let token: Address
  let pair: Address
  let supply: bigint
  let now: number
  const at: Record<'plain' | 'numbered' | 'imposter', Address> = {} as never

  const mineAt = async (time: number) => {
    await live.chain.mine(time)
    now = time
  }
  const call = (locker: keyof typeof at, name: string, ...args: unknown[]) => {
    const { abi } = artifacts[locker === 'numbered' ? ids.numbered : ids.plain]
    return live.chain.send(live.founder, { to: at[locker], abi, name, args })
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const { chain, trade, venues, founder } = live
    token = toAddress(await chain.deploy(founder, 'plainToken', ['Held', 'HLD', 18, units(1e6, 18), founder]))
    for (const name of ['plain', 'imposter'] as const) at[name] = toAddress(await chain.deploy(founder, ids.plain))
    at.numbered = toAddress(await chain.deploy(founder, ids.numbered))
    await trade.addLiquidity(venues.uniswapV2, founder, token, units(8e5, 18), ether(20))
    await live.mine()
    pair = toAddress(pairOf(venues.uniswapV2, token, venues.weth))
    supply = await trade.balance(pair, founder)
    for (const locker of Object.values(at)) await trade.approve(founder, pair, locker)
    const { timestamp } = await live.anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    now = Number(timestamp)
    const lockers: Locker[] = [
      { address: at.plain, name: 'plain', kind: 'uncx' },
      { address: at.numbered, name: 'numbered', kind: 'pinklock' },
    ]
    parts = connect(live.anvil.url, { ...live.preset, lockers })
    await call('plain', 'lock', pair, part(supply, 0.4), now + 100 * DAY)
    await call('numbered', 'lock', pair, part(supply, 0.3), now + 200 * DAY)
    await call('imposter', 'lock', pair, part(supply, 0.2), now + 900 * DAY)
    await mineAt(now + 12)
    await indexToHead(database, parts)
  })
  afterAll(() => live?.anvil.stop())

  const readLocks = async () =>
    (
      await database.pool.query(
        `SELECT w.address AS locker, o.address AS owner, l.number, l.amount::text, date_part('epoch', l.ends_at)::int AS ends
         FROM token_lock l JOIN wallet w ON w.id = l.locker_id JOIN wallet o ON o.id = l.owner_id ORDER BY l.ends_at`,
      )
    ).rows
  const readScore = async () => {
    const { rows } = await database.pool.query<{ explanation: PackedExplanation; due: number | null }>(
      `SELECT s.explanation::json AS explanation, date_part('epoch', d.due_at)::int AS due FROM token_score s JOIN token t ON t.id = s.token_id
       LEFT JOIN score_due d ON d.kind = 1 AND d.id = t.id WHERE t.address = $1`,
      [token],
    )
    const inputs = rows[0] ? unpackExplanation(rows[0].explanation).dimensions.flatMap((it) => it.inputs) : []
    return { exitShare: inputs.find(({ name }) => name === 'exitShare')?.value ?? Number.NaN, due: rows[0]?.due }
  }

  test('are indexed from the lockers of the preset, and from no other contract', async () => {
    const plain = await live.chain.ask<[Address, Address, bigint, bigint]>({
      to: at.plain,
      abi: artifacts.plainLocker.abi,
      name: 'locks',
      args: [0n],
    })
    const numbered = await live.chain.ask<{ owner: Address; amount: bigint; endsAt: bigint }>({
      to: at.numbered,
      abi: artifacts.numberedLocker.abi,
      name: 'locks',
      args: [1_000_000n],
    })
    expect(await readLocks()).toEqual([
      {
        locker: at.plain,
        owner: plain[1].toLowerCase(),
        number: Math.floor(Number(plain[3]) / DAY),
        amount: String(plain[2]),
        ends: Number(plain[3]),
      },
      {
        locker: at.numbered,
        owner: numbered.owner.toLowerCase(),
        number: 1_000_000,
        amount: String(numbered.amount),
        ends: Number(numbered.endsAt),
      },
    ])
  })

  test('keep their shares from being withdrawable until thirty days before their end', async () => {
    expect((await readScore()).exitShare).toBeCloseTo(0.1, 3)
    await mineAt(now + 80 * DAY)
    await indexToHead(database, parts)
    expect((await readScore()).exitShare).toBeCloseTo(0.4, 3)
    await mineAt(now + 21 * DAY)
    await call('plain', 'withdraw', 0n, part(supply, 0.4))
    await mineAt(now + 12)
    await indexToHead(database, parts)
    expect((await readLocks()).map(({ amount }) => amount)).toEqual(['0', String(part(supply, 0.3))])
    expect((await readScore()).exitShare).toBeCloseTo(0.5, 3)
  })

  test('keep their old end when an extension is rolled back, as if it had never happened', async () => {
    const [, before] = await readLocks()
    const { due } = await readScore()
    await call('numbered', 'extend', 1_000_000n, BigInt(before.ends + 400 * DAY))
    await mineAt(now + 12)
    await indexToHead(database, parts)
    expect((await readLocks())[1]).toEqual({ ...before, ends: before.ends + 400 * DAY })
    await live.rollBack(1)
    await mineAt(now + 1)
    expect(await indexToHead(database, parts)).toContain('rollback')
    expect((await readLocks())[1]).toEqual(before)
    expect((await readScore()).due).toBe(due)
    const straight = await createTestDatabase()
    await indexToHead(straight, parts)
    const [followed, fresh] = await Promise.all([dumpLedger(database.pool), dumpLedger(straight.pool)])
    // Scores of tokens that were not due contain the hour of their last scoring, which differs between the two runs.
    const tables = Object.keys(fresh).filter((table) => !table.endsWith('_score'))
    for (const table of tables) expect([table, followed[table]]).toEqual([table, fresh[table]])
    expect(fresh.token_lock).toHaveLength(2)
    expect(live.chain.failures).toEqual([])
  })
})
