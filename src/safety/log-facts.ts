// Numbers about a token's contract from its logs. `safety/logs` measures them; the judgement reads them.
import type { Address, Hash } from '../base/address.ts'

export interface LogFacts {
  /** Seconds since 1970. */
  from: number
  to: number
  /** The block in which strangers could first trade. */
  launchedBlock: number
  buys: number
  sells: number
  /** Accounts that bought a day or more before the end, and how many of them ever sold. */
  oldBuyers: number
  oldBuyersThatSold: number
  /** The accounts that sold, and those that bought, within the last day of the window; without insiders. */
  sellersOfLastDay: number
  buyersOfLastDay: number
  /** Buys since the last sale of an outsider, and the probability of so long a run by chance, 0 to 1. */
  buyRun: number
  buyRunChance: number
  /** Transfers out of plain accounts that neither signed nor, if known, ever approved anybody; the newest 8 first. */
  taken: readonly TakenTransfer[]
  takenCount: number
  /** Whether the logs of approvals were read; else a check asks the node for those of the newest such transfers. */
  approvalsKnown: boolean
  /** Raw units minted a day or more after launch, and their share of the supply before them, in percent. */
  lateMinted: bigint
  lateMintedPct: number
  /**
   * Accounts whose sum of transfers fell below zero, so that a balance has no source; null if the window is not the
   * whole history.
   */
  negativeBalances: number | null
}

export interface TakenTransfer {
  txHash: Hash
  block: number
  from: Address
  to: Address
  signer: Address
  amount: bigint
}
