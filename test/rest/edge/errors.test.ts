import { expect, test } from 'vitest'
import { AssayError, type Fault, invalid } from '../../../src/base/errors.ts'
import { toErrorBody } from '../../../src/rest/edge/errors.ts'

const bodyOf = (...faults: Fault[]) => JSON.parse(toErrorBody(invalid(faults), 'r')).error
const argument = (field: string, message: string): Fault => ({ location: 'argument', field, message })

test('a fault of a field of a mutation is one of the body, under the name of REST, in the message and in the details', () => {
  expect(bodyOf(argument('input.url', 'input.url must lead to the public internet'))).toEqual({
    code: 'INVALID_PARAMS',
    message: 'url must lead to the public internet',
    details: [{ location: 'body', field: 'url', message: 'url must lead to the public internet' }],
    request_id: 'r',
  })
  const path = 'input.conditions.minMarketCapUsd'
  const { message, details } = bodyOf(
    argument(path, `${path} must not be above input.conditions.maxMarketCapUsd`),
    argument('input.conditions.minHolderGrowth1hPct', 'input.conditions.minHolderGrowth1hPct must be a number'),
  )
  expect(message).toBe('conditions.min_market_cap_usd must not be above conditions.max_market_cap_usd (and 1 more)')
  expect(details[1].field).toBe('conditions.min_holder_growth_1h_pct')
})

test('a fault of another argument is one of the query', () => {
  expect(bodyOf(argument('filter.fromBlock', 'filter.fromBlock is no place to continue from')).details).toEqual([
    { location: 'query', field: 'from_block', message: 'from_block is no place to continue from' },
  ])
})

test('a fault that REST found itself stays as it is, with the caller’s text', () => {
  const fault: Fault = { location: 'query', field: 'minLiq', message: 'minLiq is not a parameter here' }
  expect(bodyOf(fault)).toMatchObject({ message: fault.message, details: [fault] })
})

test('the message of a refusal without faults is told as it is', () => {
  const { error } = JSON.parse(toErrorBody(new AssayError('NOT_FOUND', 'This token is not indexed.'), 'r'))
  expect(error).toEqual({ code: 'NOT_FOUND', message: 'This token is not indexed.', request_id: 'r' })
})
