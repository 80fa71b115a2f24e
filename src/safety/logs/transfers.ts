// Facts from transfers: tokens taken without an approval, late mints, balances without a source. Input: transfers in
// the chain's order. Output: numbers. Pure.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { LogFacts } from '../log-facts.ts'
import type { LogWindow } from './window.ts'

const MAX_TAKEN = 8

type TakenFacts = Pick<LogFacts, 'taken' | 'takenCount' | 'approvalsKnown'>

/** Transfers out of plain accounts that neither signed nor, if known, ever approved anybody. */
export function measureTaken({ transfers, contracts, approvers }: LogWindow): TakenFacts {
  const taken = transfers.filter(
    ({ from, signer, amount }) =>
      from !== ZERO_ADDRESS && from !== signer && amount > 0n && !contracts.has(from) && !approvers?.has(from),
  )
  const newest = taken.slice(-MAX_TAKEN).toReversed()
  return {
    taken: newest.map(({ txHash, block, from, to, signer, amount }) => ({ txHash, block, from, to, signer, amount })),
    takenCount: taken.length,
    approvalsKnown: approvers !== null,
  }
}

/** Mints a day or more after launch, compared with the supply before the first of them. */
export function measureMints({
  transfers,
  launchedAt,
  supplyBefore,
}: LogWindow): Pick<LogFacts, 'lateMinted' | 'lateMintedPct'> {
  let supply = supplyBefore
  let lateMinted = 0n
  let base: bigint | null = null
  for (const { from, to, amount, time } of transfers) {
    if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS) {
      if (time >= launchedAt + DAY_SECONDS) {
        base ??= supply
        lateMinted += amount
      }
      supply += amount
    } else if (to === ZERO_ADDRESS && from !== ZERO_ADDRESS) supply -= amount
  }
  const pct = base === null ? 0 : base <= 0n ? 100 : Number((lateMinted * 10_000n) / base) / 100
  return { lateMinted, lateMintedPct: pct }
}

/** Accounts that sent more than they ever received; null where earlier transfers are not in the window. */
export function measureNegative({ transfers, isWhole }: Pick<LogWindow, 'transfers' | 'isWhole'>): number | null {
  if (!isWhole) return null
  const sums = new Map<Address, bigint>()
  const negative = new Set<Address>()
  for (const { from, to, amount } of transfers) {
    const left = (sums.get(from) ?? 0n) - amount
    sums.set(from, left)
    if (left < 0n && from !== ZERO_ADDRESS) negative.add(from)
    sums.set(to, (sums.get(to) ?? 0n) + amount)
  }
  return negative.size
}
