// A chain read in its own thread over HTTP gives the same results as a chain read in this thread.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { StartupError } from '../../../src/base/errors.ts'
import { connectChain } from '../../../src/chain/connect/connect.ts'
import { connectInThread } from '../../../src/chain/connect/in-thread.ts'
import { unpackBlocks } from '../../../src/chain/logs/unpack.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import type { SentRequest } from '../../../src/chain/rpc/sent.ts'
import { startStormSource } from '../../storm/source.ts'
import { demoRecording } from '../../support/demo.ts'
import { createFakeChain, TOKEN, word } from '../../support/fake-chain.ts'
import { writeHistoryFiles } from '../../support/history-files.ts'
import { type RpcServer, startRpcServer, times } from '../../support/rpc-server.ts'

const override = JSON.stringify({
  name: 'Test',
  nativeSymbol: 'ETH',
  wrappedNative: `0x${'e'.repeat(40)}`,
  factories: [{ address: `0x${'f'.repeat(40)}`, kind: 'v2', launchpad: 'test_v2' }],
})

async function start(blocks = 40) {
  const chain = createFakeChain()
  chain.mine(...Array.from({ length: blocks }, (_, i) => (i % 3) + 1))
  const server = await startRpcServer(chain)
  const stopping = new AbortController()
  onTestFinished(async () => {
    stopping.abort()
    await server.close()
  })
  const troubles: string[] = []
  const sent: string[] = []
  const options = {
    urls: [server.url],
    override,
    clock: systemClock,
    signal: stopping.signal,
    onTrouble: ({ kind }: { kind: string }) => void troubles.push(kind),
    onSent: ({ calls }: SentRequest) => void sent.push(...Object.keys(calls)),
  }
  return { chain, server, options, troubles, sent, stop: () => stopping.abort() }
}

const refuse = (server: RpcServer, method: string, code: number, message: string) =>
  server.intervene((requests) =>
    requests.some((call) => call.method === method) ? { error: { code, message } } : undefined,
  )

test('the chain thread gives the same preset, links, blocks and contract answers as this thread', async () => {
  const { options, server } = await start()
  server.replace(({ method }) => (method === 'eth_call' ? { result: `0x${word(7)}` } : undefined))
  const [here, there] = [await connectChain(options), await connectInThread(options)]
  expect(there.preset).toEqual(here.preset)
  const head = await there.source.readHead()
  expect(head).toEqual(await here.source.readHead())
  expect(head.number).toBe(40)
  expect(await there.source.readFinalized(40)).toBe(await here.source.readFinalized(40))
  expect(await there.source.readLinks([3, 4])).toEqual(await here.source.readLinks([3, 4]))
  const blocks = unpackBlocks(await there.source.readRange(0, 30))
  expect(blocks).toEqual(unpackBlocks(await here.source.readRange(0, 30)))
  expect(blocks.reduce((sum, { logs }) => sum + logs.length, 0)).toBe(60)
  const window = unpackBlocks(await there.source.readWindow(31, 40))
  expect(window).toEqual(unpackBlocks(await here.source.readWindow(31, 40)))
  expect(window).toHaveLength(10)
  expect(await there.reader.readTokens([TOKEN], 40)).toEqual(await here.reader.readTokens([TOKEN], 40))
  expect(await there.reader.readPools([TOKEN], 40)).toEqual(new Map([[TOKEN, null]]))
  expect(await there.reader.readBalances([{ token: TOKEN, holder: TOKEN }], 40)).toEqual([7n])
})

test('a range size and the requests of the chain thread are known in this thread', async () => {
  const { options, sent } = await start(200)
  const { source } = await connectInThread(options)
  expect(sent).toContain('eth_chainId')
  const first = source.rangeSize()
  await source.readRange(0, first - 1)
  await source.readRange(first, 3 * first - 1)
  expect(source.rangeSize()).toBe(4 * first)
})

test('a provider fault in the chain thread keeps its kind and message, and the thread continues', async () => {
  const { options, server } = await start()
  const { source } = await connectInThread(options)
  refuse(server, 'eth_getBlockByNumber', -32000, 'this is not for you')
  const fault = await source.readRange(0, 5).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(RpcError)
  expect(fault).toMatchObject({ kind: 'rejected', message: expect.stringContaining('this is not for you') })
  await expect(source.readHead()).rejects.toMatchObject({ kind: 'rejected' })
})

test('a provider fault that is retried in the chain thread is reported to onTrouble', async () => {
  const { options, server, troubles } = await start()
  const { source } = await connectInThread(options)
  server.intervene(times(1, 'eth_getLogs', { status: 502, body: 'Bad gateway' }))
  expect(unpackBlocks(await source.readRange(0, 5))).toHaveLength(6)
  expect(troubles).toEqual(['transient'])
})

test('an unreachable provider and a missing preset give the same errors as in this thread', async () => {
  const { options } = await start()
  const nobody = await connectInThread({ ...options, urls: ['http://127.0.0.1:9'] }).catch((error: unknown) => error)
  expect(nobody).toBeInstanceOf(StartupError)
  expect(nobody).toMatchObject({ exitCode: 69 })
  await expect(connectInThread({ ...options, override: undefined })).rejects.toMatchObject({
    name: 'StartupError',
    exitCode: 78,
    message: expect.stringContaining('CHAIN_CONFIG'),
  })
})

test('the signal aborts the current read and ends the chain thread, which refuses later questions', async () => {
  const { options, server, stop } = await start()
  const { source } = await connectInThread(options)
  server.intervene(times(1, 'eth_getLogs', { hang: true }))
  const reading = source.readRange(0, 5).catch((error: unknown) => error)
  await expect.poll(() => server.calls.flat().some(({ method }) => method === 'eth_getLogs')).toBe(true)
  stop()
  expect(await reading).toMatchObject({ name: 'RpcError', kind: 'aborted' })
  await expect(source.readHead()).rejects.toMatchObject({ kind: 'aborted' })
})

test('files are read in the chain thread: their blocks are the node’s, their coverage is reported, and their faults end the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  const node = await startStormSource()
  node.release(700, 700)
  const stopping = new AbortController()
  onTestFinished(() => {
    stopping.abort()
    node.close()
    rmSync(folder, { recursive: true })
  })
  writeHistoryFiles(demoRecording(), { folder, from: 300, to: 399, chunkSize: 50 })
  writeHistoryFiles(demoRecording(), { folder, from: 420, to: 449 })
  const options = {
    urls: [node.url],
    override: undefined,
    clock: systemClock,
    signal: stopping.signal,
    onTrouble: () => {},
  }
  const here = await connectChain(options)
  const there = await connectInThread({ ...options, historyFiles: folder })
  expect(here.files).toBeNull()
  expect(there.files).toEqual({ files: 9, from: 300, to: 449, blocks: 130 })
  const blocks = unpackBlocks(await there.source.readRange(380, 449))
  expect(blocks).toEqual(unpackBlocks(await here.source.readRange(380, 449)))
  expect(blocks.reduce((sum, { logs }) => sum + logs.length, 0)).toBeGreaterThan(50)

  writeHistoryFiles(demoRecording(), { folder, from: 300, to: 399, change: (_, rows) => delete rows.log_index })
  const torn = await connectInThread({ ...options, historyFiles: folder })
  const fault = await torn.source.readRange(300, 349).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(StartupError)
  expect(fault).toMatchObject({
    exitCode: 78,
    message: expect.stringMatching(
      /^HISTORY_FILES: .*__logs__00000300_to_00000399.parquet: column log_index: is missing/,
    ),
  })
})
