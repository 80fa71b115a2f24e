// The causes of an alert that a token's page fills in, without a browser.
import { expect, test } from 'vitest'
import { causesOfToken, causesOfWallet, forAtLeast } from '../../web/src/parts/causes.ts'

const ADDRESS = '0x53b99890e68641374569fabd8f6a27334d041914'
const textsOf = (riskScore: number, sellCheck: Parameters<typeof causesOfToken>[0]['sellCheck']) =>
  causesOfToken({ address: ADDRESS, riskScore, sellCheck }).map(({ text }) => text)

test('where sales are refused the first cause of an alert is that selling works again', () => {
  for (const sellCheck of [
    { sellable: false, reason: null },
    { sellable: null, reason: 'just_bought' },
  ]) {
    const [first, ...rest] = causesOfToken({ address: ADDRESS, riskScore: 90, sellCheck })
    expect(first).toEqual({ text: 'selling works again', conditions: { tokens: [ADDRESS], sellable: true } })
    expect(rest.map(({ text }) => text)).toEqual(['its liquidity is pulled', 'its owner changes'])
  }
})

test('an unknown or working sale is no cause of good news', () => {
  for (const sellCheck of [
    null,
    { sellable: null, reason: 'node_cannot_simulate' },
    { sellable: true, reason: null },
  ]) {
    expect(textsOf(10, sellCheck)[0]).toMatch(/^its risk becomes /)
    expect(textsOf(90, sellCheck)).toEqual(['its liquidity is pulled', 'holders cannot sell it', 'its owner changes'])
  }
})

test('a size that a reader sets is a condition of the trades, and stands in the name of the alert', () => {
  const [, buys] = causesOfWallet(ADDRESS)
  expect(buys && forAtLeast(buys, 500)).toEqual({
    text: 'it buys a token for at least $500',
    conditions: { boughtBy: [ADDRESS], minAmountUsd: 500 },
  })
})

test('an alert that copies a wallet tells what it buys, and what it sells of that', () => {
  const copies = causesOfWallet(ADDRESS).filter(({ conditions }) => conditions.mirrorSales)
  expect(copies.map(({ conditions }) => conditions)).toEqual([{ boughtBy: [ADDRESS], mirrorSales: true }])
})
