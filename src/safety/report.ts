// What a check says. Each statement about the contract carries the call that anybody can repeat; what was not found out is null or
// `not_checked`, never a number.
import type { Address } from '../base/address.ts'
import type { ContractFinding, PowerKind } from '../base/vocabulary.ts'
import type { LogFacts } from './log-facts.ts'

/** A JSON-RPC call as it was sent, with the number of its block: any node that still has the state gives the same answer. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/**
 * How the sale was tried. `simulation`: a purchase and a sale in two blocks (`eth_simulateV1`). `override`: real holders sell, with
 * code of ours at their address (state overrides). `constructor`: code without an address buys and sells. `transfer`: real
 * holders send to the pool, and nothing else was possible.
 */
export const SELL_METHODS = ['simulation', 'override', 'constructor', 'transfer'] as const
export type SellMethod = (typeof SELL_METHODS)[number]

/** Why the sale was not tried, or not wholly. */
export const NOT_CHECKED_REASONS = [
  'no_pool',
  'no_holders',
  'exchange_not_supported',
  'node_cannot_simulate',
  'node_failed',
  'out_of_time',
] as const
export type NotCheckedReason = (typeof NOT_CHECKED_REASONS)[number]

export interface SellCheck {
  status: 'checked' | 'not_checked'
  /** Null where it is not known. */
  sellable: boolean | null
  /** Whether a stranger could buy; null where it is not known. */
  buyable: boolean | null
  /** What the trial lost between what left and what arrived, 0 to 100. */
  buyTaxPct: number | null
  sellTaxPct: number | null
  /** The same of real trades, from their logs. */
  measuredSellTaxPct: number | null
  holdersTried: number
  holdersBlocked: number
  /** The block as of whose end everything was asked. */
  checkedBlock: number
  method: SellMethod | null
  reason: NotCheckedReason | null
  /** What the contract said when it refused, without control characters; empty when nothing was said. */
  refusal: string
  /** The call that shows it: the refused sale where there is one, else the trial. */
  call: RpcCall | null
}

/** Who holds a power. `code`: the address stands in the code. `anyone`: the function asks for nobody. `time`: nobody has to act. */
export const HOLDER_KINDS = ['account', 'contract', 'multisig', 'timelock', 'anyone', 'time', 'unknown'] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]

export interface Power {
  kind: PowerKind
  /** Its signature where the selector is known, else the selector. */
  function: string
  /** The contract that has the function: the token, or one that it asks. */
  contract: Address
  holder: Address | null
  holderKind: HolderKind
  /** Whether nobody is left who could use it. */
  renounced: boolean
  /** How long the holder must wait between announcing and doing it; 0 where it need not wait or nobody knows. */
  delaySeconds: number
  /** The holder is not the owner that the contract names, or the function's name says something else. */
  hidden: boolean
  /** Whether it was tried and did harm, or is concluded from the function's name. */
  proven: boolean
  /** The trial; null where the power is concluded from the code. */
  call: RpcCall | null
}

/** Whether functions were tried: `some` where bounds left a part out; `none`: the powers are what names tell. */
export type PowersTried = 'all' | 'some' | 'none'

/** What kind of proxy: null is none. */
export type ProxyKind = 'eip1967' | 'eip1967_beacon' | 'eip1822' | 'eip1167' | 'diamond' | 'zeppelin'

export interface CodeFacts {
  /** Keccak-256 of the token's own code. */
  hash: `0x${string}`
  proxy: ProxyKind | null
  implementation: Address | null
  /** Keccak-256 of the implementation's code; that of the token where there is no proxy. */
  implementationHash: `0x${string}`
  /** What `owner()` or `getOwner()` says; null where neither answers. */
  owner: Address | null
  /** Who may switch the implementation, as far as storage tells. */
  admin: Address | null
  /** It is a minimal clone of `implementation`, byte for byte as EIP-1167 has it: nobody can switch it. */
  verifiedClone: boolean
  /** The selectors that it answers to. */
  selectors: readonly string[]
}

export interface SafetyFinding {
  name: ContractFinding
  /** The least risk that a token with this finding has, 0 to 100; 0: it only calls for a look. */
  strength: number
  /** The numbers of the sentence, such as `pct` or `tried`. */
  numbers: Readonly<Record<string, number>>
  /** The power that it is about. */
  power: Power | null
  call: RpcCall | null
}

export interface SafetyReport {
  token: Address
  /** The time of the checked block, in seconds since 1970; null where the node did not tell. */
  checkedAt: number | null
  sellCheck: SellCheck
  /** The gravest first. Null: the code was not looked into. */
  powers: readonly Power[] | null
  /** A later check is handed it with powers and code. */
  powersTried: PowersTried
  code: CodeFacts | null
  /** Of the sampled holders, those whose balance by the contract is under a tenth of the ledger's; null: not asked. */
  balancesDiffer: { asked: number; differ: number } | null
  logs: LogFacts | null
  /** The strongest first. */
  findings: readonly SafetyFinding[]
  /** The strength of the strongest finding; 0 for none. */
  floor: number
  /** Whether everything was looked at; where not, no confidence is high. */
  complete: boolean
  /** How many calls the node was asked. */
  calls: number
}
