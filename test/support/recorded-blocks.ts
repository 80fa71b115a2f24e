// Whole recorded blocks of Ethereum, one after the other, behind a node whose tokens are all older than them. Input: a
// preset. Output: an endpoint, and the number of logs. Every token has 18 decimals, a supply, and a balance for anybody.
// What logged, or was called by a transaction with logs, has code.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SELECTORS } from '../../src/chain/contracts/abi.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { RawLog } from '../../src/chain/raw.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { answerCodes } from './codes.ts'
import { word } from './fake-chain.ts'

const FILE = resolve('../shared/data/mainnet-blocks/blocks-with-receipts.ndjson.gz')
export const hasRecordedBlocks = existsSync(FILE)

interface RecordedBlock {
  timestamp: number
  hash: string
  receipts: { from: string; to: string | null; logs: RawLog[] }[]
}

const hex = (number: number) => `0x${number.toString(16)}`
const ANSWERS: Record<string, string> = {
  [SELECTORS.decimals]: `0x${word(18)}`,
  [SELECTORS.totalSupply]: `0x${word(10n ** 30n)}`,
  [SELECTORS.balanceOf]: `0x${word(10n ** 24n)}`,
}

/** The recorded blocks are numbers 1 and up; block 0 is empty. `isFinal`: the node calls all of them final, else none. */
export function createRecordedBlocks(
  { chainId }: Pick<Preset, 'chainId'>,
  isFinal = true,
): { node: Endpoint; logs: number } {
  const lines = gunzipSync(readFileSync(FILE)).toString().trim().split('\n')
  const blocks = lines.map((line) => JSON.parse(line) as RecordedBlock).sort((a, b) => a.timestamp - b.timestamp)
  const hashOf = (number: number) => blocks[number - 1]?.hash ?? `0x${'0'.repeat(64)}`
  const viewLogs = (number: number): RawLog[] =>
    (blocks[number - 1]?.receipts ?? []).flatMap(({ logs }) =>
      logs.map((log) => ({ ...log, blockNumber: hex(number) })),
    )
  const viewBlock = (number: number) => ({
    number: hex(number),
    hash: hashOf(number),
    parentHash: number === 0 ? `0x${'f'.repeat(64)}` : hashOf(number - 1),
    timestamp: hex(blocks[number - 1]?.timestamp ?? (blocks[0]?.timestamp ?? 0) - 12),
    transactions: (blocks[number - 1]?.receipts ?? []).map(({ from, to, logs }, at) => ({
      hash: logs[0]?.transactionHash ?? `0x${word(number * 10_000 + at)}`,
      from,
      to,
      value: '0x0',
      input: '0x00',
    })),
  })

  const contracts = new Set(
    blocks.flatMap(({ receipts }) =>
      receipts.flatMap(({ to, logs }) => [...(logs[0] ? [to] : []), ...logs.map(({ address }) => address)]),
    ),
  )
  const codeOf = (address: string) => (contracts.has(address) ? '0x60806040' : '0x')

  function answer({ method, params }: Call): RpcAnswer {
    const [subject] = params as [string & Record<string, string>]
    if (method === 'eth_chainId') return { result: hex(chainId) }
    if (method === 'eth_getBlockByNumber') {
      if (subject === 'finalized' && !isFinal) return { result: viewBlock(0) }
      const number = subject === 'latest' || subject === 'finalized' ? blocks.length : Number(subject)
      return { result: number > blocks.length ? null : viewBlock(number) }
    }
    if (method === 'eth_getLogs') {
      const topics = (subject.topics as unknown as string[][] | undefined)?.[0]
      const named = blocks.findIndex(({ hash }) => hash === subject.blockHash) + 1
      const [from, to] = named > 0 ? [named, named] : [Number(subject.fromBlock), Number(subject.toBlock)]
      const numbers = blocks.map((_, at) => at + 1).filter((number) => number >= from && number <= to)
      const wanted = numbers.flatMap(viewLogs).filter((log) => !topics || topics.includes(String(log.topics[0])))
      return { result: wanted }
    }
    if (method === 'eth_getCode') return { result: codeOf(String(subject)) }
    if (method === 'eth_call' && subject.to === undefined) return { result: answerCodes(String(subject.data), codeOf) }
    const told = method === 'eth_call' ? ANSWERS[String(subject.data).slice(0, 10)] : undefined
    return told ? { result: told } : { error: new RpcError('execution', 'execution reverted') }
  }

  const logs = blocks.reduce((sum, { receipts }) => sum + receipts.flatMap((each) => each.logs).length, 0)
  return { node: { name: 'recorded', send: async (calls) => calls.map(answer) }, logs }
}
