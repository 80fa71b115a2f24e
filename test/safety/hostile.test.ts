// Contracts that attack their checker: their cost is bounded, and their text is safe to show.
import { expect, test } from 'vitest'
import { contractOf, openStage } from '../../research/zoo/stage.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import { readFunctions } from '../../src/safety/code/functions.ts'
import { describeZoo } from '../support/zoo.ts'

describeZoo('hostile contracts', (zoo) => {
  /** The token is bad only to contracts, so its pair is one that was opened with the plain code, which is then replaced. */
  const stageOf = async (contract: string, args: unknown[] = []) => {
    const stage = await openStage(
      zoo.world,
      `${contract} ${args}`,
      (there, deployer) => there.deploy(deployer, contractOf('Plain')),
      'buy',
    )
    const bad = await zoo.world.deploy(stage.deployer, contractOf(contract), args)
    await zoo.world.mine()
    await zoo.world.anvil.rpc('anvil_setCode', [stage.token, await zoo.world.anvil.rpc('eth_getCode', [bad, 'latest'])])
    return stage
  }

  test.each([
    { what: 'never ends', contract: 'Endless', args: [] },
    { what: 'answers with a megabyte', contract: 'Wordy', args: [false] },
    { what: 'reverts with a megabyte', contract: 'Wordy', args: [true] },
    { what: 'answers nonsense', contract: 'Nonsense', args: [] },
  ])('a contract that $what costs a bounded number of calls and bytes', async ({ contract, args }) => {
    const stage = await stageOf(contract, args)
    const report = await zoo.safety.check(await stage.target(contract), new AbortController().signal)
    expect(report.calls).toBeLessThanOrEqual(200)
    expect(
      JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? String(value) : value)).length,
    ).toBeLessThan(60_000)
    expect(report.sellCheck.refusal.length).toBeLessThanOrEqual(120)
    expect(report.sellCheck.refusal).not.toMatch(/\p{C}/u)
  })

  test('a token that answers nonsense about balances and refuses transfers cannot be sold', async () => {
    const stage = await stageOf('Nonsense')
    const report = await zoo.safety.check(await stage.target('nonsense'), new AbortController().signal)
    expect(report.findings.map(({ name }) => name)).toContain('cannot_sell')
  })

  test('a check whose time is over says that it was not made', async () => {
    const stage = await stageOf('Nonsense')
    const hasty = createSafety({ rpc: createRpc({ urls: [zoo.world.anvil.url], clock: systemClock }), maxCalls: 3 })
    const report = await hasty.check(await stage.target('hasty'), new AbortController().signal)
    expect(report).toMatchObject({
      complete: false,
      sellCheck: { status: 'not_checked', reason: 'out_of_time', sellable: null },
    })
    expect(report.calls).toBeLessThanOrEqual(3)
  })
})

test.each(['0x', '0xzz', '0x60', `0x${'5b'.repeat(24_576)}`, `0x${'ff'.repeat(100_000)}`])(
  'code that no compiler made has no functions: %#',
  (code) => {
    expect(readFunctions(code as `0x${string}`)).toEqual([])
  },
)
