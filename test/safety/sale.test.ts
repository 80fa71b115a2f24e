// Whether a token can be sold, tried on a real EVM against the zoo: closed traps are found, honest tokens are not accused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CASES } from '../../research/zoo/cases.ts'
import { openStage } from '../../research/zoo/stage.ts'
import { createWorld, type World } from '../../research/zoo/world.ts'
import type { Address } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety, SAFETY_ENDPOINT, type Safety } from '../../src/safety/check/safety.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'

const title = `the check of a sale${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`
const signal = new AbortController().signal

describe.skipIf(!anvilBinary)(title, () => {
  let world: World
  let safety: Safety

  beforeAll(async () => {
    world = await createWorld()
    safety = createSafety({ rpc: createRpc({ urls: [world.anvil.url], clock: systemClock, ...SAFETY_ENDPOINT }) })
  })
  afterAll(() => world?.stop())

  const traps = CASES.filter(({ trap }) => trap !== null && trap !== 'hidden_power')
  test.each(traps)('a closed trap is found: $name', async ({ name, make, spread = 'buy', spring, trap }) => {
    const stage = await openStage(world, name, make, spread)
    await spring?.(stage)
    await world.mine()
    const report = await safety.check(await stage.target(`sale of ${name}`), signal)
    expect(report.findings.map((finding) => finding.name)).toContain(trap)
    expect(report.sellCheck).toMatchObject({ status: 'checked', method: 'simulation' })
  })

  test.each(CASES.filter(({ trap }) => trap === null))('an honest token can be sold: $name', async (one) => {
    const { name, make, spring, most = 0 } = one
    const stage = await openStage(world, name, make, 'buy')
    await spring?.(stage)
    await world.mine()
    const report = await safety.check(await stage.target(`sale of ${name}`), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: true, buyable: true, method: 'simulation' })
    expect(report.findings.filter(({ strength }) => strength > most).map((finding) => finding.name)).toEqual([])
    expect(report.complete).toBe(true)
  })

  test('a token whose balances change without transfers is told from one with a fee', async () => {
    const movedOf = async (name: string, acts: number) => {
      const { make } = CASES.find((each) => each.name === name) ?? {}
      if (!make) throw new Error('no such case')
      const stage = await openStage(world, `${name} again`, make, 'buy')
      for (let at = 0; at < acts; at++) await stage.act(stage.deployer, 'Rebasing', 'grow')
      await world.mine()
      return (await safety.check(await stage.target(`balances of ${name}`), signal)).balancesDiffer
    }
    expect(await movedOf('rebasing', 20)).toEqual({ asked: 10, differ: 0, moved: 10 })
    expect(await movedOf('a fixed fee of 5 %', 0)).toEqual({ asked: 10, differ: 0, moved: 0 })
  })

  test('an approval of the taker excuses a transfer, and one of a router does not', async () => {
    const { make } = CASES.find(({ name }) => name === 'the deployer spends what others hold') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(world, 'taken', make, 'buy')
    const [victim, giver] = stage.buyers as [Address, Address]
    await stage.sell(victim)
    await stage.act(giver, 'SpendsAll', 'approve', [stage.deployer, 10n ** 18n])
    await world.mine()
    for (const from of [victim, giver])
      await stage.act(stage.deployer, 'SpendsAll', 'transferFrom', [from, stage.deployer, 10n ** 18n])
    await world.mine()
    const { findings } = await safety.check(await stage.target('taken'), signal)
    const taken = findings.filter(({ name }) => name === 'taken_without_approval')
    expect(taken).toEqual([expect.objectContaining({ strength: 90, numbers: { times: 1 } })])
    const [{ call } = { call: null }] = taken
    expect(JSON.stringify(call)).toContain(victim.slice(2))
    expect(await world.anvil.rpc('eth_getLogs', call?.params as unknown[])).toEqual([])
  })
})
