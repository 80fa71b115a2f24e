// The forms of code that other compilers make, and tokens whose code stands elsewhere, tried on a real EVM.
import { keccak256, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { FORM_CASES, ROUTER_CASES } from '../../research/zoo/forms.ts'
import { SEALED } from '../../research/zoo/sealed.ts'
import { openStage } from '../../research/zoo/stage.ts'
import { accountOf } from '../../research/zoo/world.ts'
import { tellPower } from '../../src/verdict/contract.ts'
import { describeZoo } from '../support/zoo.ts'

const signal = new AbortController().signal
const honest = FORM_CASES.filter(({ trap }) => trap === null)
const traps = FORM_CASES.filter(({ trap }) => trap !== null)

describeZoo('the forms of a token', (zoo) => {
  test.each(honest)('an honest token has no power, and its functions were read: $name', async ({ name, make }) => {
    const stage = await openStage(zoo.world, name, make, 'buy')
    const report = await zoo.safety.check(await stage.target(`form of ${name}`), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: true })
    expect(report.code?.unread).toBeNull()
    expect(report.powers).toEqual([])
    expect(report.floor).toBe(0)
  })

  test.each(traps)('a trap is seen before it closes: $name', async ({ name, make, power }) => {
    const stage = await openStage(zoo.world, name, make, 'buy')
    const report = await zoo.safety.check(await stage.target(`form of ${name}`), signal)
    expect(report.powers?.filter(({ proven }) => proven).map(({ kind }) => kind)).toContain(power)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: true })
  })

  test.each(ROUTER_CASES)('what a router pulls is a theft where holders lose all for nothing: $name', async (one) => {
    const stage = await openStage(zoo.world, one.name, one.make, 'buy')
    await one.spring?.(stage)
    await zoo.world.mine()
    const report = await zoo.safety.check(await stage.target(`router, ${one.name}`), signal)
    const names = report.findings.map(({ name }) => name)
    expect(names.includes('taken_without_approval')).toBe(one.trap !== null)
  })

  test('a power of nobody known gets its holder once a log names one, while the code is the same', async () => {
    const { make } = SEALED.find(({ name }) => name === 'the first minter comes late') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'late', make, 'buy')
    const first = await zoo.safety.check(await stage.target('late'), signal)
    expect(first.powers?.map(({ holderKind }) => holderKind)).toEqual(['nobody_known'])
    const minter = accountOf('a late minter')
    await stage.act(stage.deployer, 'LateMinter', 'grantRole', [keccak256(stringToHex('MINTER_ROLE')), minter])
    await zoo.world.mine()
    const { code, powers, powersTried, powersRead } = first
    const known = code && powers && { code, powers, powersTried, powersRead }
    const second = await zoo.safety.check({ ...(await stage.target('later')), known }, signal)
    expect(second.powers).toMatchObject([{ kind: 'mint', holder: minter, holderKind: 'account', proven: true }])
  })

  test('an account that only a mapping names is told so', async () => {
    const { make } = FORM_CASES.find(({ name }) => name === 'a ward that came later mints') ?? {}
    if (!make) throw new Error('no such case')
    const stage = await openStage(zoo.world, 'ward', make, 'buy')
    const report = await zoo.safety.check(await stage.target('ward'), signal)
    const [power] = report.powers ?? []
    expect(power).toMatchObject({ kind: 'mint', byMapping: true })
    expect(power && tellPower(power)).toMatch(/^one account 0x.{8,12}, which only a mapping names, can mint new tokens/)
  })
})
