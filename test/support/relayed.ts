// The demo chain as if nobody had sent a call by itself. Each call is relayed, with the logs that real contracts write
// around it. Input: a recording and a way. Output: the recording of the relayed chain. Plain payments of
// the native coin stay as they are, because a relayed one writes no log.
import { keccak256 } from 'viem'
import { type Address, toAddress } from '../../src/base/address.ts'
import { FOR_OTHERS } from '../../src/chain/exchanges/attribution.ts'
import { keccakOfText } from '../../src/chain/keccak.ts'
import type { RecordedBlock, RecordedContract, RecordedLog, Recording } from '../../src/chain/replay/recording.ts'
import { word } from './fake-chain.ts'

/**
 * An account with code (EIP-7702). An entry point (ERC-4337) with one operation, or with up to three. The hub of GSN. A
 * forwarder (ERC-2771) that is configured, or is not.
 */
export const WAYS = ['delegated', 'operation', 'bundle', 'hub', 'forwarded', 'unnamed'] as const
export type Way = (typeof WAYS)[number]

/** Who pays for all calls. */
export const RELAYER = toAddress('0x00000000000000000000000000000000000e1a7e')
const [ENTRY_POINT] = FOR_OTHERS.entry_point
const [HUB] = FOR_OTHERS.relay_hub
/** Its operator names it in the chain's configuration. */
export const FORWARDER = toAddress('0x0000000000000000000000000000000000f02771')

/** The code of an account that delegates to another contract. */
const DELEGATION = `0xef0100${'0123456789abcdef0123456789abcdef01234567'}`

const BEFORE_EXECUTION = keccakOfText('BeforeExecution()')
const USER_OPERATION = keccakOfText('UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)')
const RELAYED = keccakOfText('TransactionRelayed(address,address,address,bytes4,uint8,uint256)')
const FORWARDED = keccakOfText('ExecutedForwardRequest(address,uint256,bool)')

const padded = (value: bigint | string): string => `0x${word(value)}`

type NewLog = Omit<RecordedLog, 'at'>

interface Around {
  /** The address that the relayer calls for the account. */
  to: string
  /** The logs before and after those of the call. */
  before: NewLog[]
  after: NewLog[]
}

const throughForwarder = (account: string, nonce: bigint): Around => ({
  to: FORWARDER,
  before: [],
  after: [{ address: FORWARDER, topics: [FORWARDED, padded(account)], data: `0x${[nonce, 1n].map(word).join('')}` }],
})

const throughEntryPoint = (account: string, nonce: bigint): Around => ({
  to: ENTRY_POINT,
  before: [{ address: ENTRY_POINT, topics: [BEFORE_EXECUTION], data: '0x' }],
  after: [
    {
      address: ENTRY_POINT,
      topics: [USER_OPERATION, padded(nonce + 1n), padded(account), padded(0n)],
      data: `0x${[nonce, 1n, 10n ** 15n, 300_000n].map(word).join('')}`,
    },
  ],
})

const AROUND: Readonly<Record<Way, (account: string, nonce: bigint) => Around>> = {
  delegated: (account) => ({ to: account, before: [], after: [] }),
  operation: throughEntryPoint,
  bundle: throughEntryPoint,
  hub: (account) => ({
    to: HUB,
    before: [],
    after: [
      {
        address: HUB,
        topics: [RELAYED, padded(RELAYER), padded(account), padded(FORWARDER)],
        data: `0x${[0x1cff79cdn << 224n, 0n, 10n ** 15n].map(word).join('')}`,
      },
    ],
  }),
  forwarded: (account, nonce) => throughForwarder(account, nonce),
  unnamed: (account, nonce) => throughForwarder(account, nonce),
}

/** Those that call for others already, such as the demo's bundlers and its solver, keep calling. */
const CALLED_FOR_OTHERS: ReadonlySet<string> = new Set(Object.values(FOR_OTHERS).flat())

/** The recording, relayed; `accounts` are those that no longer send their calls. */
export function relay(recording: Recording, way: Way): { relayed: Recording; accounts: ReadonlySet<Address> } {
  const accounts = new Map<Address, number>()
  let nonce = 0n
  const blocks = recording.blocks.map((block, number): RecordedBlock => {
    const around = block.transactions.map(({ from, to, input }, at) => {
      const isCall = to === null || (input !== '0x' && block.logs.some((log) => log.at === at))
      if (!isCall || CALLED_FOR_OTHERS.has(to ?? '')) return null
      const account = toAddress(from)
      if (!accounts.has(account)) accounts.set(account, number)
      return AROUND[way](account, nonce++)
    })
    const transactions = block.transactions.map((transaction, at) => {
      const { to } = around[at] ?? {}
      return to === undefined ? transaction : { ...transaction, from: RELAYER, to, value: '0x0', input: '0x1cff79cd' }
    })
    const logs = block.transactions.flatMap((_, at) => {
      const own = block.logs.filter((log) => log.at === at)
      const { before = [], after = [] } = around[at] ?? {}
      return [...before.map((log) => ({ ...log, at })), ...own, ...after.map((log) => ({ ...log, at }))]
    })
    const added = around.flatMap((each) => (each ? [...each.before, ...each.after] : []))
    const single = { ...block, transactions, logs, bloom: withLogs(block.bloom, added) }
    return way === 'bundle' ? bundle(single, around) : single
  })
  const codes = [...recording.codes, DELEGATION]
  const contracts =
    way === 'delegated' ? { ...recording.contracts, ...delegating(accounts, codes.length - 1) } : recording.contracts
  return { relayed: { ...recording, blocks, codes, contracts }, accounts: new Set(accounts.keys()) }
}

/** Neighbouring operations of a block in one transaction, which logs the end of their validation once. */
const MOST_OPERATIONS = 3
function bundle(block: RecordedBlock, around: readonly (Around | null)[]): RecordedBlock {
  const places: number[] = []
  const transactions: RecordedBlock['transactions'] = []
  let operations = 0
  for (const [at, transaction] of block.transactions.entries()) {
    const joins = around[at] && operations > 0 && operations < MOST_OPERATIONS
    if (!joins) transactions.push(transaction)
    operations = around[at] ? (joins ? operations + 1 : 1) : 0
    places.push(transactions.length - 1)
  }
  const logs = block.logs
    .map((log) => ({ ...log, at: places[log.at] ?? log.at, own: log.at }))
    .filter(({ topics, at, own }) => topics[0] !== BEFORE_EXECUTION || places.indexOf(at) === own)
    .map(({ own: _, ...log }) => log)
  return { ...block, transactions, logs }
}

const delegating = (accounts: ReadonlyMap<Address, number>, code: number): Record<string, RecordedContract> =>
  Object.fromEntries([...accounts].map(([address, born]) => [address, { born, answers: {}, moving: [], code }]))

const BLOOM_BYTES = 256
const FIRST_BITS = [0, 2, 4] as const

/** The bloom with these logs too. */
function withLogs(bloom: string, logs: readonly NewLog[]): string {
  if (logs.length === 0) return bloom
  const bits = Buffer.from(bloom.slice(2), 'hex')
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(value as `0x${string}`, 'bytes')
    for (const at of FIRST_BITS) {
      const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
      const place = BLOOM_BYTES - 1 - (bit >> 3)
      bits[place] = (bits[place] ?? 0) | (1 << (bit & 7))
    }
  }
  return `0x${bits.toString('hex')}`
}
