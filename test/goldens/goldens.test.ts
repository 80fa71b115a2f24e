// Recorded transactions of real exchanges decode to the amounts that others decoded, where the recordings are.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENT_LIST } from '../../src/chain/logs/events.ts'
import { judge } from './judge.ts'
import { reasonOf } from './left-out.ts'
import { readFolder } from './recording.ts'

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
