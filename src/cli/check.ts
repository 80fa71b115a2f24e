// `check URL...`: tests providers before an index uses them. It prints the abilities of each and the settings that it
// needs, and with --start the cost of an index from there. Exits with 69 if one cannot be used.
import { Command } from 'commander'
import { StartupError } from '../base/errors.ts'
import { SAVING_MS } from '../base/head-reads.ts'
import { parseStart, type Start } from '../base/start.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { Findings, Growth } from '../chain/connect/probe.ts'
import { MOST_CALLS } from '../chain/contracts/multicall.ts'
import { BLOCKS_PER_TAG } from '../chain/source/finality.ts'
import { describeCapabilities, type ProbedCapabilities } from '../safety/node/capabilities.ts'
import type { Context } from './context.ts'
import { formatDuration } from './progress.ts'

/** The depth of state for exact balances of tokens older than the start: any older block. */
const ARCHIVE_DEPTH = 100_000
/** The number of blocks whose state nodes keep by default. */
const USUAL_DEPTH = 128
/** Compute units of one call by method in a usual plan, and the units of a month. */
export const UNITS = { eth_getLogs: 60, eth_getBlockByNumber: 20, eth_call: 26, eth_getBlockReceipts: 20, month: 300e6 }
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
      if (useless > 0) throw new StartupError(`${useless} of ${urls.length} providers cannot be used.`, 69)
    })
}

function readStart(text: string): Start {
  const start = parseStart(text)
  if (start) return start
  throw new StartupError(`--start must be like 7d, 36h, 2026-01-31, head or a block's number, not "${text}".`, 2)
}

async function check({ print, clock, signal }: Context, url: string, start: Start | undefined): Promise<boolean> {
  const { probe } = await import('../chain/connect/probe.ts')
  const { createHttpEndpoint } = await import('../chain/rpc/endpoint.ts')
  const { createRpc } = await import('../chain/rpc/rpc.ts')
  const { SAFETY_ENDPOINT } = await import('../safety/check/safety.ts')
  const { readCapabilities } = await import('../safety/node/capabilities.ts')
  const { PRESET_CHAIN_IDS } = await import('../chain/presets/presets.ts')
  if (!/^https?:\/\//.test(url))
    throw new StartupError('A provider is an address that begins with http:// or https://.', 2)
  const endpoint = createHttpEndpoint(url)
  let findings: TriedProvider
  try {
    const can = () => readCapabilities(createRpc({ urls: [url], clock, signal, ...SAFETY_ENDPOINT }))
    findings = { ...(await probe(endpoint, clock, signal)), can: await can() }
  } catch (error) {
    print(`${endpoint.name}: cannot be used: ${error instanceof Error ? error.message : 'it does not answer'}`)
    return false
  }
  for (const line of describeProvider(
    endpoint.name,
    findings,
    PRESET_CHAIN_IDS.includes(findings.chainId),
    clock.now(),
  ))
    print(line)
  if (start) for (const line of await estimate(url, findings, start, { clock, signal })) print(line)
  return findings.logs !== null
}

/** The findings of a provider, and its support for contract checks. */
export interface TriedProvider extends Findings {
  can: ProbedCapabilities
}

/** The abilities of a provider, a line each; advice begins with "->". */
export function describeProvider(name: string, found: TriedProvider, hasPreset: boolean, now: Date): string[] {
  const { chainId, client, head, headTime, finalized, stateDepth, logs, batch, hasMulticall, blocksPerSecond } = found
  const age = Math.max(0, Math.round(now.getTime() / 1_000 - headTime))
  const lines = [
    `${name}: chain ${chainId}${client ? `, ${client}` : ''}`,
    `  newest block ${head}, ${formatDuration(age)} old`,
    finalized === null
      ? '  no finalized tag'
      : `  final up to block ${finalized}, ${head - finalized} behind the newest`,
    stateDepth === 0
      ? '  keeps the state of no older block'
      : `  keeps the state of at least ${stateDepth} blocks back`,
    logs
      ? `  eth_getLogs: ${logs.blocks} blocks at once, ${Math.round(logs.logsPerBlock)} transfers a block, ${Math.round(logs.logsPerSecond)} logs/s` +
        (logs.refusal ? `; more is refused: ${logs.refusal}` : '')
      : '  eth_getLogs is refused',
    `  batches of ${batch}; ${Math.round(blocksPerSecond)} blocks/s with their transactions`,
    hasMulticall
      ? `  Multicall3: one call reads up to ${MOST_CALLS} values of contracts`
      : '  no Multicall3: each value of a contract takes a call',
    `  ${describeCapabilities(found.can)}`,
  ]
  if (!hasPreset) lines.push('  -> There is no preset for this chain: set CHAIN_CONFIG.')
  if (age > 600) lines.push('  -> Its newest block is old: it is behind, or the chain stands still.')
  if (finalized === null) lines.push("  -> Blocks count as final after the preset's finalityDepth.")
  if (stateDepth < USUAL_DEPTH) lines.push('  -> Opening balances of tokens older than the start will be lower bounds.')
  else if (stateDepth < ARCHIVE_DEPTH) {
    lines.push(
      `  -> No archive node: opening balances are exact only while the index is within ${stateDepth} blocks of the head.`,
    )
  }
  if (!found.can.execute) lines.push('  -> It runs no calls of contracts: every token will be not_checked.')
  else if (!found.can.simulate && !found.can.override)
    lines.push('  -> Powers of owners are known by names alone: it has neither eth_simulateV1 nor state overrides.')
  if (!logs) lines.push('  -> Without eth_getLogs nothing can be indexed from it.')
  else if (logs.refusal) lines.push('  -> Nothing to set: ranges shrink to the size that it accepts.')
  return lines
}

async function estimate(
  url: string,
  found: Findings,
  start: Start,
  { clock, signal }: Pick<Context, 'clock' | 'signal'>,
): Promise<string[]> {
  const { findStartBlock, readBlockTime } = await import('../chain/connect/start.ts')
  const { createRpc } = await import('../chain/rpc/rpc.ts')
  const rpc = createRpc({ urls: [url], clock, signal })
  const first = await findStartBlock(start, found.head, (block) => readBlockTime(rpc, block))
  const cost = costOf(found, Math.max(1, found.head - first + 1))
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
  ]
}

const MONTH_DAYS = 30
/** Looks for a new block, measured by `npm run bench:providers`: slow blocks arrive less regularly. */
const LOOKS = { slow: 2.6, fast: 1.4, slowSeconds: 6 }

/** Requests and units of a month at the head by `HEAD_READS`, without contracts. */
export function headCostOf(secondsPerBlock: number) {
  const month = MONTH_DAYS * DAY_SECONDS
  const blocks = month / secondsPerBlock
  const looks = blocks * (secondsPerBlock < LOOKS.slowSeconds ? LOOKS.fast : LOOKS.slow)
  const { eth_getBlockByNumber: block, eth_getBlockReceipts: receipts } = UNITS
  const tags = (blocks / BLOCKS_PER_TAG) * block
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
 */
export function costOf({ logs, hasMulticall, blocksPerSecond }: Findings, blocks: number) {
  const ranges = Math.ceil(blocks / Math.max(1, logs?.blocks ?? 1))
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
    eth_getLogs: ranges + (asksAgain ? blocks : 0),
    eth_call: hasMulticall ? Math.min(values, batched) : values,
    eth_getBlockReceipts: Math.ceil(blocks * RECEIPTS_SHARE),
  }
  const methods = Object.keys(calls) as (keyof typeof calls)[]
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
