// Answers that are kept for later checks: those that no reorganisation changes.
import { expect, test } from 'vitest'
import { createLastingAnswers } from '../../src/safety/node/lasting.ts'

const logsTo = (block: number) => ({ method: 'eth_getLogs', params: [{ toBlock: `0x${block.toString(16)}` }] })
const reply = (block: number) => ({ kind: 'result' as const, result: ['a log'], call: logsTo(block) })

test('logs are kept once their blocks are final, however many blocks lie above', () => {
  const answers = createLastingAnswers()
  for (const block of [90, 91]) answers.keep(reply(block), 90)
  expect(answers.find(logsTo(90))).toEqual(reply(90))
  expect(answers.find(logsTo(91))).toBeUndefined()
  answers.keep(reply(91), 91)
  expect(answers.find(logsTo(91))).toEqual(reply(91))
})
