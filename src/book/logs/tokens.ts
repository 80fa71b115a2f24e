// Transfers, and how the wrapped native coin is minted and burned.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { toUsd } from '../../base/amount.ts'
import { LINK_KIND_ID } from '../../base/vocabulary.ts'
import type { LogOf } from '../../chain/event.ts'
import { type Ends, learnDeployer, move, quantityOf } from '../balances/balance.ts'
import { acquaint, isSameOwner } from '../balances/wallet-links.ts'
import { emit } from '../rows/events.ts'
import { isDust } from '../rows/funded.ts'
import { isZero, learnKind, tokenAt, walletAt } from '../rows/new-rows.ts'
import { worthUsd } from '../rows/payable.ts'
import type { WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import type { LogHandlers } from './handler.ts'
import { scanMove } from './scan.ts'
import type { TransactionState } from './transaction-state.ts'

export const TOKEN_LOGS: LogHandlers<'transfer' | 'deposit' | 'withdrawal' | 'native_transfer' | 'fee_paid'> = {
  transfer: { scan: (found, log) => scanMove(found, log.address, log), apply: transfer },
  native_transfer: {
    scan: ({ wallets }, { from, to }) => wallets.add(from).add(to),
  },
  fee_paid: { scan: (found, log) => scanMove(found, log.address, log), apply: payFee },
  deposit: {
    scan: (found, { address, to, amount }, { known }) => {
      if (address === known.wrappedNative) scanMove(found, address, { from: ZERO_ADDRESS, to, amount })
    },
    apply: (work, log, state) => wrap(work, log, [ZERO_ADDRESS, log.to], state),
  },
  withdrawal: {
    scan: (found, { address, from, amount }, { known }) => {
      if (address === known.wrappedNative) scanMove(found, address, { from, to: ZERO_ADDRESS, amount })
    },
    apply: (work, log, state) => wrap(work, log, [log.from, ZERO_ADDRESS], state),
  },
}

function transfer(work: Work, log: LogOf<'transfer'>, state: TransactionState): void {
  const { from, to, amount } = log
  const token = tokenAt(work, log.address)
  // The first wrap mints the wrapped coin, but its sender is not the deployer.
  if (isZero(from) && amount > 0n && log.address !== work.known.wrappedNative)
    learnDeployer(work, token, state.claimant ?? state.sender, state.self.signer)
  if (token.kind === 'lp' && amount > 0n) work.changes.dueShares.add(token.id)
  if (amount === 0n) return
  const moved = move(work, token, log, state.moved)
  noteEnds(work, state, moved)
  if (state.isLeg(from, to)) return
  const wallet = moved.from ?? walletAt(work, from)
  const counterparty = moved.to ?? walletAt(work, to)
  // Read before the transfers become links: a transfer does not prove its own link, or losses could be sent to any new
  // wallet.
  const isOwn = isSameOwner(wallet, counterparty)
  const isSigned = from === state.transaction.from && !isTax(state, log)
  if (isSigned && !isDust(token, amount)) acquaint(work, wallet, counterparty, linkKind(work, token.address))
  state.effects.sent.push({ token, from: wallet, to: counterparty, amount, isOwn })
  if (!token.indexed) return
  const quantity = quantityOf(token, amount)
  const amountUsd = toUsd(worthUsd(work, token, quantity))
  const by = { wallet, signer: wallet, attribution: 'signer' } as const
  const sides = { by, counterparty, pool: null }
  emit(work, { type: 'transfer', direction: null, log, token, ...sides, quantity, amountUsd, part: 0 })
}

/** The native coin's own ERC-20 moves the native coin. */
const linkKind = ({ known }: Work, token: Address): number =>
  token === known.nativeToken?.address ? LINK_KIND_ID.native : LINK_KIND_ID.token

/** A fee moves a balance, and is worth its price at that time. It is no event, no link, and no trade's leg. */
function payFee(work: Work, log: LogOf<'fee_paid'>, state: TransactionState): void {
  if (log.amount === 0n) return
  const token = tokenAt(work, log.address)
  const { from, to } = move(work, token, log, state.moved)
  if (from && to) state.effects.sent.push({ token, from, to, amount: log.amount, isOwn: false })
}

/** Next to a sale of the same token, the contract itself sends on a part; the seller does not choose the receiver. */
function isTax(state: TransactionState, { address }: LogOf<'transfer'>): boolean {
  state.paid ??= new Set(
    state.logs.flatMap((log) =>
      log.kind === 'transfer' && log.from === state.transaction.from && state.isLeg(log.from, log.to)
        ? [log.address]
        : [],
    ),
  )
  return state.paid.has(address)
}

/**
 * The wrapped native token's mint and burn emit Deposit and Withdrawal instead of Transfer. The same events of any
 * other contract are ignored.
 */
function wrap(
  work: Work,
  log: LogOf<'deposit' | 'withdrawal'>,
  [from, to]: readonly [Address, Address],
  state: TransactionState,
): void {
  if (log.address !== work.known.wrappedNative) return
  const token = tokenAt(work, log.address)
  if (log.amount === 0n) return
  noteEnds(work, state, move(work, token, { from, to, amount: log.amount }, state.moved))
}

function noteEnds(work: Work, state: TransactionState, { from, to }: Ends): void {
  for (const wallet of [from, to]) {
    if (wallet?.kind === 'pool' && !state.pools.includes(wallet)) state.pools.push(wallet)
    if (wallet?.kind === 'account' && wallet !== state.sender) learnEmitter(work, state, wallet)
  }
}

/**
 * Only a contract can log, so a holder with logs has no private key. It may be a pair of an unnamed factory, or a token
 * that holds itself.
 */
function learnEmitter(work: Work, state: TransactionState, wallet: WalletRecord): void {
  state.emitters ??= new Set(state.logs.map(({ address }) => address))
  if (state.emitters.has(wallet.address)) learnKind(work, wallet, 'contract')
}
