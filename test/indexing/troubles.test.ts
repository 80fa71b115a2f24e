import { expect, test, vi } from 'vitest'
import { WAIT_SENTENCES, type Wait } from '../../src/base/wait.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createTroubles } from '../../src/indexing/troubles.ts'
import { createTestClock } from '../support/clock.ts'

const { disk_full: diskFull, block_refused: refused, contradiction, rule_broken: broken } = WAIT_SENTENCES

function watchTroubles() {
  const clock = createTestClock()
  const said: string[] = []
  const stored: (Wait | null)[] = []
  const say = (_: unknown, text?: string) => void said.push(String(text))
  const log = { info: say, warn: say, debug: () => {} } as never
  const note = async (wait: Wait | null) => void stored.push(wait)
  return { ...createTroubles({ log, clock, note }), clock, said, stored }
}

test('a trouble is logged when it begins, when it becomes another, and when it ends, however often it is met', () => {
  const { tell, end, said } = watchTroubles()
  end()
  for (let i = 0; i < 100; i++) tell('disk_full', new Error(`try ${i}`))
  tell('block_refused', new Error('away'))
  end()
  end()
  expect(said).toEqual([diskFull, refused, 'the index goes on'])
})

test('a trouble that comes and goes, or alternates with another, is logged once a minute, and still when it lasts', () => {
  const { tell, end, clock, said } = watchTroubles()
  for (let second = 0; second < 59; second++) {
    tell('block_refused', new Error('away'))
    tell('contradiction', new Error('torn'))
    end()
    clock.advance(1_000)
  }
  expect(said).toEqual([refused, contradiction, 'the index goes on'])
  tell('block_refused', new Error('away'))
  clock.advance(1_000)
  tell('block_refused', new Error('away'))
  expect(said.slice(3)).toEqual([refused])
})

test('what the index waits for is stored with its block and its beginning, and cleared when the index goes on', async () => {
  const { tell, end, clock, stored } = watchTroubles()
  const since = clock.now()
  for (let i = 0; i < 3; i++) {
    tell('block_refused', new RpcError('pruned', 'gone', {}, 7))
    clock.advance(1_000)
  }
  await vi.waitFor(() => expect(stored).toEqual([{ kind: 'block_refused', sentence: refused, block: 7, since }]))
  end()
  await vi.waitFor(() => expect(stored.at(-1)).toBeNull())
})

test('a wait that an earlier process left is cleared by the first step', async () => {
  const { end, stored } = watchTroubles()
  end()
  await vi.waitFor(() => expect(stored).toEqual([null]))
})

test('a failing endpoint is what the index waits for, and no line of its own', async () => {
  const { tell, end, said, stored } = watchTroubles()
  tell('contradiction', new Error('a'))
  tell('provider_fails', new Error('b'))
  tell('contradiction', new Error('c'))
  await vi.waitFor(() => expect(stored.at(-1)).toMatchObject({ kind: 'contradiction' }))
  end()
  expect(said).toEqual([WAIT_SENTENCES.contradiction, 'the index goes on'])
})

test('a contradiction that turns out to be a broken rule is what the index waits for, and no second line', async () => {
  const { tell, end, clock, said, stored } = watchTroubles()
  const rule = new RpcError('lagging', 'block 7: two logs at one place', {}, 7)
  tell('contradiction', rule)
  tell('rule_broken', rule)
  await vi.waitFor(() => expect(stored.at(-1)).toMatchObject({ kind: 'rule_broken', block: 7 }))
  end()
  clock.advance(60_000)
  tell('contradiction', new Error('another'))
  tell('rule_broken', rule)
  expect(said).toEqual([contradiction, 'the index goes on', contradiction, broken])
})
