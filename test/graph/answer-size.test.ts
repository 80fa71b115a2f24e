import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundAnswer, isSurelyWithin, MAX_ANSWER_BYTES, MAX_ERRORS, measureJson } from '../../src/graph/answer-size.ts'
import { refuse } from '../../src/graph/errors.ts'

it('a value is measured as the bytes of its JSON in UTF-8', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const whole = { value, text }
      expect(measureJson(whole, Number.POSITIVE_INFINITY)).toBe(Buffer.byteLength(JSON.stringify(whole)))
    }),
  )
})

it('a value that is surely within a bound is, and one of a fiftieth of the bound surely is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.nat(2_000), (value, text, most) => {
      const whole = { value, text }
      const bytes = measureJson(whole, Number.POSITIVE_INFINITY)
      if (isSurelyWithin(whole, most)) expect(bytes).toBeLessThanOrEqual(most)
      expect(isSurelyWithin(whole, 50 * bytes)).toBe(true)
    }),
  )
})

it('measuring stops where the bound is exceeded', () => {
  let read = 0
  const countUp = () => {
    read += 1
    return 'x'.repeat(100)
  }
  const endless = Array.from({ length: 1_000 }, () =>
    Object.defineProperty({}, 'a', { enumerable: true, get: countUp }),
  )
  expect(measureJson(endless, 1_000)).toBeGreaterThan(1_000)
  expect(read).toBeLessThan(11)
})

it('an answer above 4 MiB becomes an error, one of exactly 4 MiB does not', async () => {
  const fitting = { data: { text: 'x'.repeat(MAX_ANSWER_BYTES - '{"text":""}'.length) } }
  expect(await boundAnswer(fitting, 1)).toBe(fitting)
  const { data, errors = [] } = await boundAnswer({ data: { text: `${fitting.data.text}x` } }, 1)
  expect([data, errors.map(({ message }) => message)]).toEqual([
    undefined,
    ['The answer is larger than 4 MiB: ask for smaller pages or fewer fields.'],
  ])
})

it(`an answer has at most ${MAX_ERRORS} errors`, async () => {
  const errors = Array.from({ length: 200 }, (_, n) => refuse(`error ${n}`))
  expect((await boundAnswer({ data: null, errors }, 1)).errors).toHaveLength(MAX_ERRORS)
})
