// What the token's contract kept of real trades. Input: the token's own logs of a trade's block. Output: what left and
// what arrived. A fee is sent in the same call as the rest, so its log stands beside the other. Pure.
import { type Address, toAddress } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { TRANSFER_TOPIC } from '../../chain/contracts/topics.ts'
import type { RecentTrade } from '../target.ts'
import type { TokenTrade } from './window.ts'

interface Moved {
  index: number
  from: Address
  to: Address
  amount: bigint
}

/** Null: the logs do not show a direct trade between the trader and the pool. */
export function readTrade(
  logs: readonly unknown[],
  { txHash, trader, isBuy, time }: RecentTrade,
  keepers: ReadonlySet<Address>,
): TokenTrade | null {
  const moves = logs.flatMap((log) => readMove(log, txHash))
  const isSender = (who: Address) => (isBuy ? keepers.has(who) : who === trader)
  const isReceiver = (who: Address) => (isBuy ? who === trader : keepers.has(who))
  const direct = moves.findIndex(({ from, to }) => isSender(from) && isReceiver(to))
  const sender = moves[direct]?.from
  if (sender === undefined) return null
  const run = neighboursOf(moves, direct).filter(({ from }) => from === sender)
  const sum = (those: readonly Moved[]) => those.reduce((total, { amount }) => total + amount, 0n)
  return { time, trader, isBuy, left: sum(run), arrived: sum(run.filter(({ to }) => isReceiver(to))) }
}

/** The transfers whose logs follow each other without a log of another contract. */
function neighboursOf(moves: readonly Moved[], at: number): readonly Moved[] {
  const follows = (place: number) => moves[place]?.index === (moves[place - 1]?.index ?? -2) + 1
  let first = at
  while (follows(first)) first -= 1
  let last = at + 1
  while (last < moves.length && follows(last)) last += 1
  return moves.slice(first, last)
}

function readMove(log: unknown, txHash: string): Moved[] {
  const { topics, data, logIndex, transactionHash } = propertiesOf(log)
  if (!Array.isArray(topics) || topics[0] !== TRANSFER_TOPIC || transactionHash !== txHash || topics.length !== 3)
    return []
  const [from, to] = topics.slice(1).map((topic) => `0x${String(topic).slice(26)}`)
  if (!isAddress(from) || !isAddress(to) || !/^0x[0-9a-f]{64}$/.test(String(data))) return []
  return [{ index: Number(logIndex), from: toAddress(from), to: toAddress(to), amount: BigInt(String(data)) }]
}

const isAddress = (text: string | undefined): text is string => /^0x[0-9a-f]{40}$/.test(text ?? '')
