// Tokens that a contract pulled from holders who had approved it, for somebody else. Input: transfers that others signed
// by a call of that contract. Output: those of a robbery. An order that somebody fills for a holder is none: the holder
// gets something. A payment that somebody collects is none: the holder keeps the rest. Two holders must have lost.
import { type Address, type Hash, parseAddress } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readUint, SELECTORS } from '../../chain/contracts/abi.ts'
import { TRANSFER_TOPIC } from '../../chain/contracts/topics.ts'
import { abiWord, callData } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { RpcCall } from '../report.ts'
import type { RecentMove } from '../target.ts'

const LEAST_HOLDERS = 2
/** A holder that keeps a larger part of the taken amount was charged, not robbed. */
const KEPT_PARTS = 10n
const MAX_LOGS = 64

/** A transfer, and the call that shows the lack of consent. */
export interface TakenTransfer {
  move: RecentMove
  call: RpcCall
}

export interface PulledTransfer {
  move: RecentMove
  signer: Address
  /** The contract that was called, and that the holder had approved. */
  puller: Address
}

interface LoggedTransfer {
  of: Address
  from: Address
  to: Address
  amount: bigint
}

/** `others`: accounts that act for the deployer, and the deployer. */
export async function findRobbed(
  asker: Asker,
  token: Address,
  pulled: readonly PulledTransfer[],
  others: ReadonlySet<Address>,
): Promise<readonly TakenTransfer[]> {
  if (new Set(pulled.map(({ move }) => move.from)).size < LEAST_HOLDERS) return []
  const receipts = pulled.map(({ move }) => receiptCall(move.txHash))
  const balances = pulled.map(({ move }) => ({
    method: 'eth_call',
    params: [{ to: token, data: callData(SELECTORS.balanceOf, move.from), gas: READ_GAS }, asker.block.tag],
  }))
  const replies = await asker.ask([...receipts, ...balances])
  const robbed = pulled.flatMap((each, at): TakenTransfer[] => {
    const [receipt, balance] = [replies[at], replies[pulled.length + at]]
    const call = receipts[at]
    const transfers = receipt?.kind === 'result' ? readTransfers(receipt.result, token, each.puller) : null
    const left = balance?.kind === 'result' && isHex(balance.result) ? readUint(balance.result) : null
    const isRobbed = transfers !== null && left !== null && wasRobbed(each, transfers, left, others)
    return isRobbed && call ? [{ move: each.move, call }] : []
  })
  return new Set(robbed.map(({ move }) => move.from)).size >= LEAST_HOLDERS ? robbed : []
}

const receiptCall = (hash: Hash): RpcCall => ({ method: 'eth_getTransactionReceipt', params: [hash] })

function wasRobbed(
  { move, signer, puller }: PulledTransfer,
  transfers: readonly LoggedTransfer[],
  left: bigint,
  others: ReadonlySet<Address>,
): boolean {
  const lost = transfers.filter(({ from }) => from === move.from)
  const taken = lost.reduce((sum, { amount }) => sum + amount, 0n)
  const isForThem = lost.every(({ to }) => to === signer || to === puller || others.has(to))
  return lost.length > 0 && isForThem && transfers.every(({ to }) => to !== move.from) && left * KEPT_PARTS < taken
}

/** Null: another contract than the token and the puller logged something, such as a pool or the wrapped coin. */
function readTransfers(receipt: unknown, token: Address, puller: Address): LoggedTransfer[] | null {
  const { logs } = propertiesOf(receipt)
  if (!Array.isArray(logs) || logs.length > MAX_LOGS) return null
  const transfers: LoggedTransfer[] = []
  for (const log of logs) {
    const { address, topics, data } = propertiesOf(log)
    const of = typeof address === 'string' ? parseAddress(address) : null
    if (of !== token && of !== puller) return null
    const [topic, from, to] = Array.isArray(topics) ? topics.map(String) : []
    const [sender, receiver] = [from, to].map((each) => parseAddress(`0x${(each ?? '').slice(-40)}`))
    if (topic === TRANSFER_TOPIC && sender && receiver && isHex(data))
      transfers.push({ of, from: sender, to: receiver, amount: readUint(data) ?? 0n })
  }
  return transfers
}

/** Whether one of the approvals of a holder is of this contract. */
export function approves(approvals: unknown, spender: Address): boolean {
  const wanted = `0x${abiWord(spender)}`
  return (
    Array.isArray(approvals) &&
    approvals.some((log) => {
      const { topics } = propertiesOf(log)
      return Array.isArray(topics) && topics[2] === wanted
    })
  )
}
