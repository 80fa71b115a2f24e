import { expect, test } from 'vitest'
import type { Step } from '../../src/chain/event.ts'
import { createStepsAhead } from '../../src/indexing/steps-ahead.ts'

const rest: Step = { kind: 'rest' }
const rollback = (number: number): Step => ({ kind: 'rollback', to: { number, hash: `0x${number}` as never } })

/** Steps that are handed out by hand. `asked` counts those that were asked for. */
function createSource() {
  const open: ((each: IteratorResult<Step>) => void)[] = []
  const seen = { asked: 0, returned: 0 }
  const steps = {
    next: () => {
      seen.asked += 1
      return new Promise<IteratorResult<Step>>((resolve, reject) => {
        open.push((each) => (each.value instanceof Error ? reject(each.value) : resolve(each)))
      })
    },
    return: async () => {
      seen.returned += 1
      return { done: true, value: undefined }
    },
  } as unknown as AsyncGenerator<Step>
  const give = async (value: Step | Error | undefined) => {
    open.shift()?.({ done: value === undefined, value } as IteratorResult<Step>)
    await new Promise(setImmediate)
  }
  return { steps: createStepsAhead(steps), give, seen }
}

test('a step that was begun early is taken once, and the next one is asked for when it is taken', async () => {
  const { steps, give, seen } = createSource()
  const taken = steps[Symbol.asyncIterator]()
  steps.begin()
  steps.begin()
  expect(seen.asked).toBe(1)
  expect(steps.isHere()).toBe(false)
  await give(rollback(1))
  expect(steps.isHere()).toBe(true)
  expect(await taken.next()).toEqual({ done: false, value: rollback(1) })
  expect(steps.isHere()).toBe(false)
  const second = taken.next()
  expect(seen.asked).toBe(2)
  await give(rollback(2))
  expect(await second).toEqual({ done: false, value: rollback(2) })
})

test.each<[string, Step | Error | undefined, boolean]>([
  ['a look that found no block', rest, false],
  ['blocks that become final', { kind: 'finalise', number: 1, head: 2 }, false],
  ['blocks', { kind: 'append', blocks: [], head: 2, finalized: 1 }, true],
  ['a fault', new Error('the provider is away'), true],
  ['the end', undefined, true],
])('%s tells by its kind whether a scoring has to end', async (_, step, isHere) => {
  const { steps, give } = createSource()
  steps.begin()
  await give(step)
  expect(steps.isHere()).toBe(isHere)
})

test('a fault of a step that was begun early reaches whoever takes it', async () => {
  const { steps, give } = createSource()
  steps.begin()
  await give(new Error('the provider is away'))
  await expect(steps[Symbol.asyncIterator]().next()).rejects.toThrow('the provider is away')
})

test('the end of the iteration ends the steps, and waits for no step that is still read', async () => {
  const { steps, give, seen } = createSource()
  steps.begin()
  await give(rollback(1))
  for await (const _ of steps) {
    steps.begin()
    break
  }
  expect(seen).toEqual({ asked: 2, returned: 1 })
})
