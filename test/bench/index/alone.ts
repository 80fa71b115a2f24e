// How fast the source's logs can be read alone: plain fetch and JSON.parse, thousands of logs per call, and nothing
// done with them. Input: a chain. Output: the fastest of several passes, in seconds.
import type { Chain } from './chain.ts'

export interface Pass {
  blocksPerCall: number
  seconds: number
}

/** Blocks per call; nodes are fastest somewhere in this range. */
const SPANS = [10, 25, 50]
/** Up to this many logs each pass is made twice, because the first one starts cold. */
const FEW_LOGS = 1_000_000

/** The time of each span over the whole chain; throws when the number of logs is wrong. */
export async function readAlone(chain: Chain): Promise<Pass[]> {
  const passes: Pass[] = []
  for (const blocksPerCall of SPANS) {
    const seconds = await pass(chain, blocksPerCall)
    const again = chain.logs > FEW_LOGS ? seconds : await pass(chain, blocksPerCall)
    passes.push({ blocksPerCall, seconds: Math.min(seconds, again) })
  }
  return passes
}

async function pass(chain: Chain, span: number): Promise<number> {
  const started = performance.now()
  let read = 0
  for (let from = 0; from < chain.blocks; from += span) {
    const range = { fromBlock: hex(from), toBlock: hex(Math.min(chain.blocks, from + span) - 1) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: from, method: 'eth_getLogs', params: [range] })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(chain.url, { method: 'POST', headers, body })
    read += (JSON.parse(await response.text()) as { result: unknown[] }).result.length
  }
  if (read !== chain.logs) throw new Error(`read ${read} logs of ${chain.logs}`)
  return (performance.now() - started) / 1000
}

const hex = (value: number) => `0x${value.toString(16)}`
