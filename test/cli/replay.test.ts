// `replay` against a node: it checks who signed an answer of the gate, and makes its calls again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Context } from '../../src/cli/context.ts'
import { createReplayCommand } from '../../src/cli/replay.ts'
import { createSigner } from '../../src/gate/sign.ts'
import { createFakeChain } from '../support/fake-chain.ts'
import { makeFolder } from '../support/folder.ts'
import { startRpcServer } from '../support/rpc-server.ts'

const folder = makeFolder('replay')
const signer = createSigner(Buffer.alloc(32, 7))
const node = await startRpcServer(createFakeChain())
afterAll(() => node.close())
let answers: Record<string, { result: unknown } | { error: { code: number; message: string } }> = {}
const asked: string[] = []
node.replace(({ method }) => {
  asked.push(method)
  return answers[method]
})

const SALE = { of: 'sale', method: 'eth_call', params: '[{"to":"0x01"},"0x7"]', refused: false }
const ANSWER = { decision: 'allow', token: `0x${'ab'.repeat(20)}`, block: 7, calls: [SALE] }
const REFUSED = { error: { code: 3, message: 'execution reverted: trading is closed' } }
const file = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}
const keys = file('keys.json', { keys: [signer.key] })

async function run(answer: string, ...more: string[]): Promise<string[]> {
  const said: string[] = []
  const context = {
    print: (line: string) => void said.push(line),
    clock: systemClock,
    signal: new AbortController().signal,
  }
  asked.length = 0
  await createReplayCommand(context as unknown as Context)
    .exitOverride()
    .parseAsync([answer, ...more], { from: 'user' })
  return said
}
const signed = (answer: object) => file('answer.json', { decision: 'allow', signed: signer.sign(answer) })

describe('replay', () => {
  test('tells the signed decision, and that the node answers alike', async () => {
    answers = { eth_call: { result: '0x01' } }
    expect(await run(signed(ANSWER), '--keys', keys, '--rpc', node.url)).toEqual([
      `signed: allow ${ANSWER.token} at block 7`,
      'sale: eth_call answered',
    ])
    expect(await run(signed(ANSWER), '--keys', keys)).toHaveLength(1)
    expect(asked).toEqual([])
  })

  test('fails where a contract answers otherwise', async () => {
    answers = { eth_call: REFUSED }
    await expect(run(signed(ANSWER), '--keys', keys, '--rpc', node.url)).rejects.toThrow(
      '1 of 1 calls are answered otherwise',
    )
    const blocked = { ...ANSWER, decision: 'block', calls: [{ ...SALE, refused: true }] }
    expect(await run(signed(blocked), '--keys', keys, '--rpc', node.url)).toContain('sale: eth_call refused')
  })

  test('takes no node that answers nothing for one that agrees', async () => {
    answers = { eth_call: { error: { code: -32601, message: 'the method eth_call does not exist' } } }
    expect(await run(signed(ANSWER), '--keys', keys, '--rpc', node.url)).toContain(
      'sale: eth_call the node does not answer',
    )
  })

  test('sends nothing but questions, whatever an answer names', async () => {
    answers = { eth_call: { result: '0x01' } }
    const calls = [SALE, { ...SALE, method: 'eth_sendRawTransaction' }, { ...SALE, method: 'personal_unlockAccount' }]
    await run(signed({ ...ANSWER, calls }), '--keys', keys, '--rpc', node.url)
    expect(new Set(asked)).toEqual(new Set(['eth_call']))
  })

  test('refuses an answer that another key signed, or nobody', async () => {
    const other = file('other.json', { keys: [createSigner(Buffer.alloc(32, 8)).key] })
    await expect(run(signed(ANSWER), '--keys', other)).rejects.toThrow('None of these keys signed this answer.')
    await expect(run(file('none.json', { decision: 'allow' }), '--keys', keys)).rejects.toThrow(
      'not of the expected form',
    )
    await expect(run(file('bad.json', '{'), '--keys', keys)).rejects.toThrow('cannot be read as JSON')
    await expect(run(join(folder, 'missing.json'), '--keys', keys)).rejects.toThrow('cannot be read as JSON')
  })
})
