// What a launch venue says of a token: where it was launched, and who made it, whoever signed or whichever contract minted it.
import type { LogOf } from '../chain/event.ts'
import { creditDeployer, tokenAt, walletAt } from './new-rows.ts'
import type { TokenRecord, WalletRecord } from './rows.ts'
import { touchToken, touchWallet, type Work } from './working-set.ts'

export function applyLaunch(work: Work, log: LogOf<'launched'>): void {
  const venue = work.known.factories.get(log.address)
  if (!venue) return
  const token = tokenAt(work, log.token)
  token.launchpad = venue.launchpad
  touchToken(work, token)
  if (log.creator) nameCreator(work, token, walletAt(work, log.creator))
}

/** Who asked for the token made it. It is said in the block of the token's first mint, whose signer counted until now. */
export function nameCreator(work: Work, token: TokenRecord, creator: WalletRecord): void {
  const before = token.deployerId
  if (before === creator.id || token.partial || token.createdBlock !== work.block.number) return
  token.deployerId = creator.id
  touchToken(work, token)
  if (!token.indexed) return
  creditDeployer(work, creator.id)
  const signer = before === null ? undefined : work.store.wallets.get(before)
  if (!signer) return
  signer.deployedCount -= 1
  touchWallet(work, signer)
}
