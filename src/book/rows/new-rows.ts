// Creates the rows of addresses seen for the first time: tokens, wallets, positions. Ids continue from the newest block
// in the order of the chain, so that any two runs assign the same ids.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import { hasDollar } from './funded.ts'
import { newPosition, newToken, newWallet, type PositionRecord, type TokenRecord, type WalletRecord } from './rows.ts'
import { askAgain } from './told.ts'
import {
  holdingKey,
  need,
  tokenOf,
  touchPosition,
  touchToken,
  touchWallet,
  type Work,
  walletOf,
} from './working-set.ts'

/** The token at an address. On first sight it is created with the metadata that its contract reports. */
export function tokenAt(work: Work, address: Address): TokenRecord {
  const token = work.store.tokens.find(address)
  if (token) return token
  const { name, symbol, decimals, openingSupply } = need(work.found.tokens.get(address), 'metadata of token', address)
  const stable = work.known.stablecoins.has(address) && decimals !== null
  const fresh = blankToken(work, address)
  const supply = { supply: openingSupply ?? 0n, unlogged: openingSupply, partial: Boolean(openingSupply) }
  const told = { toldBlock: work.block.number, toldAt: work.block.time }
  return addToken(work, Object.assign(fresh, { name, symbol, decimals, ...supply, ...told, priceUsd: stable ? 1 : 0 }))
}

/** Whether the token may be older than the start block. Otherwise a part of its supply was made without a log. */
export const isOlder = ({ startBlock }: Work, { partial }: TokenRecord): boolean => partial && startBlock > 0

/**
 * Creates the share token of a V3 pool, which has none of its own: it gets the pool's address, and liquidity is its raw
 * unit.
 */
export const addLiquidityToken = (work: Work, address: Address): TokenRecord =>
  addToken(work, Object.assign(blankToken(work, address), { kind: 'lp', decimals: 0 } as const))

function addToken(work: Work, token: TokenRecord): TokenRecord {
  work.store.tokens.add(token.id, token, token.address)
  work.holders.set(token.id, [])
  work.store.poolsOfBase.add(token.id, [])
  touchToken(work, token)
  return token
}

function blankToken(work: Work, address: Address): TokenRecord {
  const token = newToken()
  token.id = ++work.block.lastTokenId
  token.address = own(address)
  token.createdAt = work.block.time
  token.createdBlock = work.block.number
  return token
}

/** The wallet at an address, created on first sight. */
export function walletAt(work: Work, address: Address, kind: WalletKind = 'account'): WalletRecord {
  const known = work.store.wallets.find(address)
  if (known) return known
  const wallet = newWallet()
  wallet.id = ++work.block.lastWalletId
  wallet.address = own(address)
  wallet.kind = work.known.kinds.get(address) ?? kind
  wallet.firstSeenAt = work.block.time
  wallet.firstSeenBlock = work.block.number
  wallet.updatedAt = work.block.time
  work.store.wallets.add(wallet.id, wallet, wallet.address)
  touchWallet(work, wallet)
  return wallet
}

/** Settles for good that whoever signed a transaction or an operation is an account, also where it has code. */
export function learnSigner(work: Work, wallet: WalletRecord): void {
  learnKind(work, wallet, 'account')
  if (wallet.signed) return
  wallet.signed = true
  touchWallet(work, wallet)
}

/** Acts of other accounts that a wallet pays for before it is a relayer [G]. */
export const RELAYER_ACTS = 3

/** Counts an act of another account that the wallet paid for. A relayer is visible in the API. */
export function noteRelay(work: Work, wallet: WalletRecord): void {
  wallet.relayedCount += 1
  touchWallet(work, wallet)
  if (wallet.relayedCount >= RELAYER_ACTS) indexWallet(work, wallet)
}

/** Learns of the address that a transaction calls: its code told what it is, or else it is a contract. */
export function learnCalled(work: Work, wallet: WalletRecord): void {
  const told = work.found.codes.get(wallet.address)
  const isAccount = told && told.block <= work.block.number ? told.isAccount : null
  if (isAccount) learnSigner(work, wallet)
  else learnKind(work, wallet, 'contract')
  if (isAccount !== false || wallet.signed !== null) return
  wallet.signed = false
  touchWallet(work, wallet)
}

/**
 * Updates the kind of an address. Kinds from the preset and from a pool's factory are never overwritten. An account that
 * signed stays one: it may have code that logs and that others call (EIP-7702).
 */
export function learnKind(work: Work, wallet: WalletRecord, kind: 'account' | 'contract' | 'pool'): void {
  if (kind === 'contract' && wallet.signed) return
  if (wallet.kind === kind || (wallet.kind !== 'account' && wallet.kind !== 'contract')) return
  wallet.kind = kind
  touchWallet(work, wallet)
}

/**
 * The position of a wallet in a token. If no log told a part of the token's supply, the opening balance was read from
 * the node.
 */
export function positionAt(work: Work, token: TokenRecord, wallet: WalletRecord): PositionRecord {
  const known = work.store.positions.get(token.id, wallet.id)
  if (known) return known
  const opening = token.partial ? (work.found.openings.get(holdingKey(token.address, wallet.address)) ?? 0n) : 0n
  const position = newPosition()
  position.tokenId = token.id
  position.walletId = wallet.id
  position.balance = opening
  position.firstAt = work.block.time
  position.lastAt = work.block.time
  work.store.positions.add(token.id, wallet.id, position)
  work.holders.get(token.id)?.push(wallet.id)
  touchPosition(work, position)
  if (token.indexed) indexWallet(work, wallet)
  if (opening > 0n) addOldHolder(work, position, opening)
  return position
}

/** Counts a holder from before the start block. It also counts one hour ago, because it is not growth. */
export function addOldHolder(work: Work, position: PositionRecord, opening: bigint): void {
  const [token, wallet] = [tokenOf(work, position.tokenId), walletOf(work, position.walletId)]
  token.holderCount += 1
  if (wallet.kind === 'account' && hasDollar(token, opening)) {
    position.funded = true
    token.fundedHolderCount += 1
    token.fundedHolderCount1hAgo += 1
  }
  if (wallet.kind === 'locker') token.locked += opening
  else if (work.known.burn.has(wallet.address)) token.burned += opening
  touchToken(work, token)
}

/** Makes the wallet visible in the API. */
export function indexWallet(work: Work, wallet: WalletRecord): void {
  if (wallet.indexed) return
  wallet.indexed = true
  work.block.walletCount += 1
  touchWallet(work, wallet)
  work.changes.dueWallets.add(wallet.id)
}

/** Makes the token visible in the API, with every wallet that has ever held it. */
export function indexToken(work: Work, token: TokenRecord): void {
  if (token.indexed) return
  token.indexed = true
  askAgain(work, token, 0n)
  work.block.tokenCount += 1
  touchToken(work, token)
  work.changes.dueTokens.add(token.id)
  for (const id of need(work.holders.get(token.id), 'holders of token', token.id)) {
    indexWallet(work, need(work.store.wallets.get(id), 'wallet', id))
  }
  if (token.deployerId !== null) creditDeployer(work, token.deployerId)
}

/** Counts an indexed token for the wallet that signed its first mint. */
export function creditDeployer(work: Work, walletId: number): void {
  const deployer = need(work.store.wallets.get(walletId), 'wallet', walletId)
  deployer.deployedCount += 1
  touchWallet(work, deployer)
}

/** Copies the text, because a slice would keep the provider's whole answer in memory. */
export const own = (address: Address): Address => Buffer.from(address, 'latin1').toString('latin1') as Address

export const isZero = (address: Address): boolean => address === ZERO_ADDRESS
