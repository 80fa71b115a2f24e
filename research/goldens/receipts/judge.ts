// Judges the indexed events of a receipt against the swap that its source states. The amounts into and out of the
// pools, over all events of the user's wallets, are compared with the spent and received amounts.
import type { DecodedLog } from '../../../src/chain/event.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import type { Recording } from '../recording.ts'
import type { Amount, Expectation } from './read.ts'

export const VERDICTS = ['right', 'one side', 'surplus or fee', 'a part', 'wrong trader', 'not seen'] as const
export type Verdict = (typeof VERDICTS)[number]

/** A swap of the index: its wallet, and what one token gave for the other, in whole tokens. */
export interface Seen {
  logIndex: number
  wallet: string
  attribution: string
  tokenIn: string
  tokenOut: string
  amountIn: number
  amountOut: number
}

export interface Judged {
  verdict: Verdict
  reason: string
}

/** The amounts agree exactly, up to rounding; the other side may differ by a surplus, a fee or a token's own tax. */
export const EXACT = 1e-6
export const LOOSE = 0.06

export function judgeSwap(expected: Expectation, events: readonly Seen[], recording: Recording): Judged {
  const twins = twinsIn(recording)
  const one = (token: string) => twins.get(token) ?? token
  const sides = [...sum(expected.spent, 'in'), ...sum(expected.received, 'out')].map((side) => ({
    ...side,
    token: one(side.token),
  }))
  const seen = events.map((each) => ({ ...each, tokenIn: one(each.tokenIn), tokenOut: one(each.tokenOut) }))
  const own = seen.filter(({ wallet }) => expected.wallets.includes(wallet))
  const rates = sides.map((side) => ({ ...side, ratio: flow(own, side) / side.amount, fee: feeShare(expected, side) }))
  const strayed = seen.filter((each) => !expected.wallets.includes(each.wallet) && isPartOf(each, sides))
  if (strayed.length > 0) {
    const [{ wallet, attribution, logIndex }] = strayed as [Seen]
    return { verdict: 'wrong trader', reason: `log ${logIndex} is of ${wallet} (${attribution})` }
  }
  const isExact = ({ ratio, fee }: { ratio: number; fee: number }) =>
    Math.abs(ratio - 1) < EXACT || Math.abs(ratio - 1 - fee) < EXACT || Math.abs(ratio - 1 + fee) < EXACT
  const isNear = ({ ratio }: { ratio: number }) => Math.abs(ratio - 1) < LOOSE
  const named = rates.map(({ side, token, ratio }) => `${side} ${token.slice(0, 8)} x${ratio.toFixed(4)}`).join(', ')
  if (rates.every(isNear) && rates.some(isExact)) return { verdict: 'right', reason: '' }
  if (rates.every(isNear)) return { verdict: 'surplus or fee', reason: named }
  const missing = `${named}; not read: ${unread(recording, seen).join(', ') || 'nothing that is known'}`
  if (rates.every(({ ratio }) => ratio === 0)) return { verdict: 'not seen', reason: missing }
  return { verdict: rates.some(isNear) ? 'one side' : 'a part', reason: missing }
}

interface Side {
  side: 'in' | 'out'
  token: string
  amount: number
}

/**
 * Tokens with two contracts that both log each transfer: the later contract's, by the address of the other. The source
 * may name either.
 */
function twinsIn({ logs }: Recording): Map<string, string> {
  const moves = new Map<string, string[]>()
  for (const { address, topics, data } of logs) {
    if (topics[0] !== TOPICS.transfer) continue
    moves.set(address, [...(moves.get(address) ?? []), [...topics, data].join(' ')])
  }
  const listed = [...moves].map(([token, each]) => [token, each.join()] as const)
  return new Map(
    listed.flatMap(([token, each], at) => {
      const twin = listed.find(([, other], index) => index > at && other === each)
      return twin && (moves.get(token)?.length ?? 0) > 1 ? [[token, twin[0]] as const] : []
    }),
  )
}

