// Records an event: numbers it in every list in which it appears, and counts it on its token, wallet and position.
import { toMicroUsd } from '../base/amount.ts'
import { DIRECTION_ID, type Direction, EVENT_TYPE_ID, type EventType } from '../base/vocabulary.ts'
import type { DecodedLog } from '../chain/event.ts'
import { indexWallet, isZero, positionAt } from './new-rows.ts'
import { noteSwap } from './periods.ts'
import type { Counts, PoolRecord, TokenRecord, WalletRecord } from './rows.ts'
import { affect, touchPosition, touchToken, touchWallet, type Work } from './working-set.ts'

/** The content of an event; `amountUsd` is rounded to micro-dollars. */
export interface Happening {
  type: EventType
  direction: Direction | null
  log: DecodedLog
  token: TokenRecord
  wallet: WalletRecord
  pool: PoolRecord | null
  counterparty: WalletRecord | null
  quantity: number
  amountUsd: number
}

/** Records the event. Its token must be indexed. */
export function emit(work: Work, happening: Happening): void {
  const { type, direction, log, token, wallet, pool, counterparty, quantity, amountUsd } = happening
  const { block } = work
  const id = EVENT_TYPE_ID[type]
  indexWallet(work, wallet)
  if (counterparty && !isZero(counterparty.address)) indexWallet(work, counterparty)
  const [n, typeN] = count(block.counts, id)
  const [tokenN, tokenTypeN] = count(token.counts, id)
  const [walletN, walletTypeN] = count(wallet.counts, id)
  if (!isZero(wallet.address)) {
    const position = positionAt(work, token, wallet)
    count(position.counts, id)
    touchPosition(work, position)
  }
  touchToken(work, token)
  touchWallet(work, wallet)
  work.changes.events.add({
    n,
    typeN,
    blockNumber: block.number,
    logIndex: log.logIndex,
    tokenId: token.id,
    tokenN,
    tokenTypeN,
    walletId: wallet.id,
    walletN,
    walletTypeN,
    poolId: pool?.id ?? null,
    counterpartyId: counterparty?.id ?? null,
    type: id,
    direction: direction && DIRECTION_ID[direction],
    quantity,
    amountUsd,
    time: block.time,
    txHash: log.txHash,
  })
  if (type === 'swap') {
    wallet.lastTradeAt = block.time
    const microUsd = toMicroUsd(amountUsd)
    affect(work, token, microUsd, 0)
    noteSwap(work, token, direction === 'buy', microUsd)
  }
}

/** Counts one event of a type; returns its number among all events, and among those of its type. */
function count(counts: Counts, type: number): [n: number, typeN: number] {
  const n = ++counts[0]
  const typeN = (counts[type] ?? 0) + 1
  counts[type] = typeN
  return [n, typeN]
}
