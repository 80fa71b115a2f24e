// Recorded transactions of real exchanges decode to the amounts that others decoded, where the recordings are.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { readFolder } from './recording.ts'

const FOLDER = resolve('../shared/data/exchange-goldens')
const OURS = /^(v4|pcsinf|slip|solidly|algebra|integral)/

describe('recorded transactions (skipped where ../shared/data is absent)', () => {
  it.skipIf(!existsSync(FOLDER))('every amount of an exchange that is read agrees with its source', () => {
    const judged = readFolder(FOLDER).recordings.map(({ recording }) => judge(recording))
    expect(judged.flatMap(({ differences, missing }) => [...differences, ...missing])).toEqual([])
    const tallies = judged.flatMap((each) => [...each.tallies]).filter(([name]) => OURS.test(name))
    expect(tallies.length).toBeGreaterThan(30)
    expect(tallies.filter(([, { unstated }]) => unstated > 0)).toEqual([])
    const agreed = (name: string) => tallies.reduce((sum, [of, { agree }]) => (of === name ? sum + agree : sum), 0)
    expect(agreed('v4.Swap')).toBeGreaterThan(200)
    expect(agreed('slip.SwapFeeless=univ3')).toBeGreaterThan(20)
  })

  it.skipIf(!existsSync(FOLDER))('a wrong amount is found', () => {
    const [first] = readFolder(FOLDER).recordings.filter(({ file }) => file === 'v4.json')
    const recording = structuredClone(first?.recording)
    if (!recording?.decoded?.[0]) throw new Error('no recording')
    recording.decoded[0].amount0 = '1'
    expect(judge(recording).differences).toHaveLength(1)
  })
})
