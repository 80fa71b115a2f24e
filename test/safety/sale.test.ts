// Whether a token can be sold, tried on a real EVM against the zoo: closed traps are found, honest tokens are not accused.
import { expect, test } from 'vitest'
import { CASES } from '../../research/zoo/cases.ts'
import { openStage } from '../../research/zoo/stage.ts'
import type { Address } from '../../src/base/address.ts'
import { describeZoo } from '../support/zoo.ts'

const signal = new AbortController().signal

describeZoo('the check of a sale', (zoo) => {
  const traps = CASES.filter(({ trap }) => trap !== null && trap !== 'hidden_power')
  test.each(traps)('a closed trap is found: $name', async ({ name, make, spread = 'buy', spring, trap }) => {
    const stage = await openStage(zoo.world, name, make, spread)
    await spring?.(stage)
    await zoo.world.mine()
    const report = await zoo.safety.check(await stage.target(`sale of ${name}`), signal)
    expect(report.findings.map((finding) => finding.name)).toContain(trap)
    expect(report.sellCheck).toMatchObject({ status: 'checked', method: 'simulation' })
  })

  test.each(CASES.filter(({ trap }) => trap === null))('an honest token can be sold: $name', async (one) => {
    const { name, make, spring, most = 0 } = one
    const stage = await openStage(zoo.world, name, make, 'buy')
    await spring?.(stage)
    await zoo.world.mine()
    const report = await zoo.safety.check(await stage.target(`sale of ${name}`), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: true, buyable: true, method: 'simulation' })
    expect(report.findings.filter(({ strength }) => strength > most).map((finding) => finding.name)).toEqual([])
    expect(report.complete).toBe(true)
  })

  test('a token whose balances change without transfers is told from one with a fee', async () => {
    const movedOf = async (name: string, acts: number) => {
      const { make } = CASES.find((each) => each.name === name) ?? {}
      if (!make) throw new Error('no such case')
      const stage = await openStage(zoo.world, `${name} again`, make, 'buy')
      for (let at = 0; at < acts; at++) await stage.act(stage.deployer, 'Rebasing', 'grow')
      await zoo.world.mine()
      return (await zoo.safety.check(await stage.target(`balances of ${name}`), signal)).balancesDiffer
    }
    expect(await movedOf('rebasing', 20)).toEqual({ asked: 10, differ: 0, moved: 10 })
    expect(await movedOf('a fixed fee of 5 %', 0)).toEqual({ asked: 10, differ: 0, moved: 0 })
  })

  test('an approval of the taker excuses a transfer, and one of a router does not', async () => {
    const { make } = CASES.find(({ name }) => name === 'the deployer spends what others hold') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'taken', make, 'buy')
    const [victim, giver] = stage.buyers as [Address, Address]
    await stage.sell(victim)
    await stage.act(giver, 'SpendsAll', 'approve', [stage.deployer, 10n ** 18n])
    await zoo.world.mine()
    for (const from of [victim, giver])
      await stage.act(stage.deployer, 'SpendsAll', 'transferFrom', [from, stage.deployer, 10n ** 18n])
    await zoo.world.mine()
    const { findings } = await zoo.safety.check(await stage.target('taken'), signal)
    const taken = findings.filter(({ name }) => name === 'taken_without_approval')
    expect(taken).toEqual([expect.objectContaining({ strength: 90, numbers: { times: 1 } })])
    const [{ call } = { call: null }] = taken
    expect(JSON.stringify(call)).toContain(victim.slice(2))
    expect(await zoo.world.anvil.rpc('eth_getLogs', call?.params as unknown[])).toEqual([])
  })
})
