// The demo chain indexed from Parquet files gives, row by row, the same as from a node.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { openHistory } from '../../src/chain/files/history.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { createTestDatabase } from '../support/database.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { writeHistoryFiles } from '../support/history-files.ts'
import { dumpLedger, indexToHead } from '../support/live.ts'

test('every table is the same, and the node gets no question about the logs of the files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const recording = readRecording()
  const last = 5_499
  writeHistoryFiles(recording, { folder, to: last, codec: 'LZ4_RAW' })
  const replay = createReplay(recording)
  const ranges: number[] = []
  const send: typeof replay.send = (calls, signal) => {
    for (const { method, params } of calls)
      if (method === 'eth_getLogs') ranges.push(Number((params[0] as { fromBlock?: string }).fromBlock ?? last + 1))
    return replay.send(calls, signal)
  }
  const preset = loadPreset(DEMO_CHAIN_ID)
  const rpc = createRpc({ endpoints: [{ ...replay, send }], clock: systemClock })
  const source = createSource({ rpc, preset, clock: systemClock, history: openHistory({ folder, preset, rpc }) })
  const [asked, fromFiles] = await Promise.all([createDemoDatabase(), createTestDatabase()])
  await indexToHead(fromFiles, { source, reader: createChainReader(rpc, preset), preset })
  expect(ranges.length).toBeGreaterThan(0)
  expect(ranges.filter((from) => from <= last)).toEqual([])
  const [expected, found] = await Promise.all([dumpLedger(asked.pool), dumpLedger(fromFiles.pool)])
  expect(Object.keys(found)).toEqual(Object.keys(expected))
  for (const [table, rows] of Object.entries(expected)) expect([table, found[table]]).toEqual([table, rows])
  expect(expected.event?.length).toBeGreaterThan(1_000)
})
