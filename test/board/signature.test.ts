// The signatures of words rule out most of a million words, and never one within the tolerated typos.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNearness } from '../../src/board/edit-distance.ts'
import { likelyWithin, signatureOf } from '../../src/board/signature.ts'

const signed = (text: string) => signatureOf(Buffer.from(text), 0, text.length)
const edits = fc.array(fc.tuple(fc.nat(20), fc.constantFrom('', 'a', 'x'), fc.nat(1)), { maxLength: 3 })

test('a word within one or two mistyped letters of another is likely by its signature, of whatever length', () => {
  const words = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), maxLength: 20 })
  let near = 0
  fc.assert(
    fc.property(words, edits, fc.constantFrom(1, 2), (word, changes, most) => {
      const letters = [...word]
      for (const [at, put, without] of changes) letters.splice(at, without, put)
      const other = letters.join('')
      if (word === '' || !createNearness(Buffer.from(word), most)(Buffer.from(other), 0, other.length)) return
      near += 1
      expect(likelyWithin(signed(word), most)[signed(other)]).toBe(1)
    }),
    { numRuns: 500, seed: 5 },
  )
  expect(near).toBeGreaterThan(200)
})

test('a word with other letters, or far longer, is not likely', () => {
  expect(likelyWithin(signed('shiba'), 1)[signed('pudgy')]).toBe(0)
  expect(likelyWithin(signed('shib'), 1)[signed('shibashiba')]).toBe(0)
})
