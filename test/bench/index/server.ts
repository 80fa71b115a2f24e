// Serves a generated chain as JSON-RPC over HTTP, in a separate process so that it does not share the indexer's thread:
// `node --import tsx test/bench/index/server.ts FOLDER encoded|slices [HEAD] [UNFINAL]`. Prints its address. Answers are
// slices of files, which cost almost nothing; or, with `encoded`, written from values each time, as a node does.
import { openSync, readFileSync, readSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { GeneratedChain } from './generate.ts'

interface Question {
  id: unknown
  method: string
  params?: unknown[]
}

const folder = process.argv[2] ?? '.'
const chain = JSON.parse(readFileSync(join(folder, 'chain.json'), 'utf8')) as GeneratedChain
const blocks = openSlices('blocks')
const logs = openSlices('logs')
/** The newest block served: the last one, unless a head is given that the parent process then moves. */
let head = Math.min(chain.blocks - 1, Number(process.argv[4] ?? Number.POSITIVE_INFINITY))
const isEncoded = process.argv[3] === 'encoded'
/** How far the final block lies behind the head. */
const unfinal = Number(process.argv[5] ?? 64)
/** Larger answers are refused, as providers do. */
const MOST_BYTES = 24 * 2 ** 20

function openSlices(name: string) {
  const file = openSync(join(folder, `${name}.bin`), 'r')
  const bytes = readFileSync(join(folder, `${name}.offsets`))
  const offsets = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
  return (from: number, to: number): Buffer => {
    const start = offsets[from] ?? 0
    const slice = Buffer.allocUnsafe((offsets[to + 1] ?? 0) - start)
    readSync(file, slice, 0, slice.length, start)
    return slice
  }
}

const text = (value: string) => {
  const bytes = Buffer.from(value)
  const words = [32, bytes.length].map((number) => number.toString(16).padStart(64, '0'))
  return `0x${words.join('')}${bytes.toString('hex').padEnd(64, '0')}`
}

function call({ to, data = '0x' }: { to: string; data?: string }): string | null {
  const token = chain.tokens[to]
  const selector = data.slice(0, 10)
  if (selector === '0x06fdde03') return text(token?.name ?? 'Uniswap V2')
  if (selector === '0x95d89b41') return text(token?.symbol ?? 'UNI-V2')
  if (selector === '0x313ce567') return `0x${(token?.decimals ?? 18).toString(16).padStart(64, '0')}`
  if (selector === '0x18160ddd') return `0x${(10n ** 24n).toString(16).padStart(64, '0')}`
  return null
}

const toNumber = (tag: unknown): number =>
  tag === 'latest' ? head : tag === 'finalized' || tag === 'safe' ? Math.max(0, head - unfinal) : Number(tag)

function findLogs(filter: { fromBlock?: string; toBlock?: string; blockHash?: string }): Buffer | null {
  const only = filter.blockHash === undefined ? null : Number.parseInt(filter.blockHash.slice(2, 18), 16)
  const found = logs(only ?? toNumber(filter.fromBlock), only ?? toNumber(filter.toBlock))
  if (found.length > MOST_BYTES) return null
  const list = Buffer.concat([Buffer.from('['), found.subarray(0, Math.max(0, found.length - 1)), Buffer.from(']')])
  return isEncoded ? Buffer.from(JSON.stringify(JSON.parse(list.toString('latin1')))) : list
}

function answer({ id, method, params = [] }: Question): Buffer[] {
  const wrap = (result: Buffer | string) => [
    Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
    Buffer.from(result),
    Buffer.from('}'),
  ]
  const fail = (code: number, message: string) => [
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })),
  ]
  const [first] = params
  if (method === 'eth_chainId') return wrap(`"0x${chain.chainId.toString(16)}"`)
  if (method === 'eth_blockNumber') return wrap(`"0x${head.toString(16)}"`)
  if (method === 'eth_getBlockByNumber') {
    const number = toNumber(first)
    return wrap(number >= 0 && number <= head ? blocks(number, number) : 'null')
  }
  if (method === 'eth_getLogs') {
    const found = findLogs(first as object)
    return found ? wrap(found) : fail(-32005, 'query returned more than 10000 results')
  }
  if (method === 'eth_call') {
    const data = call(first as { to: string; data?: string })
    return data ? wrap(`"${data}"`) : fail(3, 'execution reverted')
  }
  return fail(-32601, `the method ${method} does not exist`)
}

/** Milliseconds from one request to the next, those of a batch each for itself, as providers count; 0: there is no limit. */
let gapMs = 0
let freeAt = 0

async function waitFor(requests: number): Promise<void> {
  if (gapMs === 0) return
  freeAt = Math.max(freeAt, performance.now()) + requests * gapMs
  await new Promise((resolve) => setTimeout(resolve, freeAt - performance.now()))
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Question | Question[]
    await waitFor(Array.isArray(body) ? body.length : 1)
    const parts: Buffer[] = []
    if (Array.isArray(body)) {
      for (const [i, question] of body.entries()) parts.push(Buffer.from(i === 0 ? '[' : ','), ...answer(question))
      parts.push(Buffer.from(']'))
    } else parts.push(...answer(body))
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    for (const part of parts) response.write(part)
    response.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`)
})
process.on('message', (message: { head?: number; requestsPerSecond?: number }) => {
  head = message.head ?? head
  gapMs = 1_000 / (message.requestsPerSecond ?? Number.POSITIVE_INFINITY)
})
process.on('disconnect', () => process.exit(0))
