// Each row of docs/providers.md against the program's own HTTP client: its answer has that kind and that advice.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpEndpoint } from '../../src/chain/rpc/endpoint.ts'
import type { RpcError, RpcHint } from '../../src/chain/rpc/error.ts'
import { readPage, sectionOf } from './pages.ts'

const PAGE = readPage('docs/providers.md').text
const rowsOf = (section: string): string[][] =>
  sectionOf(PAGE, section)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Who') && !line.startsWith('| Kind'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim().replace(/^`|`$/g, '')),
    )

const ROWS = rowsOf('## Refusals').map(([who = '', method = '', answer = '', kind = '', accepts = '', source = '']) => {
  const [, status = '', body = ''] = /^(\d{3}) (.*)$/.exec(answer) ?? []
  return { who, method, status: Number(status), body, kind, accepts, source }
})

/** The answer that the server gives next. */
let next: { status: number; body: string } = { status: 200, body: '' }
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const isRpc = next.body.startsWith('{')
    response.writeHead(next.status, { 'content-type': isRpc ? 'application/json' : 'text/html' })
    response.end(isRpc ? `{"jsonrpc":"2.0","id":1,"error":${next.body}}` : next.body)
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function refuse(method: string, status: number, body: string): Promise<RpcError> {
  next = { status, body }
  const endpoint = createHttpEndpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [answer] = await endpoint.send([{ method, params: [] }]).catch((error: RpcError) => [{ error }])
  if (!answer?.error) throw new Error('it was no refusal')
  return answer.error
}

function toHint(accepts: string): RpcHint {
  const [from, to] = accepts.split(' to ').map(Number)
  if (accepts === '' || from === undefined) return {}
  return to === undefined ? { maxBlocks: from } : { range: { from, to } }
}

describe('docs/providers.md', () => {
  test('the page has the refusals of at least 35 providers, each once and with its source', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(35)
    expect(new Set(ROWS.map(({ who }) => who)).size).toBe(ROWS.length)
    for (const { who, source } of ROWS) expect(source, who).not.toBe('')
  })

  test.each(ROWS)('the refusal of $who has the kind and the advice of its row', async (row) => {
    const { kind, hint } = await refuse(row.method, row.status, row.body)
    expect({ kind, hint }).toEqual({ kind: row.kind, hint: toHint(row.accepts) })
  })

  test('the page says for each kind of its refusals what Assay does', () => {
    const told = rowsOf('## How a refusal is read').map(([kind]) => kind)
    expect(told).toEqual([...new Set(told)])
    expect(told).toEqual(expect.arrayContaining([...new Set(ROWS.map(({ kind }) => kind))]))
  })
})
