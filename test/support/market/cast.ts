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

export type Role = 'smart_money' | 'sniper' | 'liquidity_provider' | 'whale' | 'bot' | 'developer' | 'sybil' | 'washer'
