// The events that readers share, over a database whose answers the test holds back.
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/client.ts'
import type { HeadWatch } from '../../src/ledger/head.ts'
import { createFeed } from '../../src/stream/feed.ts'

test('a reader that joins while others leave gets no retractions of events that it never had', async () => {
  let answerReorgs: (rows: object[]) => void = () => {}
  const asked: string[] = []
  const moment = { generation: 0, finalNumber: 1, finalTime: null }
  const answers: Record<string, () => Promise<object[]> | object[]> = {
    'feed end': () => [{ ...moment, n: 9, blockNumber: 9, logIndex: 0, part: 0 }],
    feed: () => [{ ...moment, generation: 1, n: null }],
    'feed reorgs': () => new Promise((resolve) => (answerReorgs = resolve)),
  }
  const query = async ({ name }: { name: string }) => {
    asked.push(name)
    return { rows: (await answers[name]?.()) ?? [] }
  }
  const requestPool = { query } as object as Database['requestPool']
  let move = () => {}
  const head = {
    onChange: (listener: () => void) => {
      move = listener
      return () => {}
    },
  } as object as HeadWatch
  const faults: unknown[] = []
  const feed = createFeed({ requestPool }, head, { fail: (error) => faults.push(error), pass: () => {} })
  await feed.join()
  move()
  await expect.poll(() => asked).toContain('feed reorgs')
  feed.leave()
  moment.generation = 1
  const { next } = await feed.join()
  answerReorgs([{ oldest: 1, id: 1, forkBlock: 5, eventCount: 4 }])
  await new Promise(setImmediate)
  expect(faults).toEqual([])
  expect(asked).not.toContain('feed retracted')
  expect(feed.entry(next)).toBeUndefined()
  feed.stop()
})
