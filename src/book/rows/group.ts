// Groups a block's logs by transaction, in the order of the chain.
import type { ChainBlock, DecodedLog, Transaction } from '../../chain/event.ts'
import { need } from './working-set.ts'

/** Transactions in order, each with its logs. */
export type Grouped = readonly (readonly [Transaction, DecodedLog[]])[]

/** Groups the block's logs; throws if a log belongs to none of its transactions. */
export function group({ transactions, logs, number }: ChainBlock): Grouped {
  const groups = transactions.map((transaction): [Transaction, DecodedLog[]] => [transaction, []])
  if (!isInOrder(transactions)) groups.sort(([a], [b]) => a.index - b.index)
  let byHash: Map<string, [Transaction, DecodedLog[]]> | null = null
  let at = 0
  for (const log of logs) {
    // Logs come in the order of their transactions, so the next transaction is nearly always the right one.
    let next = at
    while (next < groups.length && groups[next]?.[0].hash !== log.txHash) next += 1
    const found = groups[next]
    if (found) {
      found[1].push(log)
      at = next
      continue
    }
    byHash ??= new Map(groups.map((each) => [each[0].hash, each]))
    need(byHash.get(log.txHash), `transaction of block ${number}`, log.txHash)[1].push(log)
  }
  return groups
}

const isInOrder = (transactions: readonly Transaction[]): boolean =>
  transactions.every(({ index }, at) => at === 0 || index >= (transactions[at - 1]?.index ?? index))
