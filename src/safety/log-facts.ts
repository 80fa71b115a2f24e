// Numbers about a token's contract from its logs. `safety/logs` measures them; the judgement reads them.
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
  /** Raw units minted to the deployer or owner a day or more after launch; their share of the supply before, in percent. */
  lateMinted: bigint
  lateMintedPct: number
}
