// `labels import | remove | list`: labels stand beside what the index found, and facts of tokens read those of services.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import { type LabelDefaults, parseLabels } from '../../src/cli/label-file.ts'
import { createMemory } from '../../src/ledger/facts/memory.ts'
import { readWallets } from '../../src/ledger/facts/traders.ts'
import { saveLabels } from '../../src/ledger/labels.ts'
import { FACT_RULES } from '../../src/scoring/weights.ts'
import { runCommand } from '../support/context.ts'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const A = `0x${'a1'.repeat(20)}`
const DEFAULTS: LabelDefaults = { source: 'list', licence: 'CC0', dated: '2026-01-31', confidence: 1, chainId: 1 }
const HEAD = 'address,kind,name,source,licence,confidence,date\n'

describe('a file of labels', () => {
  test('has a label per line of CSV, with quotes, and the defaults of the command', () => {
    const text = `${HEAD}${A.toUpperCase().replace('0X', '0x')},Exchange,"Binance, ""hot""",cex list,MIT,0.9,2026-02-01\r\n\r\n`
    expect(parseLabels(text, DEFAULTS)).toEqual([
      {
        address: A,
        kind: 'exchange',
        name: 'Binance, "hot"',
        source: 'cex list',
        licence: 'MIT',
        confidence: 0.9,
        dated: '2026-02-01',
      },
    ])
    expect(parseLabels(`address,kind,name\n${A},fund,Some fund`, DEFAULTS)).toEqual([
      {
        address: A,
        kind: 'fund',
        name: 'Some fund',
        source: 'list',
        licence: 'CC0',
        confidence: 1,
        dated: '2026-01-31',
      },
    ])
  })

  test.each([
    ['an address that is none', `${HEAD}0x12,fund,x,s,MIT,1,2026-01-01`, 'line 2: address'],
    ['an unknown kind', `${HEAD}${A},whale,x,s,MIT,1,2026-01-01`, 'line 2: kind must be exchange'],
    ['an invisible name', `${HEAD}${A},fund,a\u200bb,s,MIT,1,2026-01-01`, 'line 2: name'],
    ['a confidence above one', `${HEAD}${A},fund,x,s,MIT,2,2026-01-01`, 'line 2: confidence'],
    ['no such day', `${HEAD}${A},fund,x,s,MIT,1,2026-13-01`, 'line 2: date'],
    ['no columns', `${A},fund,x`, 'The first line must name'],
    ['an open quote', `${HEAD}${A},fund,"x`, 'a quote does not end'],
    ['broken JSON', '[{', 'neither CSV nor'],
  ])('with %s is refused in a sentence', (_, text, fault) => {
    expect(() => parseLabels(text, DEFAULTS)).toThrow(fault)
  })

  test('without a source or licence, and with too many lines, is refused', () => {
    const text = `address,kind,name\n${A},fund,x`
    expect(() => parseLabels(text, { ...DEFAULTS, source: undefined })).toThrow('--source')
    expect(() => parseLabels(text, { ...DEFAULTS, licence: undefined })).toThrow('--licence')
    expect(() => parseLabels(`address,kind,name\n${`${A},fund,x\n`.repeat(100_001)}`, DEFAULTS)).toThrow('100000')
  })

  test('may be of Open Labels: usages that are a kind, of this chain or of any', () => {
    const attest = (chain_id: string, usage_category: string, more = {}) => ({
      chain_id,
      address: A,
      attester: '0xabc',
      time: '2026-03-01T10:00:00Z',
      tags_json: { usage_category, contract_name: 'Hot wallet', ...more },
    })
    const entries = [
      attest('eip155:1', 'cex'),
      attest('eip155:10', 'cex'),
      attest('any', 'bridge'),
      attest('eip155:1', 'dex'),
    ]
    const expected = [
      {
        address: A,
        kind: 'exchange',
        name: 'Hot wallet',
        source: 'open_labels 0xabc',
        licence: 'CC0',
        confidence: 1,
        dated: '2026-03-01',
      },
      expect.objectContaining({ kind: 'bridge' }),
    ]
    expect(parseLabels(JSON.stringify(entries), DEFAULTS)).toEqual(expected)
    expect(parseLabels(JSON.stringify({ attestations: entries }), DEFAULTS)).toEqual(expected)
    expect(parseLabels(entries.map((each) => JSON.stringify(each)).join('\n'), DEFAULTS)).toEqual(expected)
  })
})

