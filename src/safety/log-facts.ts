// What logs of a token tell about its contract, as numbers. `safety/logs` measures them; the judgement reads them.
import type { Address, Hash } from '../base/address.ts'

export interface LogFacts {
  /** Seconds since 1970. */
  from: number
  to: number
  buys: number
  sells: number
  /** What was lost between leaving and arriving, 0 to 100: the middle of the last trades; null where there were none. */
  buyTaxPct: number | null
  sellTaxPct: number | null
  /** The largest change of either tax between two neighbouring stretches of trades, in points. */
  taxChangePct: number
  /** Accounts that bought a day or more before the end, and how many of them ever sold. */
  oldBuyers: number
  oldBuyersThatSold: number
  /** The accounts that sold, and those that bought, within the last day of the window; insiders are not counted. */
  sellersOfLastDay: number
  buyersOfLastDay: number
  /** Buys since the last sale of somebody who is no insider, and how likely so long a run is by chance, 0 to 1. */
  buyRun: number
  buyRunChance: number
  /** Transfers out of accounts that neither signed the transaction nor ever approved anybody, newest first; at most 8. */
  taken: readonly TakenTransfer[]
  takenCount: number
  /** Raw units minted a day or more after launch, and their share of the supply before them, in percent. */
  lateMinted: bigint
  lateMintedPct: number
  /** Accounts whose sum of transfers is below zero: a balance came from nowhere. */
  negativeBalances: number
}

export interface TakenTransfer {
  txHash: Hash
  block: number
  from: Address
  to: Address
  signer: Address
  amount: bigint
}
