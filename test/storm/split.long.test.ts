// Events and positions of the demo chain, split over two servers. Every statement has the answer of one server, and
// those of one token or one wallet come from one shard.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'
import { compare, fillShards, findSubjects, makeShards, statementsFor } from './split/rehearsal.ts'
import { openShards } from './split/servers.ts'

test('statements of a token or a wallet touch one of two shards, and answer what one server does', async () => {
  const { url } = await createDemoDatabase()
  const whole = new pg.Pool({ connectionString: url, max: 2 })
  onTestFinished(() => whole.end())
  const folder = mkdtempSync(join(tmpdir(), 'split-'))
  const opened = await openShards(folder)
  onTestFinished(opened.close)
  await makeShards(opened, whole)
  await fillShards(opened, ['by_token', 'by_wallet'], 5_000)
  const { token, wallet, met } = await findSubjects(whole)
  const findings = await compare(opened, whole, statementsFor(token, wallet, met))
  expect(findings.filter(({ isSame }) => !isSame)).toEqual([])
  const everywhere = findings.filter(({ touched }) => touched.length !== 1).map(({ statement }) => statement)
  expect(everywhere).toEqual([
    'the writer’s positions of a batch',
    'the newest events of all',
    'the newest swaps of all',
    'a wallet’s portfolio without the second copy',
  ])
  expect(findings.filter(({ rows }) => rows === 0)).toEqual([])
})
