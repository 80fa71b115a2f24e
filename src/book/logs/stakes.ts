// Shares that a gauge holds for their owners. The gauge's log names the owner and the amount, and the Transfer in the
// same transaction shows the share token. A gauge's log counts only up to the shares that it received.
import { ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { walletAt } from '../rows/new-rows.ts'
import { newStake, type StakeRecord, type TokenRecord, type WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import type { LogHandlers } from './handler.ts'
import type { Scan } from './scan.ts'
import type { TransactionView } from './transaction-view.ts'

type StakeLog = LogOf<'shares_staked' | 'shares_unstaked'>

export const STAKE_LOGS: LogHandlers<StakeLog['kind']> = {
  shares_staked: { scan, apply },
  shares_unstaked: { scan, apply },
}

function scan(found: Scan, { address: gauge, owner }: StakeLog): void {
  found.wallets.add(gauge)
  found.wallets.add(owner)
  found.stakes.set(`${gauge} ${owner}`, { gauge, owner })
}

function apply(work: Work, log: StakeLog, { logs }: TransactionView): void {
  const token = sharesIn(work, log, logs)
  if (!token || log.owner === ZERO_ADDRESS) return
  const gauge = walletAt(work, log.address, 'contract')
  const row = stakeAt(work, gauge, walletAt(work, log.owner), token)
  if (log.kind === 'shares_staked') row.amount += log.amount
  else row.amount = row.amount > log.amount ? row.amount - log.amount : 0n
  work.changes.stakes.add(row)
  work.changes.dueShares.add(token.id)
}

/** The share token with a transfer of exactly this amount to or from the gauge. */
function sharesIn(work: Work, log: StakeLog, logs: readonly DecodedLog[]): TokenRecord | null {
  const isIn = log.kind === 'shares_staked'
  const moves = (each: DecodedLog): each is LogOf<'transfer'> =>
    each.kind === 'transfer' && each.amount === log.amount && (isIn ? each.to : each.from) === log.address
  for (const each of logs) {
    if (!moves(each)) continue
    const token = work.store.tokens.find(each.address)
    if (token?.kind === 'lp') return token
  }
  return null
}

function stakeAt(work: Work, gauge: WalletRecord, owner: WalletRecord, token: TokenRecord): StakeRecord {
  const known = work.store.stakes.get(gauge.id, owner.id)
  const rows = known ?? []
  if (!known) work.store.stakes.add(gauge.id, owner.id, rows)
  const found = rows.find(({ tokenId }) => tokenId === token.id)
  if (found) return found
  const row = Object.assign(newStake(), { gaugeId: gauge.id, ownerId: owner.id, tokenId: token.id })
  rows.push(row)
  return row
}
