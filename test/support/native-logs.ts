// The demo chain as EIP-7708 would have logged it. Each payment in the native coin that the recording tells is a Transfer
// of the system address. Those are the values of transactions, wrapping, and what a router pays out.

import { TRANSFER_TOPIC } from '../../src/chain/contracts/topics.ts'
import { keccakOfText } from '../../src/chain/keccak.ts'
import { createBloom } from '../../src/chain/logs/bloom.ts'
import type { RecordedBlock, RecordedLog, RecordedTransaction, Recording } from '../../src/chain/replay/recording.ts'
import { word } from './fake-chain.ts'

/** The address that EIP-7708 logs payments with. */
export const SYSTEM = `0x${'f'.repeat(39)}e`
const DEPOSIT = keccakOfText('Deposit(address,uint256)')
const WITHDRAWAL = keccakOfText('Withdrawal(address,uint256)')

const toAddress = (topic = '') => `0x${topic.slice(26)}`
const payment = (from: string, to: string, amount: bigint, at: number): RecordedLog => ({
  ...{ address: SYSTEM, topics: [TRANSFER_TOPIC, `0x${word(from)}`, `0x${word(to)}`], data: `0x${word(amount)}`, at },
})

/** The recording with these logs, and blooms that have them. */
export const withNativeLogs = (recording: Recording, wrappedNative: string): Recording => ({
  ...recording,
  blocks: recording.blocks.map((block) => addPayments(block, wrappedNative)),
})

function addPayments(block: RecordedBlock, wrapped: string): RecordedBlock {
  const logs = block.transactions.flatMap((transaction, at) => [
    ...ownPayment(transaction, at),
    ...block.logs.filter((log) => log.at === at).flatMap((log) => around(log, transaction, wrapped)),
  ])
  const values = logs.flatMap(({ address, topics }) => [address, ...topics]) as `0x${string}`[]
  return { ...block, logs, bloom: createBloom(values) }
}

/** EIP-7708 logs no payment of nothing, none to oneself, and no creation without a value. */
function ownPayment({ from, to, value }: RecordedTransaction, at: number): RecordedLog[] {
  return to === null || to === from || BigInt(value) === 0n ? [] : [payment(from, to, BigInt(value), at)]
}

/** The payments of wrapping and unwrapping; a router gives unwrapped coin to the signer. */
function around(log: RecordedLog, { from }: RecordedTransaction, wrapped: string): RecordedLog[] {
  if (log.address !== wrapped) return [log]
  const who = toAddress(log.topics[1])
  if (log.topics[0] === DEPOSIT && who !== from) return [payment(who, wrapped, BigInt(log.data), log.at), log]
  if (log.topics[0] !== WITHDRAWAL) return [log]
  const paidOut = who === from ? [] : [payment(who, from, BigInt(log.data), log.at)]
  return [log, payment(wrapped, who, BigInt(log.data), log.at), ...paidOut]
}
