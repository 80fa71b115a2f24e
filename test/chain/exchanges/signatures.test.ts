// Every signature that the program decodes is known from a recorded log, from two public files, or is named in the docs.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readReceipts } from '../../../research/goldens/receipts/read.ts'
import { readFolder } from '../../../research/goldens/recording.ts'
import type { Shape } from '../../../src/chain/columns/shape.ts'
import { EVENT_LIST } from '../../../src/chain/logs/events.ts'
import { PUBLIC, RECORDED } from './signatures.ts'

const FOLDER = resolve('../shared/data/exchange-goldens')
const RECEIPTS = resolve('../shared/data/receipts')
const NAMES = EVENT_LIST.map(({ name }) => name as string)

const fits = ({ topics, words, isOpen }: Shape, log: { topics: string[]; data: string }): boolean => {
  const length = (log.data.length - 2) / 64
  return log.topics.length === topics && (isOpen ? length >= words : length === words)
}

test('docs/exchanges.md names every event whose topic fewer than two public files print', () => {
  const text = readFileSync(new URL('../../../docs/exchanges.md', import.meta.url), 'utf8')
  const [, listed = ''] = /print the topics\nof these, [^:]*:\n\n(.*?)\n\n/s.exec(text) ?? []
  const documented = [...listed.matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name)
  const known = new Set([...RECORDED, ...Object.keys(PUBLIC)])
  expect(documented.toSorted()).toEqual(NAMES.filter((name) => !known.has(name)).toSorted())
})

test('the lists of known signatures name events that are read, each once, and no topic that one file has', () => {
  const listed = [...RECORDED, ...Object.keys(PUBLIC)]
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.filter((name) => !NAMES.includes(name))).toEqual([])
  expect(Object.values(PUBLIC).filter((files) => files < 2)).toEqual([])
})

test.skipIf(!existsSync(FOLDER) || !existsSync(RECEIPTS))(
  'the recorded events are those whose topic and length a recording has (skipped where ../shared/data is absent)',
  () => {
    const chains = [...readReceipts(RECEIPTS).chains.values()].flat()
    const logs = [...readFolder(FOLDER).recordings, ...chains].flatMap(({ recording }) => recording.logs)
    const recorded = EVENT_LIST.filter(({ topic0, shapes }) =>
      logs.some((log) => log.topics[0] === topic0 && shapes.some((shape) => fits(shape, log))),
    ).map(({ name }) => name as string)
    expect(recorded.toSorted()).toEqual(RECORDED.toSorted())
  },
)
