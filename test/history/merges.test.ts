// The choice of segments to merge: neighbours, until few are left, for any number of events.
import { expect, test } from 'vitest'
import { chooseMerge } from '../../src/history/merges.ts'
import { createRandom } from '../support/seed.ts'

interface Part {
  firstN: number
  lastN: number
}

/** Appends segments of random sizes up to 250, merging as long as something is due; returns the most there ever were. */
function grow(count: number): { parts: Part[]; most: number; written: number } {
  const random = createRandom(5)
  let parts: Part[] = []
  let [most, written] = [0, 0]
  for (let at = 0; at < count; at += 1) {
    const firstN = (parts.at(-1)?.lastN ?? 0) + 1
    parts.push({ firstN, lastN: firstN + 49 + Math.floor(random() * 201) })
    for (let chosen = chooseMerge(parts, 250); chosen.length > 0; chosen = chooseMerge(parts, 250)) {
      const from = parts.indexOf(chosen[0] as Part)
      expect(parts.slice(from, from + chosen.length)).toEqual(chosen)
      const merged = { firstN: chosen[0]?.firstN ?? 0, lastN: chosen.at(-1)?.lastN ?? 0 }
      written += merged.lastN - merged.firstN + 1
      parts = [...parts.slice(0, from), merged, ...parts.slice(from + chosen.length)]
    }
    most = Math.max(most, parts.length)
  }
  return { parts, most, written }
}

test('ten times as many events have hardly more segments until the largest, and are written four times at most', () => {
  const [few, many] = [grow(60), grow(500)]
  expect(few.most).toBeLessThanOrEqual(15)
  expect(many.most).toBeLessThanOrEqual(25)
  for (const { parts, written } of [few, many]) {
    const total = parts.at(-1)?.lastN ?? 0
    expect(written / total).toBeLessThan(3.01)
    expect(parts.map(({ firstN }) => firstN)).toEqual([1, ...parts.slice(0, -1).map(({ lastN }) => lastN + 1)])
  }
})

test('nothing is merged while there are few of a size, and segments of the last size stay as they are', () => {
  const of = (sizes: readonly number[]) => {
    let n = 0
    return sizes.map((size) => {
      n += size
      return { firstN: n - size + 1, lastN: n }
    })
  }
  expect(chooseMerge(of(Array(7).fill(250)), 250)).toEqual([])
  expect(chooseMerge(of(Array(8).fill(250)), 250)).toHaveLength(8)
  expect(chooseMerge(of(Array(20).fill(250 * 512)), 250)).toEqual([])
})