/** One side per token. */
function sum(amounts: readonly Amount[], side: Side['side']): Side[] {
  const byToken = new Map<string, number>()
  for (const { token, amount } of amounts) byToken.set(token, (byToken.get(token) ?? 0) + Number(amount))
  return [...byToken].map(([token, amount]) => ({ side, token, amount }))
}

/** What the pools took of the token, less what they gave of it; the other way round for a received one. */
function flow(seen: readonly Seen[], { side, token }: Side): number {
  let total = 0
  for (const each of seen) {
    if (each.tokenIn === token) total += each.amountIn
    if (each.tokenOut === token) total -= each.amountOut
  }
  return side === 'in' ? total : -total
}

const feeShare = ({ fees }: Expectation, { token, amount }: Side): number =>
  fees.filter((fee) => fee.token === token).reduce((total, fee) => total + Number(fee.amount), 0) / amount

/** Another wallet's swap that has one of the amounts: it is the user's, given to somebody else. An unknown trader is nobody. */
const isPartOf = (seen: Seen, sides: readonly Side[]): boolean =>
  seen.attribution !== 'unknown' &&
  sides.some(({ side, token, amount }) =>
    side === 'in'
      ? seen.tokenIn === token && Math.abs(seen.amountIn / amount - 1) < LOOSE
      : seen.tokenOut === token && Math.abs(seen.amountOut / amount - 1) < LOOSE,
  )

const KNOWN_TOPICS = new Map(Object.entries(TOPICS).map(([name, topic]) => [topic as string, name]))
/** Logs that every token has: they explain no miss. */
const PLAIN = new Set(
  ['transfer', 'deposit', 'withdrawal'].flatMap((name) => TOPICS[name as keyof typeof TOPICS] ?? []),
)
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

/** The logs without an event of the index, at most eight: our name of the topic or its beginning, and the contract. */
function unread({ logs }: Recording, seen: readonly Seen[]): string[] {
  const read = new Set(seen.map(({ logIndex }) => logIndex))
  const others = logs.filter(
    ({ logIndex, topics: [topic = ''] }) =>
      !read.has(Number(logIndex)) && !PLAIN.has(topic as never) && topic !== APPROVAL,
  )
  const named = others.map(
    ({ address, topics: [topic = ''] }) =>
      `${KNOWN_TOPICS.get(topic) ?? topic.slice(0, 10)} of ${address.slice(0, 10)}`,
  )
  return [...new Set(named)].slice(0, 8)
}

/** The amounts of a swap's log in raw units, as its pool has its tokens: what went in, and what came out. */
export function amountsOf(log: DecodedLog): [into: bigint, out: bigint] | null {
  if (log.kind === 'coins_swap' || log.kind === 'converted') return [log.amountIn, log.amountOut]
  const pair =
    log.kind === 'v2_swap'
      ? [log.amount0In - log.amount0Out, log.amount1In - log.amount1Out]
      : log.kind === 'v3_swap' || log.kind === 'v4_swap'
        ? [log.amount0, log.amount1]
        : null
  const [amount0 = 0n, amount1 = 0n] = pair ?? []
  if (!pair) return null
  return amount0 > 0n ? [amount0, -amount1] : [amount1, -amount0]
}

/** The amounts of a change of liquidity, as its pool has its two tokens; null: the log is none. */
export function changeOf(log: DecodedLog, [token0, token1]: readonly string[]): [bigint, bigint] | null {
  if (log.kind === 'coins_change') {
    const named: readonly string[] = log.coins
    const amountOf = (token = '', at = 0) => log.amounts[named.length > 0 ? named.indexOf(token) : at] ?? 0n
    return [amountOf(token0, 0), amountOf(token1, 1)]
  }
  return log.kind === 'v2_mint' || log.kind === 'v2_burn' || log.kind === 'v3_mint' || log.kind === 'v3_burn'
    ? [log.amount0, log.amount1]
    : null
}
