import { expect, test } from 'vitest'
import { memoise } from '../../../src/chain/abi/memo.ts'

test('what was read is not read again while it is in use', () => {
  const read: string[] = []
  const memoised = memoise(2, (text) => {
    read.push(text)
    return text.length
  })
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'dddd', 'a']) expect(memoised(text)).toBe(text.length)
  expect(read).toEqual(['a', 'bb', 'ccc', 'dddd'])
  expect(memoised('bb')).toBe(2)
  expect(read.at(-1)).toBe('bb')
})

test('what throws is tried again', () => {
  let tries = 0
  const memoised = memoise(2, () => {
    tries += 1
    throw new TypeError('no')
  })
  expect(() => memoised('a')).toThrow(TypeError)
  expect(() => memoised('a')).toThrow(TypeError)
  expect(tries).toBe(2)
})
