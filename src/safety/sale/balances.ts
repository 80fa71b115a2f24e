// Balances by the contract beside those by the ledger, at the end of the same block. Input: holders. Output: both
// amounts of each, and which holders lost theirs.
import type { Address } from '../../base/address.ts'
import { readUint, SELECTORS } from '../../chain/contracts/abi.ts'
import { callData } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyHolder } from '../target.ts'
import type { SampledHolder } from './sample.ts'

export interface HeldBalance {
  holder: Address
  /** Raw units, by the ledger. */
  expected: bigint
  /** By the contract; null if it does not answer. */
  found: bigint | null
  call: RpcCall
}

export const balanceCalls = (asker: Asker, token: Address, holders: readonly SafetyHolder[]): RpcCall[] =>
  holders.map(({ address }) => ({
    method: 'eth_call',
    params: [{ to: token, data: callData(SELECTORS.balanceOf, address), gas: READ_GAS }, asker.block.tag],
  }))

export async function askBalances(
  asker: Asker,
  token: Address,
  holders: readonly SafetyHolder[],
): Promise<HeldBalance[]> {
  const replies = await asker.ask(balanceCalls(asker, token, holders))
  return holders.flatMap(({ address, balance }, at) => {
    const reply = replies[at]
    if (!reply || reply.kind === 'failed') return []
    const found = reply.kind === 'result' ? readUint(reply.result) : null
    return [{ holder: address, expected: balance, found, call: reply.call }]
  })
}

/** A balance under this part of the ledger's is gone. */
const GONE_PARTS = 10n
/** Fewer prove nothing. */
export const MIN_GONE = 3

/** Holders whose balance by the contract is under a tenth of that by logs. */
export const isGone = ({ expected, found }: HeldBalance): boolean => found !== null && found * GONE_PARTS < expected

/** Most balances are gone: nobody can sell them. */
export function areGone(balances: readonly HeldBalance[]): boolean {
  const gone = balances.filter(isGone).length
  return gone >= MIN_GONE && gone * 2 > balances.length
}

/** Rounding moves less than this part of a balance. */
const MOVED_PARTS = 10_000n

/** Holders that have more or less than the ledger says, and are not left with nothing. */
export const isMoved = (balance: HeldBalance): boolean => {
  const { expected, found } = balance
  if (found === null || isGone(balance)) return false
  return (found > expected ? found - expected : expected - found) * MOVED_PARTS > expected
}

/** Holders with less than the amount of their trial sale: a refusal of those is no evidence. */
export async function findPoor(asker: Asker, token: Address, refused: readonly SampledHolder[]): Promise<Set<Address>> {
  const amounts = new Map(refused.map(({ address, amount }) => [address, amount]))
  const held = await askBalances(asker, token, refused)
  return new Set(
    held.flatMap(({ holder, found }) => (found !== null && found < (amounts.get(holder) ?? 0n) ? [holder] : [])),
  )
}
