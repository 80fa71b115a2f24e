// Two complete mainnet blocks of one day, with empty blocks between them, behind a node that keeps no state. Input: the
// pool whose constants its contracts answer. Output: an endpoint.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { encodeAbiParameters, toFunctionSelector } from 'viem'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { RawLog } from '../../src/chain/raw.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'

const FILE = resolve('../shared/data/mainnet-blocks/blocks-with-receipts.ndjson.gz')

export const hasMainnetDay = existsSync(FILE)

export interface RealBlock {
  number: number
  timestamp: number
  hash: string
  receipts: { from: string; to: string | null; logs: RawLog[] }[]
}

/** The last two blocks in the file, which are from one day. */
export function readMainnetDay(): [first: RealBlock, last: RealBlock] {
  const lines = gunzipSync(readFileSync(FILE)).toString().trim().split('\n')
  return lines.slice(-2).map((line) => JSON.parse(line) as RealBlock) as [RealBlock, RealBlock]
}

const hex = (number: number | bigint) => `0x${number.toString(16)}`
const fill = (text: string) => `0x${text.padStart(64, '0')}`

/** The node; the pool is one of USDC and WETH at 0.05 %. */
export function createMainnetDay([first, last]: [RealBlock, RealBlock], preset: Preset, pool: string): Endpoint {
  const real = new Map([first, last].map((block) => [block.number, block]))
  const hashOf = (number: number) => real.get(number)?.hash ?? fill(number.toString(16))
  const pace = (last.timestamp - first.timestamp) / (last.number - first.number)
  const viewBlock = (number: number) => ({
    number: hex(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: hex(first.timestamp + Math.floor(pace * (number - first.number))),
    transactions: (real.get(number)?.receipts ?? []).map(({ from, to, logs }, i) => {
      const hash = logs[0]?.transactionHash ?? fill(`${number}${i}`)
      return { hash, from, to, value: '0x0', input: '0x00' }
    }),
  })
  const logsOf = (from: number, to: number) =>
    [first, last]
      .filter(({ number }) => number >= from && number <= to)
      .flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs))
  const constants = tell(preset, pool)

  function answer({ method, params }: Call): RpcAnswer {
    const [subject, tag] = params as [string & Record<string, string>, string]
    if (method === 'eth_chainId') return { result: hex(preset.chainId) }
    if (method === 'eth_getBlockByNumber' && subject === 'finalized')
      return { error: new RpcError('rejected', 'no such tag') }
    if (method === 'eth_getBlockByNumber')
      return { result: viewBlock(subject === 'latest' ? last.number : Number(subject)) }
    if (method === 'eth_getLogs' && subject.blockHash !== undefined) {
      const number = [...real.values()].find(({ hash }) => hash === subject.blockHash)?.number ?? 0
      return { result: logsOf(number, number) }
    }
    if (method === 'eth_getLogs') return { result: logsOf(Number(subject.fromBlock), Number(subject.toBlock)) }
    if (tag !== 'latest') return { error: new RpcError('pruned', 'missing trie node') }
    const result = constants.get(`${subject.to} ${subject.data?.slice(0, 10)}`)
    return result ? { result } : { error: new RpcError('execution', 'execution reverted') }
  }
  return { name: 'mainnet', send: async (calls) => calls.map(answer) }
}

/** The contracts' answers at any block, by address and selector. */
function tell({ stablecoins, wrappedNative: weth, factories }: Preset, pool: string): Map<string, string> {
  const usdc = stablecoins[0] ?? ''
  const factory = factories.find(({ launchpad }) => launchpad === 'uniswap_v3')?.address ?? ''
  const answers: [to: string, signature: string, type: string, value: unknown][] = [
    [pool, 'factory()', 'address', factory],
    [pool, 'token0()', 'address', usdc],
    [pool, 'token1()', 'address', weth],
    [pool, 'fee()', 'uint24', 500],
    [factory, 'getPool(address,address,uint24)', 'address', pool],
    [usdc, 'decimals()', 'uint8', 6],
    [weth, 'decimals()', 'uint8', 18],
  ]
  return new Map(
    answers.map(([to, signature, type, value]) => [
      `${to} ${toFunctionSelector(signature)}`,
      encodeAbiParameters([{ type }], [value]),
    ]),
  )
}
