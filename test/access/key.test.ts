import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateKey, hashKey, isWellFormed, toSecret } from '../../src/access/key.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key is assay_live_, 30 random base62 characters and their CRC32 in 6 more', () => {
  const keys = Array.from({ length: 200 }, generateKey)
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) {
    expect(key).toMatch(/^assay_live_[0-9A-Za-z]{36}$/)
    expect(isWellFormed(key)).toBe(true)
    const checksum = [...key.slice(-6)].reduce((value, digit) => value * 62 + ALPHABET.indexOf(digit), 0)
    expect(checksum).toBe(crc32(key.slice(11, 41)))
  }
})

test('the checksum refuses a key with one changed character', () => {
  const key = generateKey()
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 46 }), fc.constantFrom(...ALPHABET), (index, character) => {
      fc.pre(key[index] !== character)
      expect(isWellFormed(key.slice(0, index) + character + key.slice(index + 1))).toBe(false)
    }),
  )
})

test('text that is not a complete key is refused', () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormed(text)))
  for (const text of ['', `${generateKey()}x`, generateKey().slice(0, -1), generateKey().toUpperCase()]) {
    expect(isWellFormed(text)).toBe(false)
  }
})

test('only the SHA-256, the first 15 and the last 4 characters of a key are stored', () => {
  const key = generateKey()
  expect(toSecret(key)).toEqual({ hash: hashKey(key), prefix: key.slice(0, 15), lastFour: key.slice(-4) })
  expect(hashKey(key)).toHaveLength(32)
})
