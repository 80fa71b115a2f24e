// The trial of a sale in pools of each kind, on a real EVM: the same token is honest, then paused.
import { expect, test } from 'vitest'
import { openSolidly, openStable, openV3, openV4 } from '../../research/zoo/pools.ts'
import { contractOf, openStage, type Stage } from '../../research/zoo/stage.ts'
import { FOUNDER, type World } from '../../research/zoo/world.ts'
import type { SafetyPool } from '../../src/safety/target.ts'
import { describeZoo } from '../support/zoo.ts'

const signal = new AbortController().signal

describeZoo('sales at every exchange', (zoo) => {
  const check = async (stage: Stage, pool: SafetyPool, label: string) => {
    const target = await stage.target(label)
    return zoo.safety.check({ ...target, pools: [pool], payers: new Map([[zoo.world.usd, [FOUNDER]]]) }, signal)
  }

  test.each([
    { exchange: 'Uniswap V3', open: openV3 },
    { exchange: 'Uniswap V4 with the native coin', open: openV4 },
    { exchange: 'Solidly', open: openSolidly },
    { exchange: 'Uniswap V2 with a stablecoin', open: openStable },
  ])('strangers buy and sell at $exchange, and nobody sells once the token is paused', async ({ exchange, open }) => {
    const make = (there: World, deployer: `0x${string}`) => there.deploy(deployer as never, contractOf('Stablecoin'))
    const stage = await openStage(zoo.world, exchange, make, 'airdrop')
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
    await zoo.world.mine()
    const after = await check(stage, pool, exchange)
    expect(after.sellCheck).toMatchObject({ status: 'checked', sellable: false, buyable: false, holdersBlocked: 8 })
    expect(after.findings.map(({ name }) => name)).toContain('cannot_sell')
  })
})
