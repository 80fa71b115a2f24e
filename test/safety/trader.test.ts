import { expect, test } from 'vitest'
import code from '../../src/safety/sale/trader.json' with { type: 'json' }
import { compileTrader } from './compile-trader.ts'

test('the code that checks lay over addresses is what the compiler makes of Trader.sol', () => {
  expect(code).toEqual(compileTrader())
})
