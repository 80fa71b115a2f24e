// The trial of a sale in pools of each kind, on a real EVM: the same token is honest, then paused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSolidly, openStable, openV3, openV4 } from '../../research/zoo/pools.ts'
import { contractOf, openStage, type Stage } from '../../research/zoo/stage.ts'
import { createWorld, FOUNDER, type World } from '../../research/zoo/world.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety, SAFETY_ENDPOINT, type Safety } from '../../src/safety/check/safety.ts'
import type { SafetyPool } from '../../src/safety/target.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'

const title = `sales at every exchange${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`
const signal = new AbortController().signal

describe.skipIf(!anvilBinary)(title, () => {
  let world: World
  let safety: Safety

  beforeAll(async () => {
    world = await createWorld()
    safety = createSafety({ rpc: createRpc({ urls: [world.anvil.url], clock: systemClock, ...SAFETY_ENDPOINT }) })
  })
  afterAll(() => world?.stop())

  const check = async (stage: Stage, pool: SafetyPool, label: string) => {
    const target = await stage.target(label)
    return safety.check({ ...target, pools: [pool], payers: new Map([[world.usd, [FOUNDER]]]) }, signal)
  }

  test.each([
    { exchange: 'Uniswap V3', open: openV3 },
    { exchange: 'Uniswap V4 with the native coin', open: openV4 },
    { exchange: 'Solidly', open: openSolidly },
    { exchange: 'Uniswap V2 with a stablecoin', open: openStable },
  ])('strangers buy and sell at $exchange, and nobody sells once the token is paused', async ({ exchange, open }) => {
    const make = (there: World, deployer: `0x${string}`) => there.deploy(deployer as never, contractOf('Stablecoin'))
    const stage = await openStage(world, exchange, make, 'airdrop')
    const pool = await open(stage)
    const before = await check(stage, pool, exchange)
    expect(before.sellCheck).toMatchObject({
      status: 'checked',
      sellable: true,
      buyable: true,
      buyTaxPct: 0,
      sellTaxPct: 0,
      method: 'simulation',
      holdersBlocked: 0,
    })
    await stage.act(stage.deployer, 'Stablecoin', 'pause')
    await world.mine()
    const after = await check(stage, pool, exchange)
    expect(after.sellCheck).toMatchObject({ status: 'checked', sellable: false, buyable: false, holdersBlocked: 8 })
    expect(after.findings.map(({ name }) => name)).toContain('cannot_sell')
  })
})
