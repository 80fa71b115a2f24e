// The content of the log, and secrets that it must never show.
import { expect, test } from 'vitest'
import { createLog, withSafeFields } from '../../src/telemetry/log.ts'
import { redact } from '../../src/telemetry/redact.ts'
import { createTerminal } from '../../src/telemetry/terminal.ts'

function record(pretty = false) {
  const lines: string[] = []
  return { lines, log: createLog({ level: 'debug', pretty, write: (line) => lines.push(line) }) }
}

const KEY = 'assay_live_utIyKttSxobF6M8FVjwpsK8v8GaCxQ0BV5DQ'

test.each([
  [`key ${KEY} is bad`, 'utIyKttSxobF6M8F'],
  ['Authorization: Bearer abc.def-123', 'abc.def'],
  ['cannot reach postgres://assay:s3cret@db.example:5432/assay', 's3cret'],
  ['cannot reach https://user:p%40ss@node.example/v3', 'p%40ss'],
])('redacting "%s" removes the secret', (text, secret) => {
  expect(redact(text)).not.toContain(secret)
  expect(redact(text)).toContain('[redacted]')
})

test('secrets in fields, nested fields, errors and messages never reach a log line', () => {
  const { lines, log } = record()
  log.info({ authorization: `Bearer ${KEY}`, request: { headers: { authorization: 'Basic YTpi' } } }, `for ${KEY}`)
  log.error({ err: new Error(`refused postgres://a:s3cret@h/d with ${KEY}`) }, 'failed')
  const text = lines.join('')
  expect(text).not.toMatch(/utIyKtt|YTpi|s3cret/)
  expect(text).toContain('refused postgres://[redacted]@h/d')
})

test('a log line whose fields are not searched for secrets still shows no key in its text', () => {
  const { lines, log } = record()
  withSafeFields(log).info({ path: `/v1/${KEY}`, status: 404 }, 'request')
  expect(lines.join('')).toContain('"path":"/v1/assay_live_[redacted]","status":404')
})

test('without a terminal each log line is JSON with a level and a time', () => {
  const { lines, log } = record()
  log.warn({ block: 7 }, 'late')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', block: 7, msg: 'late', time: expect.any(String) })
})

test('on a terminal a log line is short, and a hostile name cannot move the cursor', () => {
  const format = createTerminal({ colour: false })
  const line = format(
    JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', msg: 'new token', name: '\u001b[2Jevil\u202e' }),
  )
  expect(line).toBe('03:04:05 new token name=\ufffd[2Jevil\ufffd\n')
})

test("on a terminal a log line replaces the progress bar's line", () => {
  const { lines, log } = record(true)
  log.info('listening')
  expect(lines[0]?.replace(/\d/g, '0')).toBe('\r\u001b[K00:00:00 listening\n')
})
