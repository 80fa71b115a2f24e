// The same checks on nodes that can do less: each says by which method it was made, and none accuses an honest token.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CASES, plain } from '../../research/zoo/cases.ts'
import { openStage, type Stage } from '../../research/zoo/stage.ts'
import { createWorld, type World } from '../../research/zoo/world.ts'
import { systemClock } from '../../src/base/clock.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import type { SellMethod } from '../../src/safety/report.ts'
import type { TellStep } from '../../src/safety/step.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { bentNode, type Lacks, limitedNode } from './node.ts'

const title = `checks on lesser nodes${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`
const signal = new AbortController().signal
const NODES: readonly { method: SellMethod; lacks: Lacks }[] = [
  { method: 'override', lacks: { simulate: true } },
  { method: 'constructor', lacks: { simulate: true, override: true } },
  { method: 'transfer', lacks: { simulate: true, override: true, construct: true } },
]

describe.skipIf(!anvilBinary)(title, () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world?.stop())

  const safetyOf = (lacks: Lacks) =>
    createSafety({ rpc: createRpc({ endpoints: [limitedNode(world.anvil.url, lacks)], clock: systemClock }) })
  const stageOf = async (name: string, label: string) => {
    const one = CASES.find((each) => each.name === name)
    if (!one) throw new Error(`no case ${name}`)
    const stage = await openStage(world, `${name} ${label}`, one.make, one.spread ?? 'buy')
    await one.spring?.(stage)
    await world.mine()
    return stage
  }

  test.each(NODES)('the capabilities of the node are found once: $method', async ({ lacks }) => {
    const found = await safetyOf(lacks).capabilities()
    const { simulate = false, override = false, construct = false } = lacks
    expect(found).toEqual({
      simulate: !simulate,
      share: !simulate,
      override: !override,
      construct: !construct,
      later: !override,
      execute: true,
    })
  })

  test('a node that refuses every call, as a recording does, leads to no accusation', async () => {
    const recording = bentNode(world.anvil.url, ({ method }, answer) =>
      method === 'eth_call' ? { error: new RpcError('execution', 'execution reverted') } : answer,
    )
    const safety = createSafety({ rpc: createRpc({ endpoints: [recording], clock: systemClock }) })
    const report = await safety.check(await (await stageOf('plain', 'recording')).target('recording'), signal)
    expect(report.sellCheck).toMatchObject({ status: 'not_checked', sellable: null })
    expect(report.findings).toEqual([])
  })

  test.each(NODES)(
    'traps are found and honest tokens are not accused by the method $method',
    async ({ method, lacks }) => {
      const safety = safetyOf(lacks)
      for (const name of ['only the owner sells', 'it sells in the block of the purchase', 'trading is never opened']) {
        const report = await safety.check(await (await stageOf(name, method)).target(`${name} by ${method}`), signal)
        expect(report.findings[0]?.name, name).toBe('cannot_sell')
        expect(report.sellCheck.call?.params[1], 'the call names its block').toBe(
          `0x${report.sellCheck.checkedBlock.toString(16)}`,
        )
      }
      for (const name of ['plain', 'a fixed fee of 5 %', 'one trade per block']) {
        const report = await safety.check(await (await stageOf(name, method)).target(`${name} by ${method}`), signal)
        expect(report.findings, name).toEqual([])
        expect(report.sellCheck, name).toMatchObject({ status: 'checked', sellable: true, method })
        expect(report.complete, 'what harms later is not tried without eth_simulateV1').toBe(false)
      }
    },
  )

  test.each(NODES.slice(0, 2))('the tax is measured by the method $method', async ({ method, lacks }) => {
    const stage = await stageOf('a fixed fee of 5 %', `taxed by ${method}`)
    const steps: unknown[] = []
    const tell: TellStep = (step, holders) => steps.push([step, holders])
    const report = await safetyOf(lacks).check(await stage.target('tax'), signal, undefined, tell)
    expect(report.sellCheck).toMatchObject({ buyTaxPct: 5, sellTaxPct: 5 })
    expect(steps, 'whoever waits learns the steps').toEqual([
      ['trials', 8],
      ['powers', undefined],
    ])
  })

  test.each(CASES.filter(({ power }) => power !== undefined))(
    'a power is tried by state overrides, where the node has no eth_simulateV1: $name',
    async ({ name, make, power }) => {
      const stage = await openStage(world, `${name} by override`, make, 'buy')
      const report = await safetyOf({ simulate: true }).check(await stage.target(`powers of ${name}`), signal)
      expect(report.powers?.filter(({ proven }) => proven).map(({ kind }) => kind)).toContain(power)
      expect(report.powersTried).toBe('some')
    },
  )

  test('a plain call names the deployer whom a mapping admits, and nobody once that role was given up', async () => {
    const plainNode = safetyOf({ simulate: true, override: true, construct: true })
    const powersOf = async (stage: Stage) => (await plainNode.check(await stage.target('roles'), signal)).powers
    const stage = await openStage(world, 'a minter', plain('RenouncedRole'), 'buy')
    const [mint] = (await powersOf(stage)) ?? []
    expect(mint).toMatchObject({ kind: 'mint', holder: stage.deployer, holderKind: 'account', proven: false })
    const [transaction, tag] = (mint?.call?.params ?? []) as [{ from: string }, string]
    expect(transaction.from).toBe(stage.deployer)
    expect(await world.anvil.rpc('eth_call', [transaction, tag])).toBe('0x')
    const stranger = { ...transaction, from: stage.buyers[0] }
    await expect(world.anvil.rpc('eth_call', [stranger, tag])).rejects.toThrow('not a minter')
    const [left] = (await powersOf(await stageOf('the role of a minter was given up', 'plain'))) ?? []
    expect(left).toMatchObject({ kind: 'mint', holder: null, holderKind: 'nobody_known', hidden: false })
  })

  test('anybody repeats the refused sale with the call of the report', async () => {
    const stage = await stageOf('it is paused for good', 'repeated')
    const report = await safetyOf({}).check(await stage.target('repeat'), signal)
    const { call, refusal } = report.sellCheck
    expect(refusal).toBe('paused')
    await expect(world.anvil.rpc(call?.method ?? '', [...(call?.params ?? [])])).rejects.toThrow('paused')
  })

  test('a node that contradicts itself when it is asked again is a finding', async () => {
    const stage = await stageOf('plain', 'twice')
    const seen = new Map<string, number>()
    const node = bentNode(world.anvil.url, (call, answer) => {
      const key = JSON.stringify(call.params)
      seen.set(key, (seen.get(key) ?? 0) + 1)
      const isSecond = call.method === 'eth_call' && seen.get(key) === 2
      return isSecond ? { result: `0x${'0'.repeat(64)}` } : answer
    })
    const report = await createSafety({ rpc: createRpc({ endpoints: [node], clock: systemClock }) }).check(
      await stage.target('twice'),
      signal,
    )
    expect(report.findings.map(({ name }) => name)).toEqual(['answers_differ'])
  })
})
