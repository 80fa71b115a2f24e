// The faults of the storm: what public endpoints, proxies and nodes were seen to answer, each once or a few times.
import { change, type Fault, isBlock, isFullBlock, isLatest, isLogs, isTag, isWide, ofMethod, refuse } from './fault.ts'

const HTML = '<html><h1>Not here</h1></html>'
const OTHER = `0x${'ab'.repeat(32)}`
const isAny = () => true

interface Block {
  number: string
  transactions: unknown[]
}
interface Log {
  logIndex: string
}

const edit = (fields: object) => change((block: Block) => ({ ...block, ...fields }))

/** The call that reads the block at this place of a range: the first or the last that a batch asks for. */
const status = (code: number, more: Partial<Fault> = {}): Fault => ({
  name: `HTTP ${code}`,
  http: { status: code, body: HTML },
  ...more,
})

/** Of whole HTTP requests. */
const OF_HTTP: readonly Fault[] = [
  ...[400, 402, 403, 404, 405, 410, 413, 500, 502, 503, 504].map((code) => status(code)),
  status(404, { name: 'HTTP 404 for many requests in a row', times: 6 }),
  status(401),
  { name: 'HTTP 404 without a body', http: { status: 404 } },
  { name: 'HTTP 429', http: { status: 429 } },
  { name: 'HTTP 429 with Retry-After', http: { status: 429, headers: { 'retry-after': '1' } } },
  { name: 'HTML with status 200', http: { status: 200, body: HTML } },
  { name: 'an empty body', http: { status: 200 } },
  { name: 'JSON of another kind', http: { status: 200, body: '{"status":"ok"}' } },
  { name: 'a body that is cut off', http: { cut: true } },
  { name: 'a connection that is reset', http: { reset: true }, times: 3 },
  { name: 'a batch in reverse order', http: { reshape: (answers) => [...answers].reverse() }, times: 3 },
  { name: 'a batch without one of its answers', http: { reshape: (answers) => answers.slice(1) } },
  {
    name: 'one error for a whole batch',
    http: { reshape: () => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch limit exceeded' } }) },
  },
  {
    name: 'answers with other identifiers',
    http: { reshape: (answers) => answers.map((each) => ({ ...each, id: 0 })) },
  },
]

/** Refusals of single calls. */
const OF_WORDS: readonly Fault[] = [
  {
    name: '-32601 for logs',
    of: isLogs,
    item: refuse(-32601, 'the method eth_getLogs does not exist/is not available'),
  },
  { name: '-32601 for blocks', of: isBlock, item: refuse(-32601, 'Method not found') },
  { name: '-32601 for calls', of: ofMethod('eth_call'), item: refuse(-32601, 'Method not found') },
  {
    name: 'calls refused in words that nobody knows',
    of: ofMethod('eth_call'),
    item: refuse(-32000, 'no crystal ball today'),
    times: 3,
  },
  {
    name: 'codes refused in words that nobody knows',
    of: ofMethod('eth_getCode'),
    item: refuse(-32000, 'no crystal ball today'),
    times: 2,
  },
  {
    name: 'a cap in the words of Arbitrum',
    of: isWide(2),
    item: refuse(-32000, 'logs matched by query exceeds limit of 10000'),
    times: 3,
  },
  {
    name: 'a cap in the words of Harmony',
    of: isWide(3),
    item: refuse(-32000, 'GetLogs query must be smaller than size 1024'),
    times: 3,
  },
  {
    name: 'a cap in the words of cosmos-evm',
    of: isWide(2),
    item: refuse(-32000, 'maximum [from, to] blocks distance: 2'),
    times: 3,
  },
  { name: 'a cap in words that nobody knows', of: isWide(4), item: refuse(-32099, 'computer says no'), times: 4 },
  {
    name: 'one block refused in words that nobody knows',
    of: isLogs,
    item: refuse(-32099, 'computer says no'),
    times: 8,
  },
  { name: '-32005 limit exceeded for logs', of: isLogs, item: refuse(-32005, 'limit exceeded'), times: 2 },
  { name: '4444 for blocks', of: isFullBlock, item: refuse(4444, 'pruned history unavailable') },
  { name: '4444 for logs', of: isLogs, item: refuse(4444, 'pruned history unavailable') },
  {
    name: 'a personal token is asked for',
    of: isLogs,
    item: refuse(-32000, 'Archive requests require a personal token'),
  },
  { name: '-32603 for blocks', of: isBlock, item: refuse(-32603, 'Internal error') },
  { name: 'header not found', of: isFullBlock, item: refuse(-32000, 'header not found') },
  { name: 'an error of 100 KB', of: isLogs, item: refuse(-32000, 'x'.repeat(100_000)) },
]

/** Answers of another form. */
const OF_NULLS: readonly Fault[] = [
  { name: 'null for a block', of: isFullBlock, item: () => ({ result: null }), times: 2 },
  { name: 'null for the head', of: isLatest, item: () => ({ result: null }) },
  { name: 'null for the final block', of: isTag, item: () => ({ result: null }) },
  { name: 'null for logs', of: isLogs, item: () => ({ result: null }) },
  { name: 'null for a call', of: ofMethod('eth_call'), item: () => ({ result: null }) },
  { name: 'a text for a block', of: isFullBlock, item: () => ({ result: 'block' }) },
  { name: 'a list for a block', of: isFullBlock, item: () => ({ result: [] }) },
  { name: 'an object for logs', of: isLogs, item: () => ({ result: {} }) },
  { name: 'logs with null among them', of: isLogs, item: change((logs: Log[]) => [...logs, null]) },
  { name: 'a block without transactions', of: isFullBlock, item: edit({ transactions: undefined }) },
  { name: 'a block with transactions that are no objects', of: isFullBlock, item: edit({ transactions: [1, null] }) },
  { name: 'a block without a time', of: isFullBlock, item: edit({ timestamp: undefined }) },
]

/**
 * Answers that are false. One log left out among others of its kind is none of them: only receipts show it, and the demo
 * chain has none.
 */
const OF_LIES: readonly Fault[] = [
  { name: 'a false hash of a block', of: isFullBlock, item: edit({ hash: OTHER }) },
  { name: 'a false parent of a block', of: isFullBlock, item: edit({ parentHash: OTHER }) },
  { name: 'a false number of a block', of: isFullBlock, item: edit({ number: '0x1' }) },
  { name: 'a false hash of the head', of: isLatest, item: edit({ hash: OTHER }) },
  {
    name: 'a false parent of a link',
    of: (call) => isBlock(call) && call.params[1] === false,
    item: edit({ parentHash: OTHER }),
  },
  {
    name: 'a head a million blocks ahead',
    of: isLatest,
    item: change((block: Block) => ({ ...block, number: `0x${(Number(block.number) + 1e6).toString(16)}` })),
  },
  { name: 'a head at block 1', of: isLatest, item: edit({ number: '0x1' }) },
  {
    name: 'a final block that is the head',
    of: isTag,
    item: change((block: Block) => ({ ...block, number: `0x${(Number(block.number) + 29).toString(16)}` })),
  },
  { name: 'a final block at 1', of: isTag, item: edit({ number: '0x1' }) },
  { name: 'no logs', of: isLogs, item: change(() => []), times: 2 },
  { name: 'logs twice', of: isLogs, item: change((logs: Log[]) => [...logs, ...logs]) },
  { name: 'logs in reverse order', of: isLogs, item: change((logs: Log[]) => [...logs].reverse()) },
  {
    name: 'logs of another branch',
    of: isLogs,
    item: change((logs: Log[]) => logs.map((log) => ({ ...log, blockHash: OTHER }))),
  },
  {
    name: 'logs of other transactions',
    of: isLogs,
    item: change((logs: Log[]) => logs.map((log) => ({ ...log, transactionHash: OTHER }))),
  },
  {
    name: 'logs of another block',
    of: isLogs,
    item: change((logs: Log[]) => logs.map((log) => ({ ...log, blockNumber: '0x0' }))),
  },
  {
    name: 'logs without places',
    of: isLogs,
    item: change((logs: Log[]) => logs.map((log) => ({ ...log, logIndex: 'x' }))),
  },
  {
    name: 'two logs at one place',
    of: isLogs,
    item: change((logs: Log[]) => logs.map((log) => ({ ...log, logIndex: '0x0' }))),
  },
]

/** The identity of the chain is asked for after a failure: the first spoiled request fails, and the next one is the question. */
const OF_CHAIN: readonly Fault[] = [
  { name: 'the identifier of another chain, once', of: ofMethod('eth_chainId'), item: () => ({ result: '0x1' }) },
  { name: 'an identifier that cannot be read', of: ofMethod('eth_chainId'), item: () => ({ result: '0x' }) },
  { name: 'null for the identifier', of: ofMethod('eth_chainId'), item: () => ({ result: null }) },
  { name: 'HTTP 404 for the identifier', of: ofMethod('eth_chainId'), http: { status: 404, body: HTML } },
  { name: '-32601 for the identifier', of: ofMethod('eth_chainId'), item: refuse(-32601, 'Method not found') },
  {
    name: 'an identifier of 17 MB',
    of: ofMethod('eth_chainId'),
    http: { status: 200, body: `{"jsonrpc":"2.0","id":1,"result":"0x${'0'.repeat(17 * 2 ** 20)}"}` },
  },
]

/** A fault of the chain's identity is met after another failure only. */
export const afterFailure = ({ name }: Fault): boolean => OF_CHAIN.some((fault) => fault.name === name)

export const FAULTS: readonly Fault[] = [...OF_HTTP, ...OF_WORDS, ...OF_NULLS, ...OF_LIES, ...OF_CHAIN].map(
  (fault) => ({ of: isAny, ...fault }),
)
