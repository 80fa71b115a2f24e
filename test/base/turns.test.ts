import { expect, test } from 'vitest'
import { createTurns } from '../../src/base/turns.ts'

test('one long read runs at a time, the others wait in their order, and a failed one frees its place', async () => {
  const walks = createTurns()(1)
  const begun: number[] = []
  const ends: ((fails?: boolean) => void)[] = []
  const all = Array.from({ length: 5 }, (_, at) =>
    walks(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(at)
          ends[at] = (fails = false) => (fails ? reject(new Error('failed')) : resolve(at))
        }),
    ),
  )
  const settled = Promise.allSettled(all)
  for (const at of [0, 1, 2, 3, 4]) {
    await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4].slice(0, at + 1))
    ends[at]?.(at === 1)
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})

test('an account with many waiting reads delays another account by one of them', async () => {
  const walks = createTurns()
  const order: string[] = []
  const walk = (name: string) => async () => {
    order.push(name)
  }
  const greedy = Array.from({ length: 4 }, (_, at) => walks(1)(walk(`greedy ${at}`)))
  await Promise.all([...greedy, walks(2)(walk('modest'))])
  expect(order).toEqual(['greedy 0', 'greedy 1', 'modest', 'greedy 2', 'greedy 3'])
})
