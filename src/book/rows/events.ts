// One event of the API. It is numbered in every scope that reads it, and counted on its token, wallet and position; a
// transfer on both of its sides.
import { toMicroUsd } from '../../base/amount.ts'
import {
  ATTRIBUTION_ID,
  type Attribution,
  DIRECTION_ID,
  type Direction,
  EVENT_TYPE_ID,
  type EventType,
} from '../../base/vocabulary.ts'
import type { DecodedLog } from '../../chain/event.ts'
import { indexWallet, isZero, positionAt } from './new-rows.ts'
import { noteSwap } from './periods.ts'
import type { Counts, PoolRecord, TokenRecord, WalletRecord } from './rows.ts'
import { touchPosition, touchToken, touchWallet, type Work } from './working-set.ts'

/** The wallet of an event, the evidence for it, and the signer of the transaction. */
export interface Actor {
  wallet: WalletRecord
  signer: WalletRecord
  attribution: Attribution
}

/** The content of an event; `amountUsd` is rounded to micro-dollars. */
export interface Happening {
  type: EventType
  direction: Direction | null
  log: DecodedLog
  token: TokenRecord
  by: Actor
  pool: PoolRecord | null
  counterparty: WalletRecord | null
  quantity: number
  amountUsd: number
  /** The index of the event within its log, from 0. */
  part: number
}

/** Records the event. Its token must be indexed. */
export function emit(work: Work, happening: Happening): void {
  const { type, direction, log, token, by, pool, counterparty, quantity, amountUsd, part } = happening
  const { wallet } = by
  const { block } = work
  const id = EVENT_TYPE_ID[type]
  indexWallet(work, wallet)
  if (counterparty && !isZero(counterparty.address)) indexWallet(work, counterparty)
  count(block.counts, id)
  count(token.counts, id)
  countFor(work, token, wallet, id)
  // A transfer to oneself is one event.
  const receiver = counterparty === wallet ? null : counterparty
  if (receiver) countFor(work, token, receiver, id)
  touchToken(work, token)
  work.changes.events.add({
    n: block.counts[0],
    typeN: countOf(block.counts, id),
    blockNumber: block.number,
    logIndex: log.logIndex,
    tokenId: token.id,
    tokenN: token.counts[0],
    tokenTypeN: countOf(token.counts, id),
    walletId: wallet.id,
    walletN: wallet.counts[0],
    walletTypeN: countOf(wallet.counts, id),
    poolId: pool?.id ?? null,
    counterpartyId: counterparty?.id ?? null,
    counterpartyN: receiver ? receiver.counts[0] : null,
    counterpartyTypeN: receiver ? countOf(receiver.counts, id) : null,
    type: id,
    direction: direction && DIRECTION_ID[direction],
    quantity,
    amountUsd,
    time: block.time,
    txHash: log.txHash,
    part: part === 0 ? null : part,
    attribution: ATTRIBUTION_ID[by.attribution],
    signerId: by.attribution === 'signer' ? null : by.signer.id,
  })
  if (type === 'swap') {
    wallet.lastTradeAt = block.time
    noteSwap(work, token, direction === 'buy', toMicroUsd(amountUsd))
  }
}

/** Counts an event of a wallet, and of the wallet with the token. */
function countFor(work: Work, token: TokenRecord, wallet: WalletRecord, type: number): void {
  if (!isZero(wallet.address)) {
    const position = positionAt(work, token, wallet)
    count(position.counts, type)
    touchPosition(work, position)
  }
  touchWallet(work, wallet)
  count(wallet.counts, type)
}

/**
 * Counts one event of a type. The first count becomes its number, and the count of its type its number among that type.
 */
function count(counts: Counts, type: number): void {
  counts[0] += 1
  counts[type] = countOf(counts, type) + 1
}

const countOf = (counts: Counts, type: number): number => counts[type] ?? 0
