// The places of logs in a block where two different logs have the same `logIndex`: Erigon counts the logs of Polygon's
// state sync from 0 again (its issues 16339 and 17249), cosmos/evm those of each transaction (1086). Input: a block and
// its logs. Output: the same logs, numbered through the block by transaction and index, which is the protocol's order.
import { allOf, hasClash, type LogRun } from '../logs/assemble.ts'
import { isLogs, type RawBlock, type RawLog, readHash, readNumber } from '../raw.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import type { LogReader } from './logs.ts'

export type FindPlaces = (block: RawBlock, runs: readonly LogRun[]) => Promise<readonly LogRun[]>

export interface LogPlacesOptions {
  rpc: Rpc
  logReader: Pick<LogReader, 'readGiven'>
  onNotice: OnNotice
}

/** Asks for all logs of a block only where two of them clash. */
export function createFindPlaces({ rpc, logReader, onNotice }: LogPlacesOptions): FindPlaces {
  let isTold = false

  return async (block, runs) => {
    if (!hasClash(runs)) return runs
    const number = `0x${block.number.toString(16)}`
    const call = { method: 'eth_getLogs', params: [{ fromBlock: number, toBlock: number }], accept: isLogs }
    const logs = (await rpc.call(call)) as RawLog[]
    const isOwn = logs.every(({ blockHash }) => readHash(blockHash) === block.hash)
    if (!isOwn) throw contradiction(block, 'a log belongs to another fork')
    const again = allOf([logReader.readGiven(logs)])
    // A second answer without a clash shows that the first was a slip.
    if (!hasClash(again)) return again
    if (!isTold)
      onNotice(`two logs of block ${block.number} have one logIndex: its logs are numbered by their transactions`)
    isTold = true
    return allOf([logReader.readGiven(numberLogs(block, logs))])
  }
}

const contradiction = ({ number, hash }: RawBlock, what: string) =>
  new RpcError('lagging', `block ${number} (${hash}): ${what}`, {}, number)

/** The logs by transaction and index, each once, with their place in the block as their index. */
function numberLogs(block: RawBlock, logs: readonly RawLog[]): RawLog[] {
  const placed = new Map<string, { at: readonly [number, number]; log: RawLog }>()
  for (const log of logs) {
    const [transaction, index] = [readNumber(log.transactionIndex), readNumber(log.logIndex)]
    if (transaction === null || index === null) throw contradiction(block, 'a log has no place')
    const key = `${transaction} ${index}`
    const twin = placed.get(key)?.log
    if (twin && JSON.stringify(twin) !== JSON.stringify(log))
      throw contradiction(block, `two different logs at index ${index} of transaction ${transaction}`)
    placed.set(key, { at: [transaction, index], log })
  }
  return [...placed.values()]
    .sort(({ at: a }, { at: b }) => a[0] - b[0] || a[1] - b[1])
    .map(({ log }, place) => ({ ...log, logIndex: `0x${place.toString(16)}` }))
}
