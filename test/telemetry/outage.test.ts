import { expect, test } from 'vitest'
import { createOutage } from '../../src/telemetry/outage.ts'

test('an outage is reported once when it begins and once when it ends, however often it is retried', () => {
  const told: string[] = []
  const outage = createOutage(
    (error) => told.push(String(error)),
    () => told.push('over'),
  )
  outage.pass()
  for (const name of ['first', 'second']) {
    for (let tries = 0; tries < 5; tries += 1) outage.fail(`${name}, try ${tries}`)
    outage.pass()
    outage.pass()
  }
  expect(told).toEqual(['first, try 0', 'over', 'second, try 0', 'over'])
})
