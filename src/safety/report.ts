// The report of a check. Each statement about the contract has the call that anybody can repeat. Unknown facts are null
// or `not_checked`, never a number.
import type { Address } from '../base/address.ts'
import type { ContractFinding, PowerKind } from '../base/vocabulary.ts'
import type { LogFacts } from './log-facts.ts'

/** A JSON-RPC call with the number of its block: any node that still has the state gives the same answer. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/**
 * The method of the trial sale. `simulation`: a purchase and a sale in two blocks (`eth_simulateV1`). `override`: real
 * holders sell, with code of ours at their address (state overrides). `constructor`: code without an address buys and
 * sells. `transfer`: real holders send to the pool, and nothing else was possible.
 */
export const SELL_METHODS = ['simulation', 'override', 'constructor', 'transfer'] as const
export type SellMethod = (typeof SELL_METHODS)[number]

/** The reason why the sale was not, or not fully, tried. */
export const NOT_CHECKED_REASONS = [
  'no_pool',
  'no_holders',
  'exchange_not_supported',
  'node_cannot_simulate',
  'node_failed',
  'out_of_time',
  'just_bought',
] as const
export type NotCheckedReason = (typeof NOT_CHECKED_REASONS)[number]

export interface SellCheck {
  status: 'checked' | 'not_checked'
  /** Null if unknown. */
  sellable: boolean | null
  /** Whether a stranger could buy; null if unknown. */
  buyable: boolean | null
  /** The trial's loss between sending and arriving, 0 to 100. */
  buyTaxPct: number | null
  sellTaxPct: number | null
  /** The same of real trades, from their logs. */
  measuredSellTaxPct: number | null
  holdersTried: number
  holdersBlocked: number
  /** The block at whose end all calls ran. */
  checkedBlock: number
  method: SellMethod | null
  reason: NotCheckedReason | null
  /** The contract's reason for a refusal, without control characters; empty without one. */
  refusal: string
  /** The call that proves it: the refused sale if there is one, else the trial. */
  call: RpcCall | null
}

/**
 * The holder of a power. `anyone`: the function admits every caller. `time`: nobody has to act. `nobody_known`: it
 * refuses the deployer and all other known accounts as it refuses a stranger. `empty_address`: whoever brings code to an
 * address that has none.
 */
export const HOLDER_KINDS = [
  'account',
  'contract',
  'multisig',
  'timelock',
  'anyone',
  'time',
  'nobody_known',
  'empty_address',
  'unknown',
] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]

export interface Power {
  kind: PowerKind
  /** Its signature if the selector is known, else the selector. */
  function: string
  /** The contract of the function: the token, or one that it calls. */
  contract: Address
  holder: Address | null
  holderKind: HolderKind
  /** Whether the power has no holder any more. */
  renounced: boolean
  /** The delay between the announcement and the act; 0 for no delay or an unknown one. */
  delaySeconds: number
  /** The holder is not the owner that the contract names, or the function's name means something else. */
  hidden: boolean
  /** Only an entry of a mapping admits the holder: without it the function refuses. Absent: not shown. */
  byMapping?: boolean
  /** Whether a trial did harm; else it is concluded from the function's name. */
  proven: boolean
  /** The trial, or the code that has the named function; null for a switch that a proxy hides. */
  call: RpcCall | null
}

/** Whether functions were tried: `some` if bounds left a part out; `none`: the powers are known by names only. */
export type PowersTried = 'all' | 'some' | 'none'

/**
 * The kind of proxy; null for none. `eip1167`: a clone, of whatever bytes. `custom`: its code lacks `transfer`, and a
 * transfer runs code of another contract.
 */
export type ProxyKind = 'eip1967' | 'eip1967_beacon' | 'eip1822' | 'eip1167' | 'diamond' | 'zeppelin' | 'custom'

/** Tokens that the chain itself runs, by their standard: B20 of Base, CAS20 of BSC. */
export const NATIVE_KINDS = ['b20', 'cas20'] as const
export type NativeKind = (typeof NATIVE_KINDS)[number]

/** Why not all powers could be read: then a power that is not listed is unknown. */
export const UNREAD_REASONS = ['no_code', 'not_evm_code', 'too_long', 'no_functions', 'roles_unknown'] as const
export type UnreadReason = (typeof UNREAD_REASONS)[number]

export interface CodeFacts {
  /** Keccak-256 of the token's own code. */
  hash: `0x${string}`
  proxy: ProxyKind | null
  implementation: Address | null
  /** Keccak-256 of the implementation's code; without a proxy, that of the token. */
  implementationHash: `0x${string}`
  /** The result of `owner()` or `getOwner()`; null if neither answers. */
  owner: Address | null
  /** The account that may replace the implementation, by storage. */
  admin: Address | null
  /** Its code passes every call on to `implementation`, which stands in it: nobody can replace it. */
  verifiedClone: boolean
  /** The selectors that it answers to. */
  selectors: readonly string[]
  /** Null: its functions, or its roles and policies, were read. */
  unread: UnreadReason | null
  /** Null: a contract. */
  native: NativeKind | null
}

export interface SafetyFinding {
  name: ContractFinding
  /** The least risk of a token with this finding, 0 to 100; 0: it is only a hint. */
  strength: number
  /** The numbers of the sentence, such as `pct` or `tried`. */
  numbers: Readonly<Record<string, number>>
  /** The power of the finding. */
  power: Power | null
  call: RpcCall | null
}

/** Balances by the contract beside the sums of the token's Transfers. */
export interface BalancesDiffer {
  asked: number
  /** Holders with under a tenth of the sum. */
  differ: number
  /** Other holders that have more or less than the sum, as those of a token that rebases. */
  moved: number
}

/** ERC-8056: a token shows raw amounts times this. */
export interface Multiplier {
  value: number
  /** Scheduled; null: none is. */
  next: { value: number; effectiveAt: number } | null
  /** The value times 1e18, exactly. */
  raw: string
}

export interface SafetyReport {
  token: Address
  /** The time of the checked block, in seconds since 1970; null if the node did not return it. */
  checkedAt: number | null
  sellCheck: SellCheck
  /** The gravest first. Null: nothing was read that could show one. Empty only beside a list of sources. */
  powers: readonly Power[] | null
  /** Contracts with their functions, or roles, policies and features. */
  powersRead: readonly string[]
  /** A later check gets it with powers and code. */
  powersTried: PowersTried
  code: CodeFacts | null
  /** Of the sampled holders, by contract and ledger; null: not asked. */
  balancesDiffer: BalancesDiffer | null
  /** Null: it has none, or was not asked. */
  multiplier: Multiplier | null
  logs: LogFacts | null
  /** The strongest first. */
  findings: readonly SafetyFinding[]
  /** The strength of the strongest finding; 0 for none. */
  floor: number
  /** Whether the check finished; if not, no confidence is high. */
  complete: boolean
  /** The number of calls to the node. */
  calls: number
}
