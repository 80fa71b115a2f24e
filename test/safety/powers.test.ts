// The powers over holders, tried on a real EVM against the zoo, before any trap closes.
import { expect, test } from 'vitest'
import { CASES, owned } from '../../research/zoo/cases.ts'
import { makeThen } from '../../research/zoo/held-out.ts'
import { SEALED } from '../../research/zoo/sealed.ts'
import { openStage } from '../../research/zoo/stage.ts'
import { accountOf, ether } from '../../research/zoo/world.ts'
import { describeZoo } from '../support/zoo.ts'

const signal = new AbortController().signal

describeZoo('powers over a token', (zoo) => {
  const armed = CASES.filter(({ power }) => power !== undefined)
  test.each(armed)('a trap is seen before it closes: $name', async ({ name, make, power }) => {
    const stage = await openStage(zoo.world, name, make, 'buy')
    const report = await zoo.safety.check(await stage.target(`powers of ${name}`), signal)
    expect(report.powers?.filter(({ proven }) => proven).map(({ kind }) => kind)).toContain(power)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: true })
    expect(report.complete).toBe(true)
  })

  test('a paused token shows its powers, because the trial begins with the act that lets a holder send', async () => {
    const { make, spring } = CASES.find(({ name }) => name === 'it is paused for good') ?? {}
    if (!make || !spring) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'paused', make, 'buy')
    await spring(stage)
    await zoo.world.mine()
    const report = await zoo.safety.check(await stage.target('paused'), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: false })
    expect(report.powers?.filter(({ proven }) => proven).map(({ kind }) => kind)).toContain('pause')
  })

  test.each([
    ['its cap is reached', owned('CappedMint'), []],
    ['its owner finished it', makeThen('FinishedMint', 'finishMinting'), []],
    ['its owner can switch it on', owned('SwitchedMint'), ['mint']],
    ['its owner has to wait for a year', owned('LaterMint'), ['mint']],
  ] as const)('a mint that is refused now is a power only if it can be made later: %s', async (name, make, powers) => {
    const stage = await openStage(zoo.world, name, make, 'buy')
    const report = await zoo.safety.check(await stage.target(`mint, ${name}`), signal)
    expect(report.powers?.map(({ kind }) => kind)).toEqual(powers)
    expect(report.complete).toBe(true)
  })

  test('the shares of a vault are minted for whoever pays, which hides nothing', async () => {
    const { make } = SEALED.find(({ name }) => name === 'shares of a vault') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'vault', make, 'buy')
    const report = await zoo.safety.check({ ...(await stage.target('vault')), supply: ether(1_000_000_000) }, signal)
    // `deposit` and `mint` of ERC-4626.
    const bought = expect.objectContaining({ kind: 'mint', proven: true, hidden: false })
    expect(report.powers).toEqual([bought, bought])
    expect(report.findings.map(({ name }) => name)).not.toContain('hidden_power')
  })

  test('whoever brings code to an empty address stops sales, and an account that only gets coins does not', async () => {
    const { make } = SEALED.find(({ name }) => name === 'code comes to an empty address') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'empty', make, 'buy')
    const report = await zoo.safety.check(await stage.target('empty'), signal)
    const power = expect.objectContaining({
      kind: 'stop_sales',
      holderKind: 'empty_address',
      proven: true,
      hidden: true,
    })
    expect(report.powers).toEqual([power])
    const wallet = accountOf('a wallet that sent nothing')
    const paying = await openStage(zoo.world, 'paying', owned('PaysWallet', wallet), 'buy')
    expect((await zoo.safety.check(await paying.target('paying'), signal)).powers).toEqual([])
  })

  test.each([
    ['the pool becomes a wallet with a limit', 'stop_sales'],
    ['a module rewrites balances', 'upgrade'],
  ] as const)('a trial names the pool, and a module of its own: %s', async (name, kind) => {
    const { make } = SEALED.find((one) => one.name === name) ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, name, make, 'buy')
    const report = await zoo.safety.check(await stage.target(`sealed, ${name}`), signal)
    expect(report.powers?.filter(({ proven }) => proven).map((power) => power.kind)).toContain(kind)
  })

  test('sales that wait for code at an empty address name it', async () => {
    const stage = await openStage(zoo.world, 'asks', owned('AsksNobody', accountOf('nobody yet')), 'buy')
    const report = await zoo.safety.check(await stage.target('asks'), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: false })
    expect(report.powers?.map(({ holderKind }) => holderKind)).toEqual(['empty_address'])
    expect(report.powersTried).toBe('none')
  })

  test('where nobody can send to the pool, holders send to an account, and what stops them is named', async () => {
    const stage = await openStage(zoo.world, 'calls', owned('CallsBack'), 'buy')
    const report = await zoo.safety.check(await stage.target('calls'), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: false })
    expect(report.powers?.filter(({ proven }) => proven).map(({ kind }) => kind)).toEqual(['stop_sales'])
    expect(report.powersTried).toBe('none')
  })

  test('powers are tried once: while code and owner are the same, a later check keeps them and asks far less', async () => {
    const { make } = CASES.find(({ name }) => name === 'a stablecoin') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'known', make, 'buy')
    const first = await zoo.safety.check(await stage.target('first'), signal)
    const { code, powers, powersTried, powersRead } = first
    const known = code && powers && { code, powers, powersTried, powersRead }
    const second = await zoo.safety.check({ ...(await stage.target('second')), known }, signal)
    expect(second.powers).toEqual(first.powers)
    expect(second.complete).toBe(true)
    expect(second.calls).toBeLessThanOrEqual(46)
    expect(second.calls).toBeLessThan(first.calls)
  })
})
