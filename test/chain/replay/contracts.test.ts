// The demo's contracts answer like those that were recorded: who can send, whose code, who owns it.
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { answerCall } from '../../../src/chain/replay/call.ts'
import type { RecordedContract, RecordedRule } from '../../../src/chain/replay/recording.ts'
import { createReplay } from '../../../src/chain/replay/replay.ts'
import { createRounds } from '../../../src/chain/replay/rounds.ts'
import { key } from '../../../src/chain/replay/state.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../../src/safety/check/safety.ts'
import { demoRecording } from '../../support/demo.ts'

const [TOKEN, POOL, HOLDER, OWNER] = [1, 2, 3, 4].map((n) => `0x${String(n).repeat(40)}`)
const word = (value: string) => value.replace('0x', '').padStart(64, '0')
const YES = `0x${word('1')}`
const MOVING = ['0xa9059cbb', '0x23b872dd', '0x70a08231']

function ask(call: { from?: string; data: string }, block: number, rule?: RecordedRule): string {
  const token: RecordedContract = { born: 5, answers: {}, moving: MOVING, code: 0, ...(rule ? { rule } : {}) }
  const contracts = new Map([
    [TOKEN, token],
    [POOL, { ...token, moving: [] }],
  ])
  const balance = key.balance(TOKEN!, HOLDER!.slice(2))
  const state = { read: (name: string) => (name === balance ? word('64') : null) }
  try {
    return answerCall((address) => contracts.get(address), state, { from: '', ...call, to: TOKEN! }, block)
  } catch (error) {
    return (error as Error).message
  }
}

const send = (to = POOL, amount = '64') => ({ from: HOLDER!, data: `0xa9059cbb${word(to!)}${word(amount)}` })
const spend = (by = OWNER!) => ({ from: by, data: `0x23b872dd${word(HOLDER!)}${word(OWNER!)}${word('1')}` })
const ruleOf = (kind: RecordedRule['kind']): RecordedRule => ({ kind, from: 10, free: [OWNER!] })

test('a holder sends what it has, and not more', () => {
  expect(ask(send(), 9)).toBe(YES)
  expect(ask(send(POOL, '65'), 9)).toContain('the balance is too low')
  expect(ask(send(), 4)).toBe('0x')
})

test('after a token is closed, accounts cannot send to contracts, and the block before they still can', () => {
  expect(ask(send(), 9, ruleOf('closed'))).toBe(YES)
  expect(ask(send(), 10, ruleOf('closed'))).toContain('execution reverted: trading is closed')
  expect(ask(send(OWNER), 10, ruleOf('closed'))).toBe(YES)
})

test('after a token is emptied, accounts have nothing, whatever the logs say', () => {
  const balance = { data: `0x70a08231${word(HOLDER!)}` }
  expect(ask(balance, 9, ruleOf('emptied'))).toBe(`0x${word('64')}`)
  expect(ask(balance, 10, ruleOf('emptied'))).toBe(`0x${word('0')}`)
  expect(ask(send(), 10, ruleOf('emptied'))).toContain('reverted')
})

test('only whom the rule frees spends what others have', () => {
  expect(ask(spend(), 10, ruleOf('grasping'))).toBe(YES)
  expect(ask(spend(HOLDER!), 10, ruleOf('grasping'))).toContain('allowance')
  expect(ask(spend(), 10)).toContain('allowance')
})

test('code and slots are those of the recording, and an unrecorded slot is refused, not zero', async () => {
  const recording = demoRecording()
  const token = Object.entries(recording.contracts).find(([, { rule }]) => rule?.kind === 'closed')![0]
  const replay = createReplay(recording)
  const one = async (method: string, ...params: unknown[]) => (await replay.send([{ method, params }]))[0]
  expect(await one('eth_getCode', token, 'latest')).toMatchObject({ result: expect.stringMatching(/^0x6080/) })
  expect(await one('eth_getCode', OWNER, 'latest')).toEqual({ result: '0x' })
  expect(await one('eth_getCode', token, '0x0')).toEqual({ result: '0x' })
  expect(await one('eth_getStorageAt', token, '0x5', 'latest')).toMatchObject({ result: expect.stringMatching(/^0x/) })
  expect(await one('eth_getStorageAt', token, '0xffff', 'latest')).toMatchObject({ error: { kind: 'unsupported' } })
})

test('the demo can be checked by transfers of holders alone', async () => {
  const rpc = createRpc({ endpoints: [createReplay(demoRecording())], clock: systemClock })
  expect(await createSafety({ rpc }).capabilities()).toEqual({
    share: false,
    execute: true,
    simulate: false,
    override: false,
    construct: false,
    later: false,
  })
})

test('in each round a new LURE trades, is closed by its owner, and its holders fail to sell', () => {
  const recording = demoRecording()
  const rounds = createRounds(recording)
  const first = recording.blocks.length
  const symbolOf = (address: string) => rounds.contract(address)?.answers['0x95d89b41'] ?? ''
  const isLure = (address: string) => symbolOf(address).includes(Buffer.from('LURE2').toString('hex'))
  const blocks = Array.from({ length: 160 }, (_, at) => rounds.block(first + at))
  const token = blocks.flatMap(({ logs }) => logs).find(({ address }) => isLure(address))!.address
  const closing = blocks.findIndex(({ transactions }) =>
    transactions.some(({ to, input }) => to === token && input === `0x8f70ccf7${word('0')}`),
  )
  expect(rounds.contract(token)?.rule).toMatchObject({ kind: 'closed', from: first + closing })
  const failed = blocks
    .slice(closing)
    .flatMap(({ transactions, logs }) =>
      transactions.filter(({ input }, at) => input.includes(token.slice(2)) && !logs.some((log) => log.at === at)),
    )
  expect(failed.length).toBeGreaterThan(3)
  const trades = blocks.slice(0, closing).flatMap(({ logs }) => logs.filter(({ address }) => address === token))
  expect(trades.length).toBeGreaterThan(30)
})
