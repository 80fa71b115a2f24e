import { expect, test } from 'vitest'
import { explorerOf } from '../../web/src/explorers.ts'
import { deedOf, isTaken, SHORTCUTS } from '../../web/src/shortcuts.ts'

test('one key or two do what the list of keys says', () => {
  for (const [keys, , deed] of SHORTCUTS) {
    const [first = '', second] = keys.split(' ')
    expect(second === undefined ? deedOf(first, null) : deedOf(second, first)).toEqual(deed)
    if (second !== undefined) expect(deedOf(first, null)).toEqual({ kind: 'wait' })
  }
  for (const [key, before] of [
    ['x', null],
    ['t', null],
    ['w', 'x'],
    ['', null],
    ['Enter', null],
    ['toString', null],
  ] as const)
    expect(deedOf(key, before)).toBeNull()
})

test('a key belongs to the page only without Ctrl, Alt and Meta, and outside fields and dialogs', () => {
  const free = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }
  expect(isTaken(free, false, false)).toBe(false)
  for (const name of ['ctrlKey', 'metaKey', 'altKey', 'isComposing'] as const)
    expect(isTaken({ ...free, [name]: true }, false, false)).toBe(true)
  expect([isTaken(free, true, false), isTaken(free, false, true)]).toEqual([true, true])
})

test('an explorer is linked for a known chain and a hash alone', () => {
  const address = `0x${'ab'.repeat(20)}`
  expect(explorerOf(8453, 'token', address)).toBe(`https://basescan.org/token/${address}`)
  expect(explorerOf(1, 'tx', `0x${'ab'.repeat(32)}`)).toBe(`https://etherscan.io/tx/0x${'ab'.repeat(32)}`)
  for (const [chain, hash] of [
    [727_390, address],
    [undefined, address],
    [1, '0x12'],
    [1, `${address}?a=<b>`],
  ] as const)
    expect(explorerOf(chain, 'address', hash)).toBeNull()
})
