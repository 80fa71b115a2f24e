// Blocks that are applied together: their logs by transaction, each movement once, and every name in them.
import { nameSigners } from '../../../book/logs/acts.ts'
import { tellNative, withTraced } from '../../../book/logs/native.ts'
import { completeRoute } from '../../../book/logs/routes.ts'
import type { Scan } from '../../../book/logs/scan.ts'
import { countOnce } from '../../../book/logs/wraps.ts'
import { type Grouped, group } from '../../../book/rows/group.ts'
import type { Known } from '../../../book/rows/known.ts'
import { scanBlocks } from '../../../book/scan.ts'
import type { ChainBlock } from '../../../chain/event.ts'

/** Blocks that are applied together, their transactions, and the names in them. */
export interface Batch {
  blocks: readonly ChainBlock[]
  transactions: readonly Grouped[]
  scanned: Scan
}

/** Groups the blocks' logs by transaction, and scans their names. */
export function toBatch(known: Known, blocks: readonly ChainBlock[]): Batch {
  const transactions = blocks.map((block) =>
    group(block).map(([transaction, logs]) => {
      const told = tellNative(known, withTraced(transaction, nameSigners(known, logs)))
      return [transaction, completeRoute(known, countOnce(known.wrappedNative, told))] as const
    }),
  )
  return { blocks, transactions, scanned: scanBlocks(known, blocks, transactions) }
}
