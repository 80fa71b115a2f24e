// `check URL...`: tests providers before an index uses them. It prints the abilities of each and the settings that it
// needs, and with --start the cost of an index from there. Exits with 69 if one cannot be used.

import { Command } from 'commander'
import { StartupError } from '../base/errors.ts'
import { SAVING_MS } from '../base/head-reads.ts'
import { keysOf } from '../base/keys-of.ts'
import { parseStart, type Start } from '../base/start.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { Findings } from '../chain/connect/probe.ts'
import type { Growth } from '../chain/connect/probe-rates.ts'
import { MOST_CALLS } from '../chain/contracts/multicall.ts'
import { FIRST_BLOCKS } from '../chain/source/bare-logs.ts'
import { blocksPerTag } from '../chain/source/finality.ts'
import { adviseChain, hasBareLogs } from './check-chain.ts'
import type { Context } from './context.ts'
import { formatDuration } from './progress.ts'
import { describeProvider, type TriedProvider } from './provider-words.ts'

/** Compute units of one call by method in a usual plan, and the units of a month. */
export const UNITS = { eth_getLogs: 60, eth_getBlockByNumber: 20, eth_call: 26, eth_getBlockReceipts: 20, month: 300e6 }
/** The same of a block's traces: `trace_block`, and any other method. */
const TRACE_UNITS = { trace_block: 20, other: 40 }
/** The values of a new token: its name, symbol, decimals and supply. */
const CALLS_PER_TOKEN = 4
/** Logs that are read at once, and the batches of calls for their new tokens, pools and holders. */
const LOGS_PER_RANGE = 3_000
const BATCHES_PER_RANGE = 6
/** With this many transfers a block, its full bloom makes events seem to be missing, and the block is asked again. */
const FULL_BLOOM_LOGS = 100
/** The share of final blocks whose receipts are asked for by default. */
const RECEIPTS_SHARE = 0.01
/** Blocks with all their transactions, on the wire. */
const BYTES_PER_BLOCK = 60_000

export function createCheck(context: Context): Command {
  return new Command('check')
    .description('Test providers: the abilities of each, the settings, and with --start the cost of an index.')
    .argument('<url...>', 'HTTP or HTTPS addresses of JSON-RPC nodes')
    .option('--start <start>', 'where an index would begin: 7d, 36h, a date, head, or a block', readStart)
    .action(async (urls: string[], { start }: { start?: Start }) => {
      let useless = 0
      for (const url of urls) if (!(await check(context, url, start))) useless += 1
      const { checkPayments } = await import('../payment/open.ts')
      const payments = await checkPayments(context.config(), context.clock)
      for (const { text } of payments) context.print(`payments: ${text}`)
      if (payments.some(({ isFault }) => isFault)) throw new StartupError('Payments cannot be taken.', 69)
      if (useless > 0) throw new StartupError(`${useless} of ${urls.length} providers cannot be used.`, 69)
    })
}

function readStart(text: string): Start {
  const start = parseStart(text)
  if (start) return start
  throw new StartupError(`--start must be like 7d, 36h, 2026-01-31, head or a block's number, not "${text}".`, 2)
}

