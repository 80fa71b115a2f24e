import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashOfZoo } from '../../research/zoo/compile-zoo.ts'
import actor from '../../src/safety/code/actor.json' with { type: 'json' }
import shared from '../../src/safety/node/shared.json' with { type: 'json' }
import trader from '../../src/safety/sale/trader.json' with { type: 'json' }
import { compileActor, compileShared, compileTrader } from './compile-code.ts'

test('the code that checks lay over addresses is the compiler’s output for its sources', () => {
  expect(trader).toEqual(compileTrader())
  expect(actor).toEqual(compileActor())
  expect(shared).toEqual(compileShared())
})

test('the contracts of the zoo are compiled from the sources that stand beside them', () => {
  const { hash } = JSON.parse(readFileSync(new URL('../../research/zoo/contracts.json', import.meta.url), 'utf8')) as {
    hash: string
  }
  expect(hash).toBe(hashOfZoo())
})
