import { expect, test } from 'vitest'
import { nameRoute } from '../../../src/rest/contract/name-route.ts'
import { ROUTES } from '../../../src/rest/contract/routes.ts'

const address = `0x${'ab'.repeat(20)}`

test('every route has a name of its own, with its parameters in braces', () => {
  const names = ROUTES.map(({ method, path }) =>
    nameRoute({ method, path: path.replace(':address', address).replace(':id', '7') }),
  )
  expect(names).toEqual(ROUTES.map(({ method, path }) => `${method} /v1${path.replace(/:(\w+)/g, '{$1}')}`))
  expect(new Set(names).size).toBe(ROUTES.length)
  // GraphQL lists 60 a day at most, with six names beside these.
  expect(new Set(names).size).toBeLessThan(54)
})

test.each([
  ['HEAD', '/tokens', 'GET /v1/tokens'],
  ['GET', '/alerts/backtest', 'GET /v1/alerts/{id}'],
  ['POST', '/alerts/backtest', 'POST /v1/alerts/backtest'],
  ['GET', '/stream/events', 'GET /v1/stream/events'],
  ['PUT', '/tokens', 'other'],
  ['GET', '/tokens/', 'GET /v1/tokens/{address}'],
  ['GET', `/tokens/${address}/${'x/'.repeat(5_000)}`, 'other'],
  ['GET', '/', 'other'],
])('%s %s is counted as %s', (method, path, name) => {
  expect(nameRoute({ method, path })).toBe(name)
})
