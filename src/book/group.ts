// Groups a block's logs by transaction, in the order of the chain.
import type { ChainBlock, DecodedLog, Transaction } from '../chain/event.ts'
import { need } from './working-set.ts'

/** Transactions in order, each with its logs. */
export type Grouped = readonly (readonly [Transaction, DecodedLog[]])[]

/** Groups the block's logs; throws if a log belongs to none of its transactions. */
export function group({ transactions, logs, number }: ChainBlock): Grouped {
  const byHash = new Map<string, [Transaction, DecodedLog[]]>()
  for (const transaction of transactions) byHash.set(transaction.hash, [transaction, []])
  let current: [Transaction, DecodedLog[]] | undefined
  for (const log of logs) {
    if (current?.[0].hash !== log.txHash)
      current = need(byHash.get(log.txHash), `transaction of block ${number}`, log.txHash)
    current[1].push(log)
  }
  return [...byHash.values()].sort(([a], [b]) => a.index - b.index)
}
