import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/chain/rpc/classify.ts'
import { readHint } from '../../../src/chain/rpc/hint.ts'

// Messages as providers send them.
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
  [200, -32602, 'BlockOutOfRangeError: block height is 7 but requested was 1007', 'lagging'],
  [200, 4444, 'pruned history unavailable', 'pruned'],
  [403, -32701, 'Archive requests require a personal token', 'pruned'],
  [200, -32000, 'logs matched by query exceeds limit of 10000', 'size'],
  [200, -32000, 'GetLogs query must be smaller than size 1024', 'range'],
  [200, -32000, 'maximum [from, to] blocks distance: 10000', 'range'],
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
    expect(classify({ status, isRpc: code !== null, code, message })).toBe(kind)
  })

  // The name of a method contains words such as "block", and the words after "revert" are a contract's.
  it.each([
    ['eth_getBlockReceipts', -32700, 'The method eth_getBlockReceipts does not exist/is not available', 'unsupported'],
    ['eth_getBlockReceipts', -32000, 'eth_getBlockReceipts is not available', 'unsupported'],
    ['eth_getBlockByNumber', -32000, 'eth_getBlockByNumber is not available on your plan', 'unsupported'],
    ['eth_getLogs', -32000, 'eth_getLogs and eth_newBlockFilter are disabled', 'unsupported'],
    ['eth_getLogs', -32602, 'cannot unmarshal FilterQuery.blockHash', 'rejected'],
    ['eth_call', -32000, 'rpc error: code = Unknown desc = execution reverted: unknown block', 'execution'],
    ['eth_call', -32000, 'VM Exception while processing transaction: revert rate limit', 'execution'],
    ['eth_call', -32000, 'Received invalid block tag 1007. Latest block number is 7', 'lagging'],
  ])('only the own words of a node tell the fault: %s, %i, "%s" is %s', (method, code, message, kind) => {
    expect(classify({ status: 200, method, isRpc: true, code, message })).toBe(kind)
  })

  it.each([
    ['Parity and its descendants', 'VM execution error.', 'Reverted 0x08c379a0'],
    ['a node of unknown words', 'oops', '0x'],
    ['Hardhat 2', 'Error: Transaction ran out of gas', { message: 'ran out', txHash: null, data: '0x' }],
    ['ganache', 'VM Exception while processing transaction: stop', { hash: null, result: '0xe450d38c' }],
    ['a wallet', 'Internal JSON-RPC error.', { originalError: { code: 3, data: '0xe450d38c' } }],
  ])('a call with the data of a revert has failed in its contract, whatever the words: %s', (_, message, data) => {
    expect(classify({ status: 200, method: 'eth_call', isRpc: true, code: -32603, message, data })).toBe('execution')
    expect(classify({ status: 200, method: 'eth_getLogs', isRpc: true, code: -32602, message: 'x', data })).toBe(
      'rejected',
    )
  })

  it.each(['insufficient funds for gas * price + value: address 0xab', 'insufficient balance', 'OutOfFunds'])(
    'a sender without funds is no failure of a contract: %s',
    (message) => {
      const poor = { status: 200, method: 'eth_call', isRpc: true, code: -32000, message, data: '0x' }
      expect(classify(poor)).toBe('rejected')
      expect(classify({ ...poor, message: `execution reverted: ${message}` })).toBe('execution')
    },
  )

  it.each([
    [404, '<html><title>404 Not Found</title>the block was not found</html>', 'transient'],
    [405, 'Method Not Allowed', 'transient'],
    [400, 'archive', 'transient'],
    [400, 'Max range: 800', 'range'],
    [404, '{"message":"Unauthorized"}', 'auth'],
    [403, 'archive node', 'auth'],
    [502, 'too many requests', 'transient'],
    [200, 'rate limit', 'rate'],
    [0, 'rate limit', 'transient'],
  ])(
    'an answer without a JSON-RPC error tells nothing about blocks and methods: HTTP %i, "%s" is %s',
    (status, message, kind) => {
      expect(classify({ status, isRpc: false, code: null, message })).toBe(kind)
    },
  )

  it('"limit exceeded" is a limit on results for logs, and a limit on requests for anything else', () => {
    const refusal = { status: 200, isRpc: true, code: -32005, message: 'limit exceeded' }
    expect(classify({ ...refusal, method: 'eth_getLogs' })).toBe('size')
    expect(classify({ ...refusal, method: 'eth_call' })).toBe('rate')
  })
})

describe('hints in provider messages', () => {
  it.each([
    ['range', 'eth_getLogs is limited to a 10,000 range', { maxBlocks: 10_000 }],
    ['range', 'requests with up to a 2K block range', { maxBlocks: 2000 }],
    ['range', 'exceed maximum block range: 50000', { maxBlocks: 50_000 }],
    ['range', 'Max range: 800', { maxBlocks: 800 }],
    ['range', 'block range is too wide', {}],
    ['range', 'maximum [from, to] blocks distance: 10000', { maxBlocks: 10_000 }],
    ['range', 'GetLogs query must be smaller than size 1024', { maxBlocks: 1024 }],
    ['size', 'retry with the range 100-200', { range: { from: 100, to: 200 } }],
    ['size', 'this block range should work: [0x64, 0xc8]', { range: { from: 100, to: 200 } }],
    ['size', 'retry with the range 200-100', {}],
    ['size', 'query returned more than 10000 results', {}],
    ['rate', 'limited to 5 requests', {}],
  ] as const)('the hint in a %s fault is read: "%s"', (kind, message, hint) => {
    expect(readHint(kind, message)).toEqual(hint)
  })
})
