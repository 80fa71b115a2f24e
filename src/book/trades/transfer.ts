// Tokens that change hands: the balances of both parties, and what the Transfer is besides. It may be a leg of a trade,
// a payment, a part of one that the token's contract sends on, or a fee.
import type { Address } from '../../base/address.ts'
import { toUsd } from '../../base/amount.ts'
import { LINK_KIND_ID } from '../../base/vocabulary.ts'
import type { DecodedLog, Transaction } from '../../chain/event.ts'
import { learnDeployer, type Moved, move } from '../balances/balance.ts'
import type { Sent } from '../balances/leaving.ts'
import { acquaint, isSameOwner } from '../balances/wallet-links.ts'
import { quantityOf } from '../rows/circulating.ts'
import { type Actor, emit } from '../rows/events.ts'
import { isDust } from '../rows/funded.ts'
import { isZero, learnKind, tokenAt, walletAt } from '../rows/new-rows.ts'
import { worthUsd } from '../rows/payable.ts'
import type { WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'

/**
 * An amount of the token that logs it. `wrap`: the wrapped native coin, made of coins or turned back. `fee`: it moves a
 * balance, and is worth its price at that time; it is no event, no link, and no trade's leg.
 */
export interface Movement {
  kind: 'moved'
  as: 'transfer' | 'wrap' | 'fee'
  log: DecodedLog
  from: Address
  to: Address
  amount: bigint
}

/** The transaction of a Transfer. */
interface Around {
  transaction: Transaction
  claimant: WalletRecord | null
  self: Actor
  legs: TradeLegs
  isEmitter(address: Address): boolean
}

/** The Transfers of a transaction that belong to its trades. */
export interface TradeLegs {
  isLeg(from: Address, to: Address): boolean
  /** Whether the signer sent the token into a trade. */
  isPaid(token: Address): boolean
}

/** Changes the balances. Returns a Transfer outside of trades. */
export function transfer(work: Work, fact: Movement, around: Around, moved: Moved): Sent | null {
  const { as, log, from, to, amount } = fact
  const { known, changes } = work
  const token = tokenAt(work, log.address)
  if (amount === 0n) return null
  // The first wrap mints the wrapped coin, but its sender is not the deployer.
  if (as === 'transfer' && isZero(from) && log.address !== known.wrappedNative)
    learnDeployer(work, token, around.claimant ?? around.self.wallet, around.self.signer)
  if (as === 'transfer' && token.kind === 'lp') changes.dueShares.add(token.id)
  const ends = move(work, token, fact, moved)
  if (as === 'fee') return ends.from && ends.to && { token, from: ends.from, to: ends.to, amount, isOwn: false }
  learnEmitter(work, around, ends.from)
  learnEmitter(work, around, ends.to)
  if (as === 'wrap' || around.legs.isLeg(from, to)) return null
  const wallet = ends.from ?? walletAt(work, from)
  const counterparty = ends.to ?? walletAt(work, to)
  // Read before the transfers become links: a transfer does not prove its own link, or losses could be sent to any new
  // wallet.
  const isOwn = isSameOwner(wallet, counterparty)
  // Next to a sale of the same token, the contract itself sends on a part; the seller does not choose the receiver.
  const isSigned = from === around.transaction.from && !around.legs.isPaid(log.address)
  // The native coin's own ERC-20 moves the native coin.
  const link = log.address === known.nativeToken?.address ? LINK_KIND_ID.native : LINK_KIND_ID.token
  if (isSigned && !isDust(token, amount)) acquaint(work, wallet, counterparty, link)
  if (token.indexed) {
    const quantity = quantityOf(token, amount)
    const amountUsd = toUsd(worthUsd(work, token, quantity))
    const by = { wallet, signer: wallet, attribution: 'signer' } as const
    const sides = { by, counterparty, pool: null }
    emit(work, { type: 'transfer', direction: null, log, token, ...sides, quantity, amountUsd, part: 0 })
  }
  return { token, from: wallet, to: counterparty, amount, isOwn }
}

/**
 * Only a contract can log, so a holder with logs has no private key. It may be a pair of an unnamed factory, or a token
 * that holds itself.
 */
function learnEmitter(work: Work, { self, isEmitter }: Around, wallet: WalletRecord | null): void {
  if (wallet?.kind === 'account' && wallet !== self.wallet && isEmitter(wallet.address))
    learnKind(work, wallet, 'contract')
}
