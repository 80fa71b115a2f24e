import { expect, test } from 'vitest'
import { tellKin } from '../../web/src/safety/kin.ts'

test('the tokens of wallets with the same funder are told without a judgement', () => {
  expect(tellKin(0, 0)).toEqual([])
  expect(tellKin(3, 2)).toEqual([{ text: 'Wallets with its funder pulled 2 of their 3 earlier tokens.' }])
  expect(tellKin(1, 0)).toEqual([{ text: 'Wallets with its funder pulled none of their 1 earlier token.' }])
})
