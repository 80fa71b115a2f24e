import { expect, test } from 'vitest'
import { createTroubles } from '../../src/indexing/troubles.ts'

test('a trouble is logged when it begins, when it becomes another, and when it ends, however often it is met', () => {
  const said: string[] = []
  const say = (_: unknown, text?: string) => void said.push(String(text))
  const { tell, end } = createTroubles({ info: say, warn: say, debug: () => {} } as never)
  end()
  for (let i = 0; i < 100; i++) tell('the disk is full', new Error(`try ${i}`))
  tell('the provider failed', new Error('away'))
  tell('the disk is full', new Error('again'))
  end()
  end()
  expect(said).toEqual(['the disk is full', 'the provider failed', 'the disk is full', 'the index goes on'])
})
