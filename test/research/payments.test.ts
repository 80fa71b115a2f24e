// The people of the experiment on payments: known owners, and money that reaches each of their wallets once.
import { expect, test } from 'vitest'
import { drawPeople, WAYS } from '../../research/payments/people.ts'

const { holders, fundings } = drawPeople(1)
const owned = holders.filter(({ owner }) => owner !== null)

test('a seed always gives the same people, and another one gives others', () => {
  expect(drawPeople(1)).toEqual({ holders, fundings })
  expect(drawPeople(2).holders).not.toEqual(holders)
})

test('no address holds two tokens or has two owners', () => {
  expect(new Set(holders.map(({ address }) => address)).size).toBe(holders.length)
})

test('each wallet of an owner is paid once, after its payer was', () => {
  for (const { address } of owned) {
    const paid = fundings.filter(({ to }) => to.includes(address))
    expect(paid).toHaveLength(1)
    const before = fundings.find(({ to }) => paid[0] && to.includes(paid[0].from))
    expect((before?.step ?? -1) < (paid[0]?.step ?? -1)).toBe(true)
  }
})

test('each way funds wallets of each token', () => {
  for (const way of WAYS) expect(new Set(owned.filter((one) => one.way === way).map(({ token }) => token)).size).toBe(6)
})
