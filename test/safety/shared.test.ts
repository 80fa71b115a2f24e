// Many questions in one request: each gets the answer that it gets alone, whatever the contracts beside it do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plain } from '../../research/zoo/cases.ts'
import { contractOf, openStage, type Stage } from '../../research/zoo/stage.ts'
import { createWorld, type World } from '../../research/zoo/world.ts'
import type { Address } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { callData, selectorOf } from '../../src/chain/contracts/words.ts'
import type { Call } from '../../src/chain/rpc/endpoint.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import { createAsker } from '../../src/safety/node/asker.ts'
import { READ_GAS } from '../../src/safety/node/gas.ts'
import type { Reply } from '../../src/safety/node/reply.ts'
import shared from '../../src/safety/node/shared.json' with { type: 'json' }
import type { ShareWay } from '../../src/safety/node/shared.ts'
import type { RpcCall } from '../../src/safety/report.ts'
import { plansOf, prepareSenders, transferPlan, trySends } from '../../src/safety/sale/sends.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { bentNode } from './node.ts'

const title = `questions that share a request${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`
const signal = new AbortController().signal
const BALANCE = selectorOf('balanceOf(address)')
/** What a megabyte takes. */
const MUCH_GAS = '0x3d0900'
const NOTHING = selectorOf('nothingAnswersThis()')

describe.skipIf(!anvilBinary)(title, () => {
  let world: World
  let stage: Stage
  let sent: Call[] = []

  beforeAll(async () => {
    world = await createWorld()
    stage = await openStage(world, 'shared', plain('Plain'), 'buy')
  })
  afterAll(() => world?.stop())

  const rpcOf = () => {
    sent = []
    const endpoint = bentNode(world.anvil.url, (call, answer) => {
      sent.push(call)
      return answer
    })
    return createRpc({ endpoints: [endpoint], clock: systemClock })
  }
  const askerOf = async (way: ShareWay, token = stage.token) =>
    createAsker({ rpc: rpcOf(), signal, maxCalls: 200, target: { ...(await stage.target('shared')), token }, way })
  const methods = () => sent.slice(2).map(({ method }) => method)
  const bare = ({ call: _, ...reply }: Reply) => reply
  const place = async (contract: string, args: unknown[] = []) => {
    const address = await world.deploy(stage.deployer, contractOf(contract), args)
    await world.mine()
    return address
  }

  /** One question of each kind, two of contracts that never end or answer with a megabyte. */
  const questionsOf = (tag: string, endless: Address, wordy: Address): RpcCall[] => {
    const call = (to: Address, data: string, gas = READ_GAS) => ({
      method: 'eth_call',
      params: [{ to, data, gas }, tag],
    })
    return [
      call(stage.token, callData(BALANCE, stage.buyers[0] as Address)),
      call(endless, callData(selectorOf('transfer(address,uint256)'), stage.token, 0)),
      call(wordy, callData(selectorOf('transfer(address,uint256)'), stage.token, 0), MUCH_GAS),
      call(stage.token, NOTHING),
      call(stage.buyers[1] as Address, NOTHING),
      { method: 'eth_getStorageAt', params: [stage.token, '0x2', tag] },
      { method: 'eth_getCode', params: [wordy, tag] },
      call(stage.token, callData(BALANCE, stage.buyers[1] as Address)),
    ]
  }

  test.each([
    { way: 'blocks', requests: ['eth_simulateV1', 'eth_call'] },
    { way: 'call', requests: ['eth_call', 'eth_call', 'eth_call'] },
  ] as const)('are answered as each alone, and only a megabyte is asked again: $way', async ({ way, requests }) => {
    const [endless, wordy] = [await place('Endless'), await place('Wordy', [false])]
    const alone = await askerOf('none')
    const calls = questionsOf(alone.block.tag, endless, wordy)
    const wanted = await alone.askAlone(calls)
    sent = []
    const asker = await askerOf(way)
    expect((await asker.ask(calls)).map(bare)).toEqual(wanted.map(bare))
    expect(methods()).toEqual(requests)
    expect(await asker.ask(calls)).toHaveLength(calls.length)
    expect(methods(), 'nothing is read twice').toEqual(requests)
  })

  test('of accounts do not see what another one did, and a contract that burns gas spoils none', async () => {
    const endless = await openStage(world, 'endless', plain('Plain'), 'buy')
    const code = await world.anvil.rpc('eth_getCode', [await place('Endless'), 'latest'])
    await world.anvil.rpc('anvil_setCode', [endless.token, code])
    const keeper = stage.pool.address
    const [holder, other] = stage.buyers as [Address, Address]
    const all = await world.ask<bigint>(stage.token, 'function balanceOf(address) view returns (uint256)', holder)
    const plans = [
      // Whoever sends everything could not do so a second time.
      ...[1, 2].map(() => transferPlan(stage.token, holder, keeper, all)),
      ...plansOf(endless.token, endless.pool.address, [{ address: other, amount: 1n } as never]),
      transferPlan(stage.token, other, keeper, all * 1_000n),
      transferPlan(stage.token, other, keeper, 1n),
    ]
    const setting = { seed: 'shared', isFree: false, canOverride: true, canWait: true, laterSeconds: 0 }
    const asker = await askerOf('blocks')
    prepareSenders(asker, [holder, other])
    await asker.ask([{ method: 'eth_getCode', params: [endless.token, asker.block.tag] }])
    const sends = await trySends(asker, plans, setting)
    expect(sends.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['sent', ''],
      ['sent', ''],
      ['refused', 'out of gas'],
      ['refused', 'balance'],
      ['sent', ''],
    ])
    expect(methods()).toEqual(['eth_simulateV1', 'eth_simulateV1'])
  })

  test('are given up where the contract recognises them: it is asked alone, and cannot be sold', async () => {
    const trap = await openStage(world, 'recogniser', plain('Recogniser'), 'buy')
    const check = async (seed: string) => {
      const safety = createSafety({ rpc: rpcOf() })
      return safety.check(await trap.target(seed), signal)
    }
    expect((await check('before')).findings.map(({ name }) => name)).not.toContain('cannot_sell')
    const calls = sent.length
    await trap.act(trap.deployer, 'Recogniser', 'arm')
    await world.mine()
    const report = await check('after')
    expect(report.findings[0]?.name).toBe('cannot_sell')
    expect(report.sellCheck).toMatchObject({ sellable: false, refusal: 'closed' })
    expect(sent.length).toBeGreaterThan(calls)
  })

  test('are not asked of a node whose answer to them is nonsense, and the verdict is the same', async () => {
    const node = bentNode(world.anvil.url, ({ params }, answer) => {
      const isShared = JSON.stringify(params).includes(shared.reader) && params[1] !== 'latest'
      return isShared ? { result: [] } : answer
    })
    const lesser = createSafety({ rpc: createRpc({ endpoints: [node], clock: systemClock }) })
    const report = await lesser.check(await stage.target('nonsense'), signal)
    const whole = await createSafety({ rpc: rpcOf() }).check(await stage.target('nonsense'), signal)
    expect(report.calls).toBeGreaterThan(whole.calls)
    expect({ ...report, calls: 0 }).toEqual({ ...whole, calls: 0 })
  })
})
