// Recorded transactions of real exchanges decode to the amounts that others decoded, where the recordings are.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge } from '../../research/goldens/judge.ts'
import { reasonOf } from '../../research/goldens/left-out.ts'
import { readFolder } from '../../research/goldens/recording.ts'
import { EVENT_LIST } from '../../src/chain/logs/events.ts'

const FOLDER = resolve('../shared/data/exchange-goldens')
const TOPICS = resolve('../shared/data/exchange-topics.txt')

describe('recorded transactions (skipped where ../shared/data is absent)', () => {
  it.skipIf(!existsSync(FOLDER))('every amount of an exchange that is read agrees with its source', () => {
    const judged = readFolder(FOLDER).recordings.map(({ recording }) => judge(recording))
    expect(judged.flatMap(({ differences, missing }) => [...differences, ...missing])).toEqual([])
    const tallies = judged.flatMap((each) => [...each.tallies])
    expect(tallies.length).toBeGreaterThan(30)
    expect(tallies.filter(([, { logs, read, others }]) => read + others < logs)).toEqual([])
    const agreed = (name: string) => tallies.reduce((sum, [of, { agree }]) => (of === name ? sum + agree : sum), 0)
    expect(agreed('v4.Swap')).toBeGreaterThan(200)
    expect(agreed('slip.SwapFeeless=univ3')).toBeGreaterThan(20)
    expect(agreed('curve.TokenExchange(old)')).toBe(10)
    expect(agreed('bal2.Swap')).toBe(4)
    // The tokens of a hop stay with the vault, so no other log tells some of the amounts.
    expect(tallies.filter(([, { unstated }]) => unstated > 0).map(([name]) => name)).toEqual(['bal3.Swap'])
  })

  it.skipIf(!existsSync(FOLDER))('a wrong amount is found', () => {
    const [first] = readFolder(FOLDER).recordings.filter(({ file }) => file === 'v4.json')
    const recording = structuredClone(first?.recording)
    if (!recording?.decoded?.[0]) throw new Error('no recording')
    recording.decoded[0].amount0 = '1'
    expect(judge(recording).differences).toHaveLength(1)
  })

  it.skipIf(!existsSync(TOPICS))('every event of the list is read, or left out for a reason', () => {
    const read = new Set<string>(EVENT_LIST.map(({ topic0 }) => topic0))
    const lines = readFileSync(TOPICS, 'utf8').split('\n').filter(Boolean)
    const unexplained = lines.filter((line) => {
      const [topic = '', name = ''] = line.split(' ')
      return read.has(topic) === (reasonOf(name) !== null)
    })
    expect(lines.length).toBeGreaterThan(90)
    expect(unexplained).toEqual([])
  })
})

describe('a folder of recordings', () => {
  const sound = {
    chainId: 1,
    txHash: `0x${'1'.repeat(64)}`,
    blockHash: `0x${'2'.repeat(64)}`,
    from: `0x${'3'.repeat(40)}`,
    value: '0',
    events: [],
    expected: [],
    logs: [],
  }
  const run = (files: Record<string, string>): { code: number; said: string } => {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    try {
      const options = { encoding: 'utf8' as const, stdio: 'pipe' as const }
      return { code: 0, said: execFileSync('node', ['--import', 'tsx', 'research/goldens/run.ts', folder], options) }
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string }
      return { code: status, said: stdout }
    }
  }

  it('is judged recording by recording: one in another form is named, and the run fails', () => {
    const { value: _, ...bare } = sound
    const odd = { ...sound, value: 'much', expected: [{ amount: '1', notes: null, asset: 'USDC' }] }
    const { code, said } = run({
      'a.json': JSON.stringify([sound, bare, odd]),
      'b.json': '[{',
      'c.json': JSON.stringify([{ tx_hash: '0x', token_bought_amount: '1' }]),
      'd.json': '7',
      'e.json': JSON.stringify(sound),
    })
    expect(code).toBe(1)
    expect(said).toContain('a.json, recording 2: value: ')
    expect(said).toContain(`a.json, ${sound.txHash}: `)
    expect(said).toContain('b.json: ')
    expect(said).toContain('c.json has no logs')
    expect(said).toContain('d.json: neither a list')
    expect(said).toMatch(/^3 recordings/m)
    expect(said).toContain('2 recordings name no event')
  })

  it('passes where all of it can be read and nothing differs, and fails where there is no recording', () => {
    expect(run({ 'a.json': JSON.stringify([sound]) }).code).toBe(0)
    expect(run({ 'c.json': JSON.stringify([{ tx_hash: '0x' }]) }).code).toBe(1)
    expect(run({}).code).toBe(1)
  })
})