describe('the command', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDemoDatabase()
  })

  const run = (...args: string[]) => runCommand(args, { DATABASE_URL: database.url })

  test('shows labels beside the class, scores the tokens of the wallet anew, and takes labels back', async () => {
    const graph = await openGraph(database)
    afterAll(() => graph.head.stop())
    const { rows } = await database.pool.query<{ address: string; token: number }>(
      `SELECT w.address, p.token_id AS token FROM position p JOIN wallet w ON w.id = p.wallet_id
       JOIN token_score s ON s.token_id = p.token_id WHERE w.kind = 'account' AND p.balance > 0 ORDER BY w.id LIMIT 1`,
    )
    const { address = '', token = 0 } = rows[0] ?? {}
    await database.pool.query('DELETE FROM score_due')
    const shown = async () => {
      await graph.head.refresh()
      const query = `{ wallet(address: "${address}") { classification labels { kind name source licence confidence } } }`
      const { data } = await graph.execute(query, {}, SOMEBODY)
      return data?.wallet as { classification: string; labels: object[] }
    }
    const before = await shown()
    expect(before.labels).toEqual([])
    const file = join(mkdtempSync(join(tmpdir(), 'labels-')), 'labels.csv')
    writeFileSync(file, `address,kind,name\n${address},exchange,Hot wallet\n`)
    expect(await run('labels', 'import', file, '--source', 'list')).toMatchObject({ code: 2 })
    const options = ['--source', 'list', '--licence', 'CC0', '--confidence', '0.8']
    expect(await run('labels', 'import', file, ...options)).toMatchObject({ code: 0, complaints: [] })
    const label = { kind: 'exchange', name: 'Hot wallet', source: 'list', licence: 'CC0', confidence: 0.8 }
    expect(await shown()).toEqual({ ...before, labels: [label] })
    const due = await database.pool.query('SELECT FROM score_due WHERE kind = 1 AND id = $1', [token])
    expect(due.rowCount).toBe(1)
    expect((await run('labels', 'list')).printed.join('\n')).toMatch(new RegExp(`${address}.*Hot wallet.*list.*CC0`))
    expect((await run('labels', 'remove', address, '--source', 'another')).code).toBe(1)
    expect((await run('labels', 'remove', address)).printed.join('\n')).toContain('Hot wallet')
    expect(await shown()).toEqual(before)
    expect((await run('labels', 'list')).printed).toEqual(['There are no labels.'])
  })

  test('counts a labelled service as an exchange in the facts of tokens, and others as before', async () => {
    const { rows } = await database.pool.query<{ id: number; address: string }>(
      `SELECT id, address FROM wallet WHERE kind = 'account' ORDER BY id LIMIT 3`,
    )
    const [service, doubted, fund] = rows
    if (!service || !doubted || !fund) throw new Error('too few wallets')
    const base = { name: 'x', source: 'list', licence: 'CC0', dated: '2026-01-31' } as const
    await saveLabels(database.pool, [
      { ...base, address: service.address as Address, kind: 'bridge', confidence: 1 },
      { ...base, address: doubted.address as Address, kind: 'bridge', confidence: 0.2 },
      { ...base, address: fund.address as Address, kind: 'fund', confidence: 1 },
    ])
    const memory = createMemory(FACT_RULES)
    const client = await database.pool.connect()
    try {
      const known = await readWallets(client, [[service.id, doubted.id, fund.id]], memory)
      expect([service, doubted, fund].map(({ id }) => known.get(id)?.kind)).toEqual(['exchange', 'account', 'account'])
      expect(known.isAccount(service.id)).toBe(false)
    } finally {
      client.release()
    }
  })
})
