// Collects the names in a batch of blocks, transaction by transaction, log by log. It runs before anything is applied.
import type { Address } from '../base/address.ts'
import type { ChainBlock, DecodedLog, Transaction } from '../chain/event.ts'
import { handlerOf } from './logs/logs.ts'
import { newScan, positionOf, type Scan } from './logs/scan.ts'
import { calledMover, possibleTraders } from './logs/traders.ts'
import { findPositions } from './pools/position-tokens.ts'
import type { Grouped } from './rows/group.ts'
import type { Known } from './rows/known.ts'

/** Scans the blocks' transactions; `transactions` come from `group`, block by block. */
export function scanBlocks(known: Known, blocks: readonly ChainBlock[], transactions: readonly Grouped[]): Scan {
  const found = newScan()
  for (const [at, { number }] of blocks.entries()) {
    found.block = number
    for (const [transaction, logs] of transactions[at] ?? []) scanTransaction(known, found, transaction, logs)
  }
  return found
}

function scanTransaction(known: Known, found: Scan, transaction: Transaction, logs: DecodedLog[]): void {
  const { from, to, plain, value } = transaction
  found.wallets.add(from)
  if (to && (logs.length > 0 || (plain && value > 0n))) found.wallets.add(to)
  const called = calledMover(transaction, logs)
  const possible = possibleTraders(transaction, logs)
  for (const trader of possible) found.wallets.add(trader)
  const traders = [from, ...possible]
  if (called !== null && !possible.includes(called)) traders.push(called)
  if (called !== null) noteCalled(found, called)
  const around = { known, traders }
  for (const log of logs) handlerOf(log).scan?.(found, log, around)
  scanPositions(known, found, traders, logs)
}

function noteCalled({ called, block }: Scan, address: Address): void {
  const blocks = called.get(address)
  if (!blocks) called.set(address, [block])
  else if (blocks.at(-1) !== block) blocks.push(block)
}

/** A sender or receiver of a position token may be its owner when its liquidity changes; so may the trader. */
function scanPositions(known: Known, found: Scan, traders: readonly Address[], logs: readonly DecodedLog[]): void {
  const positions = findPositions(known, logs)
  if (positions.size === 0) return
  for (const log of logs) {
    const key = positions.get(log.logIndex)
    if (!key) continue
    const { pools, wallets } = positionOf(found, key.manager, key.number)
    pools.add(log.kind === 'v4_modify' ? log.pool : log.address)
    for (const trader of traders) wallets.add(trader)
  }
}