async function check(context: Context, url: string, start: Start | undefined): Promise<boolean> {
  const { print, clock, signal } = context
  const { probe } = await import('../chain/connect/probe.ts')
  const { createHttpEndpoint } = await import('../chain/rpc/endpoint.ts')
  const { createRpc } = await import('../chain/rpc/rpc.ts')
  const { SAFETY_ENDPOINT } = await import('../safety/check/safety.ts')
  const { readCapabilities } = await import('../safety/node/capabilities.ts')
  const { findStartBlock, readBlockTime } = await import('../chain/connect/start.ts')
  if (!/^https?:\/\//.test(url))
    throw new StartupError('A provider is an address that begins with http:// or https://.', 2)
  const endpoint = createHttpEndpoint(url)
  let findings: TriedProvider
  let advice: string[]
  try {
    const rpc = createRpc({ urls: [url], clock, signal, ...SAFETY_ENDPOINT })
    const findStart = start && ((head: number) => findStartBlock(start, head, (block) => readBlockTime(rpc, block)))
    findings = {
      ...(await probe(endpoint, clock, { signal, ...(findStart && { findStart }) })),
      can: await readCapabilities(rpc),
    }
    advice = await adviseChain(context, rpc, findings)
  } catch (error) {
    print(`${endpoint.name}: cannot be used: ${error instanceof Error ? error.message : 'it does not answer'}`)
    return false
  }
  for (const line of describeProvider(endpoint.name, findings, advice, clock.now())) print(line)
  if (start) for (const line of estimate(findings, await hasBareLogs(context, findings.chainId))) print(line)
  return findings.logs !== null
}

/** The cost of an index from its start on. */
function estimate(found: Findings, hasBare: boolean): string[] {
  const { from: first } = found.old
  const cost = costOf(found, Math.max(1, found.head - first + 1), hasBare)
  const {
    eth_getBlockByNumber: blocks,
    eth_getLogs: logs,
    eth_call: calls,
    eth_getBlockReceipts: receipts,
  } = cost.calls
  return [
    `  from block ${first}: ${cost.blocks} blocks, about ${cost.requests} calls (${blocks} for blocks, ${logs} for logs, ${calls} of contracts, ${receipts} for receipts), ${(cost.bytes / 1e9).toFixed(1)} GB, ` +
      `${formatDuration(cost.seconds)} at the rate that it showed`,
    `  -> In a plan that counts ${UNITS.eth_getLogs} units for logs, ${UNITS.eth_getBlockByNumber} for a block and ${UNITS.eth_call} for a contract: ${(cost.units / 1e6).toFixed(1)} million units` +
      `, ${((100 * cost.units) / UNITS.month).toFixed(0)} % of a month of 300 million.`,
    ...(found.secondsPerBlock === null ? [] : [describeHead(found.secondsPerBlock)]),
    ...describeTraces(found, cost.blocks),
  ]
}

/** What `TRACES=on` adds: a call for each block. None where the provider has no traces. */
export function describeTraces({ traces, secondsPerBlock }: Findings, blocks: number): string[] {
  if (!traces) return []
  const units = traces.method === 'trace_block' ? TRACE_UNITS.trace_block : TRACE_UNITS.other
  const month = secondsPerBlock && (MONTH_DAYS * DAY_SECONDS) / secondsPerBlock
  const past = traces.hasOld === false ? ' It does not trace the first of them: their payments would be unknown.' : ''
  return [
    `  -> TRACES=on adds ${blocks} calls of ${traces.method}, ${((blocks * units) / 1e6).toFixed(1)} million units ` +
      `and ${((blocks * traces.bytesPerBlock) / 1e9).toFixed(1)} GB` +
      (month ? `; a month at the head ${((month * units) / 1e6).toFixed(1)} million units.` : '.') +
      past,
  ]
}

const MONTH_DAYS = 30
/** Looks for a new block, measured by `npm run bench -- providers`: slow blocks arrive less regularly. */
const LOOKS = { slow: 2.6, fast: 1.4, slowSeconds: 6 }

/** Requests and units of a month at the head by `HEAD_READS`, without contracts. */
export function headCostOf(secondsPerBlock: number) {
  const month = MONTH_DAYS * DAY_SECONDS
  const blocks = month / secondsPerBlock
  const looks = blocks * (secondsPerBlock < LOOKS.slowSeconds ? LOOKS.fast : LOOKS.slow)
  const { eth_getBlockByNumber: block, eth_getBlockReceipts: receipts } = UNITS
  const tags = (blocks / blocksPerTag(secondsPerBlock)) * block
  const pauses = (1_000 * month) / SAVING_MS
  return {
    latency: { requests: looks, units: looks * (2 * block + receipts) + tags },
    saving: { requests: 2 * pauses, units: pauses * block + blocks * (block + receipts) + tags },
  }
}

function describeHead(secondsPerBlock: number): string {
  const told = Object.entries(headCostOf(secondsPerBlock)).map(
    ([reads, { requests, units }]) =>
      `${(requests / 1e6).toFixed(1)} million requests and ${Math.round(units / 1e6)} million units with HEAD_READS=${reads}`,
  )
  return `  -> A month at the head: ${told.join(', ')}; new tokens, pools and holders come on top.`
}

/**
 * The provider's calls for an index of this many blocks, by method. The transfers of the newest blocks stand for all.
 * Each balance older than the index is one value of a contract, and each token has four.
 * `hasBare`: logs without a topic count on the chain, and are asked for beside the others.
 */
export function costOf({ logs, hasMulticall, blocksPerSecond }: Findings, blocks: number, hasBare = false) {
  const ranges = Math.ceil(blocks / Math.max(1, logs?.blocks ?? 1))
  const bareWidth = Math.max(1, logs?.blocks ?? 1, logs && logs.refusal === null ? FIRST_BLOCKS : 1)
  const bareRanges = hasBare ? Math.ceil(blocks / bareWidth) : 0
  const logCount = blocks * (logs?.logsPerBlock ?? 0)
  const bytes = logCount * (logs?.bytesPerLog ?? 0) + blocks * BYTES_PER_BLOCK
  const seconds = Math.ceil(
    Math.max(logCount / Math.max(1, logs?.logsPerSecond ?? 1), blocks / Math.max(0.1, blocksPerSecond)),
  )
  const asksAgain = (logs?.logsPerBlock ?? 0) >= FULL_BLOOM_LOGS
  const sample = logs?.blocks ?? 1
  const values = logs ? grow(logs.pairs, sample, blocks) + CALLS_PER_TOKEN * grow(logs.tokens, sample, blocks) : 0
  const batched = Math.ceil(values / MOST_CALLS) + BATCHES_PER_RANGE * Math.ceil(logCount / LOGS_PER_RANGE)
  const calls = {
    eth_getBlockByNumber: blocks,
    eth_getLogs: ranges + bareRanges + (asksAgain ? blocks : 0),
    eth_call: hasMulticall ? Math.min(values, batched) : values,
    eth_getBlockReceipts: Math.ceil(blocks * RECEIPTS_SHARE),
  }
  const methods = keysOf(calls)
  return {
    blocks,
    calls,
    requests: methods.reduce((sum, method) => sum + calls[method], 0),
    bytes,
    seconds,
    units: methods.reduce((sum, method) => sum + calls[method] * UNITS[method], 0),
  }
}

/** The number of different values in more blocks: it grows by a power of the blocks (Heaps' law). */
function grow({ all, half }: Growth, sample: number, blocks: number): number {
  if (all === 0) return 0
  const power = half > 0 && sample > 1 ? Math.min(1, Math.max(0, Math.log2(all / half))) : 1
  return Math.round(all * (blocks / sample) ** power)
}
