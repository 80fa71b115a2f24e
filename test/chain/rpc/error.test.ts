import { describe, expect, it } from 'vitest'
import { classify, readHint } from '../../../src/chain/rpc/error.ts'

// Messages as providers send them; the table in error.ts must classify each.
const MESSAGES: [number, number | null, string, string][] = [
  [200, -32005, 'query returned more than 10000 results', 'size'],
  [200, -32602, 'query exceeds max results 20000, retry with the range 100-200', 'size'],
  [200, -32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range', 'size'],
  [200, -32000, 'backend response too large', 'size'],
  [200, -32000, 'query timeout exceeded', 'size'],
  [200, -32600, 'eth_getLogs is limited to a 10,000 range', 'range'],
  [400, -32602, 'Max range: 800', 'range'],
  [200, -32614, 'eth_getLogs is limited to 10,000 blocks', 'range'],
  [200, -32000, 'exceed maximum block range: 50000', 'range'],
  [200, -32701, 'Please specify an address or narrow down', 'range'],
  [200, -32000, 'block range is too wide', 'range'],
  [200, -32602, 'block range extends beyond current head block', 'lagging'],
  [200, -32000, 'header not found', 'lagging'],
  [200, -32000, 'finalized block not found', 'lagging'],
  [200, -32000, 'cannot query unfinalized data', 'lagging'],
  [200, -32000, 'missing trie node abcdef (path )', 'pruned'],
  [200, -32000, 'required historical state unavailable (reexec=128)', 'pruned'],
  [200, -32602, 'BlockOutOfRangeError: block height is 110 but requested was 1', 'pruned'],
  [429, null, '', 'rate'],
  [200, 429, 'Your app has exceeded its compute units per second capacity', 'rate'],
  [200, -32005, 'limit exceeded', 'rate'],
  [200, -32016, 'over the limit', 'rate'],
  [401, null, 'Must be authenticated!', 'auth'],
  [200, -32000, 'invalid api key', 'auth'],
  [503, null, 'upstream connect error', 'transient'],
  [200, -32603, 'Internal error', 'transient'],
  [413, null, '', 'size'],
  [200, -32601, 'the method eth_getBlockReceipts does not exist/is not available', 'unsupported'],
  [200, -32600, 'batch requests are not supported', 'batch'],
  [200, 3, 'execution reverted: too many requests', 'execution'],
  [200, -32000, 'execution reverted: block not found', 'execution'],
  [200, -32602, 'invalid argument 0: json: cannot unmarshal', 'rejected'],
]

describe('provider faults', () => {
  it.each(MESSAGES)('HTTP %i, code %s, "%s" is classified as %s', (status, code, message, kind) => {
    expect(classify(status, code, message)).toBe(kind)
  })
})

describe('hints in provider messages', () => {
  it.each([
    ['range', 'eth_getLogs is limited to a 10,000 range', { maxBlocks: 10_000 }],
    ['range', 'requests with up to a 2K block range', { maxBlocks: 2000 }],
    ['range', 'exceed maximum block range: 50000', { maxBlocks: 50_000 }],
    ['range', 'Max range: 800', { maxBlocks: 800 }],
    ['range', 'block range is too wide', {}],
    ['size', 'retry with the range 100-200', { range: { from: 100, to: 200 } }],
    ['size', 'this block range should work: [0x64, 0xc8]', { range: { from: 100, to: 200 } }],
    ['size', 'retry with the range 200-100', {}],
    ['size', 'query returned more than 10000 results', {}],
    ['rate', 'limited to 5 requests', {}],
  ] as const)('the hint in a %s fault is read: "%s"', (kind, message, hint) => {
    expect(readHint(kind, message)).toEqual(hint)
  })
})
