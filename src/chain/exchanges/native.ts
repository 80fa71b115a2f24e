// The addresses at which a chain logs payments in its native coin. Nobody has their keys, and no other chain has a
// contract there, so they need no preset. Output: the emitters of `native_transfer`.
import { type Address, toAddress } from '../../base/address.ts'
import type { NativeEmitter } from './exchange.ts'

/** EIP-7708: the system address, which logs every payment above zero between two accounts. */
const SYSTEM_ADDRESS = toAddress('0xfffffffffffffffffffffffffffffffffffffffe')
/** ZKsync's base token logs every payment, and that of a fee to the bootloader. (L2BaseToken.sol.) */
const ZKSYNC_COIN = toAddress('0x000000000000000000000000000000000000800a')
const ZKSYNC_BOOTLOADER = toAddress('0x0000000000000000000000000000000000008001')
/**
 * Polygon's coin. Bor logs each payment as a LogTransfer, also those of the contract's own `transfer`. That call logs a
 * Transfer too, a second log of one payment, which is not read. (core/bor_fee_log.go, MRC20.sol.)
 */
const POLYGON_COIN = toAddress('0x0000000000000000000000000000000000001010')

/** Both take fees, or pass a payment on for its sender: no payment to or from them is one between accounts. */
export const NATIVE_ASIDE: readonly Address[] = [ZKSYNC_BOOTLOADER, POLYGON_COIN]

/** The contracts whose logs of this form are payments in the native coin. */
export const nativeEmitters = (
  { nativeLogs = [] }: { nativeLogs?: readonly Address[] | undefined },
  emitter: NativeEmitter,
): readonly Address[] => {
  if (emitter === 'native_bor') return nativeLogs.filter((address) => address === POLYGON_COIN)
  return [SYSTEM_ADDRESS, ZKSYNC_COIN, ...nativeLogs.filter((address) => address !== POLYGON_COIN)]
}
