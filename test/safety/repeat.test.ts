// Each statement of the demo's checks, repeated by hand: the call that the API prints, asked again of the demo's node.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectorOf } from '../../src/chain/contracts/words.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createDemoDatabase, demoRecording } from '../support/demo.ts'
import { createDemoChecks } from '../support/demo-checks.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

interface PrintedCall {
  method: string
  params: string
}
interface Printed {
  symbol: string
  pools: { nodes: { address: string }[] }
  sellCheck: { sellable: boolean; holdersTried: number; call: PrintedCall | null }
  powers: { function: string; call: PrintedCall | null }[]
  contractFindings: { name: string; text: string; riskAtLeast: number; call: PrintedCall | null }[]
}
interface Log {
  topics: string[]
  data: string
  transactionHash: string
}
type Answer = { result?: unknown; error?: { kind: string } }

const QUERY = `{ tokens(filter: { contractChecked: true }, first: 100) { total nodes { symbol
  pools { nodes { address } } sellCheck { sellable holdersTried call { method params } }
  powers { function call { method params } } contractFindings { name text riskAtLeast call { method params } } } } }`

let printed: Printed[] = []
let stop = async () => {}

beforeAll(async () => {
  const database = await createDemoDatabase()
  const checks = createDemoChecks(database)
  for (let round = 0; round < 4; round++) await checks.run()
  const graph = await openGraph(database)
  stop = async () => {
    await graph.head.stop()
  }
  const { data } = await graph.execute(QUERY, {}, SOMEBODY)
  printed = (data as { tokens: { nodes: Printed[] } }).tokens.nodes
})
afterAll(() => stop())

const node = createReplay(demoRecording())
async function repeat(call: PrintedCall | null): Promise<Answer> {
  if (!call) throw new Error('no call is printed')
  const [answer] = await node.send([{ method: call.method, params: JSON.parse(call.params) }])
  return (answer ?? {}) as Answer
}

const wasSent = ({ result }: Answer): boolean => result === '0x' || BigInt(String(result ?? '0x0')) === 1n
const isRefused = ({ error }: Answer): boolean => error?.kind === 'execution'

/** Of the transaction that lost most: what did not reach a pool, of what its sender or the pool sent, in percent. */
function mostLost(logs: readonly Log[], pools: readonly string[]): number {
  const moves = logs.map(({ topics: [, from = '', to = ''], data, transactionHash }) => ({
    ...{ from: `0x${from.slice(26)}`, to: `0x${to.slice(26)}`, amount: Number(BigInt(data)), transactionHash },
  }))
  const losses = moves
    .filter(({ to }) => pools.includes(to))
    .map(({ from, amount, transactionHash }) => {
      const left = moves
        .filter((each) => each.transactionHash === transactionHash && each.from === from)
        .reduce((sum, each) => sum + each.amount, 0)
      return 100 * (1 - amount / left)
    })
  return Math.max(...losses)
}

test('the call beside whether a token can be sold gives the same answer to anybody', async () => {
  expect(printed.length).toBeGreaterThan(20)
  for (const { symbol, sellCheck } of printed) {
    const answer = await repeat(sellCheck.call)
    expect(sellCheck.sellable ? wasSent(answer) : isRefused(answer), symbol).toBe(true)
  }
  expect(printed.filter(({ sellCheck }) => !sellCheck.sellable).length).toBeGreaterThan(0)
})

test('the call beside each finding that raises the risk shows what the finding says', async () => {
  const seen = new Set<string>()
  for (const { symbol, contractFindings, pools } of printed)
    for (const { name, text, riskAtLeast, call } of contractFindings) {
      if (riskAtLeast === 0) continue
      seen.add(name)
      const answer = await repeat(call)
      const shows: Record<string, () => boolean> = {
        cannot_sell: () => isRefused(answer),
        balances_gone: () => BigInt(String(answer.result)) === 0n,
        spends_without_allowance: () => wasSent(answer),
        extreme_tax: () => {
          const lost = mostLost(
            answer.result as Log[],
            pools.nodes.map(({ address }) => address),
          )
          return text.includes(`${Math.round(lost)} %`)
        },
        open_power: () => /^0x6080/.test(String(answer.result)),
      }
      expect(shows[name]?.(), `${symbol}: ${text}`).toBe(true)
    }
  expect([...seen].sort()).toEqual([
    'balances_gone',
    'cannot_sell',
    'extreme_tax',
    'open_power',
    'spends_without_allowance',
  ])
})

test('the call beside a power that its name tells gives the code in which that function stands', async () => {
  const powers = printed.flatMap(({ powers: list }) => list)
  expect(powers.length).toBeGreaterThan(1)
  for (const { function: signature, call } of powers) {
    const { result } = await repeat(call)
    expect(String(result)).toContain(`63${selectorOf(signature).slice(2)}`)
  }
})
