// A folder of receipts: transactions with their headers, and the swap that a user made in each, as another decoder states
// it. Output: recordings by chain, in the order of their blocks, each with its expectation.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import type { Recording } from '../recording.ts'

const amount = z.object({ token: z.string(), amount: z.string(), native: z.boolean(), wallet: z.string() })
export type Amount = z.infer<typeof amount>

const expectation = z.object({
  chain: z.string(),
  chainId: z.number(),
  txHash: z.string(),
  kind: z.enum(['swap', 'add', 'remove']),
  wallets: z.array(z.string()),
  spent: z.array(amount),
  received: z.array(amount),
  fees: z.array(amount),
  protocol: z.string(),
})
export type Expectation = z.infer<typeof expectation>

const log = z.object({ address: z.string(), topics: z.array(z.string()), data: z.string(), logIndex: z.string() })
const line = z.object({
  chainId: z.number(),
  value: z.string(),
  receipt: z.object({
    blockHash: z.string(),
    blockNumber: z.string(),
    from: z.string(),
    to: z.string().nullable(),
    transactionHash: z.string(),
    logs: z.array(log),
  }),
})

export interface Receipts {
  /** By chain id. */
  chains: Map<number, { recording: Recording; expected: Expectation }[]>
  /** Decimals by chain id and token; a token without an entry has 18. */
  decimals(chainId: number): Map<string, number>
}

export const RECEIPTS_FILE = 'receipts.jsonl.gz'

export function readReceipts(folder: string): Receipts {
  const text = (name: string) => readFileSync(join(folder, name))
  const expected = new Map(
    z
      .array(expectation)
      .parse(JSON.parse(text('expected.json').toString()))
      .map((each) => [each.txHash, each]),
  )
  const decimals = z.record(z.string(), z.number()).parse(JSON.parse(text('decimals.json').toString()))
  const chains: Receipts['chains'] = new Map()
  const lines = gunzipSync(text(RECEIPTS_FILE)).toString().split('\n').filter(Boolean)
  for (const each of lines.map((json) => line.parse(JSON.parse(json)))) {
    const wanted = expected.get(each.receipt.transactionHash)
    if (!wanted) throw new Error(`nothing is expected of ${each.receipt.transactionHash}`)
    const chain = chains.get(each.chainId) ?? []
    chains.set(each.chainId, chain)
    chain.push({ recording: toRecording(each), expected: wanted })
  }
  const blockOf = ({ recording }: { recording: Recording }) => Number(recording.logs[0]?.blockNumber ?? 0)
  for (const chain of chains.values()) chain.sort((a, b) => blockOf(a) - blockOf(b))
  return {
    chains,
    decimals: (chainId) =>
      new Map(
        Object.entries(decimals).flatMap(([key, value]) =>
          key.startsWith(`${chainId}:`) ? [[key.slice(key.indexOf(':') + 1), value]] : [],
        ),
      ),
  }
}

/** The beginning of a recording's name of a log, by the beginning of our name of the event. */
const NAMES: readonly [ours: string, name: string][] = [
  ['curve_', 'curve.'],
  ['balancer_v1_', 'bal1.'],
  ['uniswap_v1_', 'uni1.'],
  ['dodo_', 'dodo.'],
  ['balancer_v3_', 'bal3.'],
  ['balancer_', 'bal2.'],
  ['fluid_', 'fluid.'],
  ['lfj_', 'lfj.'],
  ['maverick_', 'mav2.'],
  ['algebra_', 'algebra.'],
  ['solidly_sync', 'solidly.'],
]

const NAME_OF_TOPIC = new Map(
  Object.entries(TOPICS).flatMap(([ours, topic]) => {
    const found = NAMES.find(([beginning]) => ours.startsWith(beginning))
    return found ? [[topic as string, found[1] + ours] as const] : []
  }),
)

function toRecording({ chainId, value, receipt }: z.infer<typeof line>): Recording {
  const { blockHash, blockNumber, from, to, transactionHash, logs } = receipt
  return {
    chainId,
    txHash: transactionHash,
    blockHash,
    from,
    to,
    value: `0x${BigInt(value).toString(16)}`,
    events: logs.flatMap(({ topics: [topic], logIndex }) => {
      const name = NAME_OF_TOPIC.get(topic ?? '')
      return name ? [{ logIndex, name }] : []
    }),
    expected: [],
    logs: logs.map((each) => ({ ...each, blockNumber, transactionHash })),
  }
}
