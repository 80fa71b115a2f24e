import { expect, it } from 'vitest'
import { boundAnswer, MAX_ANSWER_BYTES, MAX_ERRORS } from '../../../src/graph/cost/answer-size.ts'
import { refuse } from '../../../src/graph/errors.ts'

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
