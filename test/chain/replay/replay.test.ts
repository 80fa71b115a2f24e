import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toAddress, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import { unpackBlocks } from '../../../src/chain/logs/unpack.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { createReplay } from '../../../src/chain/replay/replay.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { demoRecording } from '../../support/demo.ts'
import type { Truth } from '../../support/market/truth.ts'

const read = <T>(path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as T
const preset = read<Preset>('src/chain/presets/demo.json')
const truth = read<Truth>('test/fixtures/demo-truth.json')
const recording = demoRecording()
const replay = createReplay(recording)
const rpc = createRpc({ endpoints: [replay], clock: systemClock })
const source = createSource({ rpc, preset, clock: systemClock })
const reader = createChainReader(rpc, preset)
const find = (name: string) => {
  const token = truth.tokens.find((one) => one.symbol === name || one.name === name)
  if (!token) throw new Error(`the demo has no token ${name}`)
  return toAddress(token.address)
}

describe('the recorded demo chain', () => {
  test('the demo chain has the size that the documentation promises', () => {
    expect(truth.tokens.length).toBeGreaterThanOrEqual(30)
    expect(new Set(truth.tokens.map(({ launchpad }) => launchpad)).size).toBeGreaterThanOrEqual(4)
    expect(truth.logs).toBeGreaterThanOrEqual(20_000)
    const days = (recording.blocks.at(-1)?.time ?? 0) - (recording.blocks[1]?.time ?? 0)
    expect(days / 86_400).toBeGreaterThan(29.9)
    const senders = recording.blocks.flatMap(({ transactions }) => transactions.map(({ from }) => from))
    expect(new Set(senders).size).toBeGreaterThanOrEqual(300)
  })

  test("the demo chain passes the source's checks of blooms and parent hashes", async () => {
    const head = await source.readHead()
    expect(head).toMatchObject(truth.head)
    expect(await source.readFinalized(head.number)).toBe(head.number - recording.finalityDepth)
    const blocks = unpackBlocks(await source.readRange(head.number - 400, head.number - 64))
    expect(blocks).toHaveLength(337)
    const window = unpackBlocks(await source.readWindow(head.number - 20, head.number))
    expect(window.at(-1)?.hash).toBe(truth.head.hash)
  })

  test('the demo chain answers token metadata in every form that tokens use', async () => {
    const block = truth.head.number
    const mute = toAddress(truth.tokens.find(({ decimals }) => decimals === null)?.address ?? '')
    const hostile = toAddress(truth.tokens.find(({ name }) => name.includes('script'))?.address ?? '')
    const tokens = await reader.readTokens([find('LARK'), find('MOSS'), find('VINT'), mute, hostile], block)
    expect(tokens.get(find('LARK'))).toMatchObject({ name: 'Larkspur', symbol: 'LARK', decimals: 18 })
    expect(tokens.get(find('MOSS'))?.decimals).toBe(9)
    expect(tokens.get(find('VINT'))?.name).toBe('Vintage Coin')
    expect(tokens.get(mute)).toMatchObject({ name: '', symbol: '', decimals: null })
    expect(tokens.get(hostile)?.name).toMatch(/^<script>/)
    expect(tokens.get(find('LARK'))?.totalSupply).toBe(10n ** 27n)
  })

  test('the demo chain answers calls as of the requested block', async () => {
    const [before, after] = await Promise.all(
      [1, truth.head.number].map((block) => reader.readTokens([find('LARK')], block)),
    )
    expect(before?.get(find('LARK'))?.totalSupply).toBeNull()
    expect(after?.get(find('LARK'))?.totalSupply).toBe(10n ** 27n)
  })

  test('the demo chain confirms no pool that its factory does not know', async () => {
    const pools = await reader.readPools([find('LARK'), ZERO_ADDRESS], truth.head.number)
    expect([...pools.values()]).toEqual([null, null])
  })

  test('the demo chain answers unknown questions with an error or null', async () => {
    const answers = await replay.send([
      { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: '0xffffff' }] },
      { method: 'eth_getBlockByNumber', params: ['0xffffff', false] },
      { method: 'eth_getBalance', params: [ZERO_ADDRESS, 'latest'] },
    ])
    expect(answers).toMatchObject([
      { error: { kind: 'lagging' } },
      { result: null },
      { error: { kind: 'unsupported' } },
    ])
  })

  test('the demo chain ends at the head that it is given', async () => {
    const part = createReplay(recording, { head: () => 100 })
    const [latest, next] = await part.send([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['0x65', false] },
    ])
    expect([latest, next]).toMatchObject([{ result: { hash: recording.blocks[100]?.hash } }, { result: null }])
  })
})
