// The participants of the market. Addresses are derived from names, so they are the same in every recording.
import { type Address, keccak256, toBytes } from 'viem'

/** The address that belongs to a name. */
export const wallet = (name: string): Address => `0x${keccak256(toBytes(`assay demo: ${name}`)).slice(-40)}`
const wallets = (name: string, count: number): Address[] =>
  Array.from({ length: count }, (_, i) => wallet(`${name} ${i + 1}`))

export const DEAD = '0x000000000000000000000000000000000000dead' as Address

export const CAST = {
  founder: wallet('founder'),
  exchanges: [wallet('exchange Northgate'), wallet('exchange Kelp')],
  locker: wallet('locker Deepvault'),
  /** Ordinary people, in pairs for their few transfers. */
  crowd: wallets('crowd', 280),
  /** Buy good tokens early and sell them higher. */
  smart: wallets('smart', 6),
  snipers: wallets('sniper', 3),
  providers: wallets('provider', 4),
  whale: wallet('whale'),
  bot: wallet('bot'),
  washers: wallets('washer', 4),
  washFunder: wallet('wash funder'),
  sybilsOne: wallets('sybil one', 16),
  sybilsTwo: wallets('sybil two', 24),
  sybilFunders: wallets('sybil funder', 2),
} as const

/** Who came later, to the tokens of `newcomers.ts` alone. */
export const NEWCOMERS = {
  builder: wallet('builder'),
  /** Ordinary people, each with a few tokens. */
  settlers: wallets('settler', 220),
  /** Provide liquidity in ranges, and hand positions on. */
  stewards: wallets('steward', 4),
  treasury: wallet('treasury'),
  backers: wallets('backer', 6),
  arbitrageur: wallet('arbitrageur'),
  /** Own smart accounts, which bundlers act for. */
  owners: wallets('owner of an account', 8),
  bundlers: wallets('bundler', 2),
  relayer: wallet('relayer'),
  savers: wallets('saver', 4),
  solver: wallet('solver'),
  customers: wallets('customer', 4),
  shoppers: wallets('shopper', 4),
} as const

/** Trade only the tokens of `traps.ts`. */
export const VISITORS = wallets('visitor', 90)

export type Role =
  | 'smart_money'
  | 'sniper'
  | 'liquidity_provider'
  | 'whale'
  | 'bot'
  | 'developer'
  | 'sybil'
  | 'washer'
  | 'smart_account'
  | 'bundler'
  | 'relayer'
  | 'solver'
