// Attacks with malformed HTTP: contradictory framing, upgrades, methods, expectations.
import { type Attack, repeat, type Target } from './attack.ts'
import { head } from './client.ts'

const json = (target: Target, more: Record<string, string>) =>
  head('POST', '/graphql', {
    authorization: `Bearer ${target.stage.keys.trusted}`,
    'content-type': 'application/json',
    ...more,
  })
const BODY = '{"query":"{chain{name}}"}'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Sends bytes in each round, each on its own connection. */
const byBytes = (
  name: string,
  write: (target: Target, round: number) => string | Buffer,
  { times = 100, atOnce = 10, allowed = /^([1-4]\d\d|501|503|closed)$/, short = false, forMs = 1_000 } = {},
): Attack => ({
  name,
  allowed,
  short,
  run: (target) =>
    repeat(target, { times, atOnce }, async (round) => {
      await target.client.send(write(target, round), { forMs })
    }),
})

export const protocolAttacks: Attack[] = [
  byBytes('malformed chunks', (target, round) =>
    json(target, { 'transfer-encoding': 'chunked' }).concat(
      [
        'zz\r\n',
        'ffffffffffffffffff\r\nx',
        '-1\r\n\r\n',
        `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
        `${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`,
        `${chunk(BODY)}0\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
      ][round % 6] ?? '',
    ),
  ),
  {
    ...byBytes(
      'contradictory lengths',
      (target, round) =>
        [
          json(target, { 'content-length': '5', 'Content-Length': '6' }),
          json(target, { 'content-length': '25', 'transfer-encoding': 'chunked' }),
          json(target, { 'content-length': '-1' }),
          json(target, { 'content-length': '9'.repeat(30) }),
          json(target, { 'content-length': '0x19' }),
          json(target, { 'transfer-encoding': 'chunked, identity' }),
        ][round % 6]?.concat(BODY) ?? '',
    ),
    needed: /^(400|closed)$/,
  },
  byBytes('a request smuggled inside another', (target) => {
    const inner = head('GET', '/v1/tokens', { authorization: 'Bearer nobody' })
    return `${json(target, { 'content-length': String(BODY.length) })}${BODY}${inner}${inner}`
  }),
  byBytes(
    'random bytes',
    (_, round) => Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7919 + round * 104_729) % 256)),
    {
      times: 300,
    },
  ),
  byBytes(
    'upgrades, CONNECT, HTTP/2',
    (_, round) =>
      [
        head('GET', '/graphql', { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }),
        head('GET', '/v1/tokens', {
          connection: 'Upgrade, HTTP2-Settings',
          upgrade: 'h2c',
          'http2-settings': 'AAMAAABk',
        }),
        head('CONNECT', 'example.com:443'),
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        head('TRACE', '/'),
        'GET /\r\n\r\n',
        'GET http://elsewhere/v1/tokens HTTP/1.1\r\nhost: elsewhere\r\n\r\n',
        'GET * HTTP/1.1\r\nhost: x\r\n\r\n',
        'GET / HTTP/1.0\r\n\r\n',
      ][round % 9] ?? '',
  ),
  byBytes('expectations without a body', (target, round) =>
    json(target, { expect: round % 2 ? '100-continue' : 'x'.repeat(5_000), 'content-length': '16000' }),
  ),
  byBytes(
    'heads of 64 KB and a thousand lines',
    (_, round) =>
      round % 2
        ? `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(9_000)}\r\n`
        : head('GET', '/', { 'x-long': 'y'.repeat(70_000) }),
    { times: 300, short: true },
  ),
  byBytes('a head that never ends', () => `GET / HTTP/1.1\r\n${'x'.repeat(500_000)}`, { times: 60 }),
  {
    name: '6,000 HEAD and OPTIONS requests',
    run: (target) =>
      repeat(target, { times: 6_000, atOnce: 20 }, async (round) => {
        const method = round % 2 ? 'OPTIONS' : 'HEAD'
        const paths = ['/v1/tokens', '/graphql', '/', '/x', '/healthz']
        await target.client.ask({ method, path: paths[round % 5] ?? '/', headers: { accept: 'text/html' } })
      }),
  },
  {
    name: 'unsupported methods',
    run: (target) =>
      repeat(target, { times: 900, atOnce: 10 }, async (round) => {
        const method = ['PROPFIND', 'SEARCH', 'PURGE', 'PUT', 'LOCK', 'DELETE', 'PATCH'][round % 7] ?? 'PUT'
        await target.client.ask({ method, path: ['/v1/tokens', '/graphql', '/'][round % 3] ?? '/' })
      }),
  },
]
