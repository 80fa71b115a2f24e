// Turns rows of the dataset `transactions` into transactions: those that decoded logs name, and plain payments. Input:
// pieces of rows, and the hashes in logs. Output: transactions by block.
import { float64At, itemAt } from '../../base/item-at.ts'
import { pushTo } from '../../base/push-to.ts'
import type { RawTransaction } from '../raw.ts'
import { badColumn } from './fault.ts'
import { toHex } from './hex.ts'
import type { FoundLogs } from './logs.ts'
import type { VisitRows } from './rows.ts'
import type { FileColumn } from './table.ts'

export const TRANSACTION_COLUMNS: readonly FileColumn[] = [
  { name: 'transaction_index', type: 'number' },
  { name: 'transaction_hash', type: 32 },
  { name: 'from_address', type: 20 },
  { name: 'to_address', type: 20, isNullable: true },
  { name: 'value_binary', type: 32 },
  { name: 'n_input_bytes', type: 'number' },
]

/** Stands for call data, because only its presence counts. */
const [EMPTY, SOME] = ['0x', '0x00']

export function createTransactionVisit({ named }: Pick<FoundLogs, 'named'>) {
  const byBlock = new Map<number, RawTransaction[]>()
  let namedRows = 0
  let rows = 0
  let block = -1
  let index = -1

  const visit: VisitRows = (piece, start, end) => {
    const numbers = piece.numbers('block_number')
    const indexes = piece.numbers('transaction_index')
    const inputs = piece.numbers('n_input_bytes')
    const hashes = piece.bytes('transaction_hash')
    const froms = piece.bytes('from_address')
    const values = piece.bytes('value_binary')
    const tos = piece.someBytes('to_address')
    rows += end - start
    for (let row = start; row < end; row++) {
      const number = float64At(numbers, row)
      if (number !== block) {
        block = number
        index = -1
      }
      index += 1
      if (indexes[row] !== index)
        throw badColumn(
          piece.path,
          'transaction_index',
          `row ${piece.first + row} of block ${number} has ${indexes[row]} where ${index} follows: ` +
            'rows are missing or out of order. cryo must write all transactions, without --exclude-failed or an address',
        )
      const to = tos[row] ?? null
      const name = named.get(number)?.get(index)
      if (name === undefined && (inputs[row] !== 0 || to === null)) continue
      const hash = toHex(itemAt(hashes, row))
      if (name !== undefined && name !== hash)
        throw badColumn(
          piece.path,
          'transaction_hash',
          `row ${piece.first + row} of block ${number} has ${hash}, but its logs name ${name}`,
        )
      if (name !== undefined) namedRows += 1
      const transaction = {
        hash,
        from: toHex(itemAt(froms, row)),
        to: to && toHex(to),
        value: toHex(itemAt(values, row)),
        input: inputs[row] === 0 ? EMPTY : SOME,
        transactionIndex: String(index),
      }
      pushTo(byBlock, number, transaction)
    }
  }

  return { visit, found: () => ({ byBlock, rows, namedRows }) }
}

/** The transactions that logs name and that have no row, with their blocks. */
export function missingOf(
  { named }: Pick<FoundLogs, 'named'>,
  byBlock: ReadonlyMap<number, readonly RawTransaction[]>,
) {
  return [...named].flatMap(([block, hashes]) => {
    const there = new Set(byBlock.get(block)?.map(({ hash }) => hash))
    return [...hashes.values()].flatMap((hash) => (there.has(hash) ? [] : [{ block, hash }]))
  })
}
