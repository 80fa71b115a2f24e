// Puts the findings of `check` about a provider into words. Input: findings. Output: a line for each ability, then advice,
// which begins with "->". A question without an answer is told as unknown, never as "no". Pure.
import type { Findings } from '../chain/connect/probe.ts'
import type { OldBlocks } from '../chain/connect/probe-history.ts'
import { MOST_CALLS } from '../chain/contracts/multicall.ts'
import { describeCapabilities, type ProbedCapabilities } from '../safety/node/capabilities.ts'
import { formatDuration } from './progress.ts'

/** The depth of state for exact balances of tokens older than the start: any older block. */
const ARCHIVE_DEPTH = 100_000
/** The number of blocks whose state nodes keep by default. */
const USUAL_DEPTH = 128

/** The findings of a provider, and its support for contract checks. */
export interface TriedProvider extends Findings {
  can: ProbedCapabilities
}

/** `configAdvice` is what the configuration lacks for this chain. */
export function describeProvider(
  name: string,
  found: TriedProvider,
  configAdvice: readonly string[],
  now: Date,
): string[] {
  const { chainId, client, head, headTime, logs, batch, hasMulticall, blocksPerSecond } = found
  const age = Math.max(0, Math.round(now.getTime() / 1_000 - headTime))
  const advice = [
    ...configAdvice,
    ...(age > 600 ? ['Its newest block is old: it is behind, or the chain stands still.'] : []),
    ...adviseData(found),
    ...adviseCalls(found),
  ]
  return [
    `${name}: chain ${chainId}${client ? `, ${client}` : ''}`,
    `  newest block ${head}, ${formatDuration(age)} old`,
    `  ${tellFinal(found)}`,
    `  ${tellState(found)}`,
    ...tellOld(found.old).map((line) => `  ${line}`),
    logs
      ? `  eth_getLogs: ${logs.blocks} blocks at once, ${Math.round(logs.logsPerBlock)} transfers a block, ${Math.round(logs.logsPerSecond)} logs/s` +
        (logs.refusal ? `; more is refused: ${logs.refusal}` : '')
      : '  eth_getLogs is refused',
    `  batches of ${batch}; ${Math.round(blocksPerSecond)} blocks/s with their transactions`,
    hasMulticall
      ? `  Multicall3: one call reads up to ${MOST_CALLS} values of contracts`
      : hasMulticall === null
        ? '  Multicall3 is unknown: the provider did not answer'
        : '  no Multicall3: each value of a contract takes a call',
    `  ${describeCapabilities(found.can)}`,
    `  ${tellTraces(found)}`,
    ...advice.map((line) => `  -> ${line}`),
  ]
}

function tellFinal({ finalized, head }: Findings): string {
  if (finalized === 'unknown') return 'finalized tag unknown: the provider did not answer'
  return finalized === null
    ? 'no finalized tag'
    : `final up to block ${finalized}, ${head - finalized} behind the newest`
}

function tellState({ head, stateDepth, stateRefused }: Findings): string {
  if (stateRefused !== null && stateDepth === 0) return `keeps no state ${stateRefused} blocks back`
  if (stateDepth === 0) return 'state of older blocks unknown: the chain has none, or the provider did not answer'
  return stateDepth === head
    ? 'keeps the state of every block'
    : `keeps the state of at least ${stateDepth} blocks back`
}

/** What it has of the blocks from the start on. */
function tellOld({ from, blocks, logs, receipts }: OldBlocks): string[] {
  const tell = (what: string, oldest: number | null) =>
    oldest === null ? `${what}: unknown` : oldest === from ? `${what}: all` : `${what}: from block ${oldest}`
  return [`from block ${from}: ${[tell('blocks', blocks), tell('logs', logs), tell('receipts', receipts)].join('; ')}`]
}

function tellTraces({ traces, old }: Findings): string {
  if (!traces) return 'no traces: payments inside transactions are known only where the chain logs them'
  const { method, bytesPerBlock, secondsPerBlock, hasOld } = traces
  const past = hasOld === null ? 'unknown' : hasOld ? 'too' : 'not'
  return (
    `traces by ${method}: ${Math.round(bytesPerBlock / 1_000)} kB and ${secondsPerBlock.toFixed(2)} s a block; ` +
    `of block ${old.from} ${past}`
  )
}

function adviseData({ old, finalized, stateRefused, stateDepth }: Findings): string[] {
  const oldest = Math.max(old.blocks ?? 0, old.logs ?? 0)
  const lines: string[] = []
  if (finalized === null) lines.push("Blocks count as final after the preset's finalitySeconds or finalityDepth.")
  if (oldest > old.from) {
    lines.push(
      `An index from block ${old.from} would lack everything before block ${oldest}: begin there or later, name ` +
        'another provider, or read the older blocks from HISTORY_FILES.',
    )
  }
  if (old.receipts !== null && old.receipts > Math.max(old.from, oldest))
    lines.push(`Logs before block ${old.receipts} cannot be checked against receipts.`)
  if (stateRefused !== null && stateRefused <= USUAL_DEPTH)
    lines.push('Opening balances of tokens older than the start will be lower bounds.')
  else if (stateRefused !== null && stateDepth < ARCHIVE_DEPTH)
    lines.push(
      `No archive node: opening balances are exact only while the index is within ${stateDepth} blocks of the head.`,
    )
  return lines
}

function adviseCalls({ can, logs }: TriedProvider): string[] {
  const lines: string[] = []
  if (can.execute === false) lines.push('It runs no calls of contracts: every token will be not_checked.')
  else if (can.simulate === false && can.override === false)
    lines.push('Powers of owners are known by names alone: it has neither eth_simulateV1 nor state overrides.')
  if (!logs) lines.push('Without eth_getLogs nothing can be indexed from it.')
  else if (logs.refusal) lines.push('Nothing to set: ranges shrink to the size that it accepts.')
  return lines
}
