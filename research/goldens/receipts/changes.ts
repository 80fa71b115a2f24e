// Judges the indexed changes of liquidity of a receipt against the addition or removal that its source states.
import { TOPICS } from '../../../src/chain/logs/events.ts'
import type { Recorded } from '../../../test/support/recorded-node.ts'
import type { Recording } from '../recording.ts'
import { EXACT, LOOSE } from './judge.ts'
import type { Expectation } from './read.ts'

export const CHANGE_VERDICTS = [
  'right',
  'with fees',
  'a part',
  'wrong wallet',
  'wrong amount',
  'not seen',
  'no pool',
] as const

/** A change of liquidity of the index: its wallet, and the amounts that its pool got or gave, in whole tokens. */
export interface SeenChange {
  logIndex: number
  wallet: string
  attribution: string
  isAdd: boolean
  amounts: readonly (readonly [token: string, amount: number])[]
}

export interface JudgedChange {
  expected: Expectation
  verdict: (typeof CHANGE_VERDICTS)[number]
  reason: string
}

/** Turns a raw amount of a token into whole tokens. */
export type Whole = (raw: bigint, token: string) => number

export function judgeChange(
  expected: Expectation,
  events: readonly SeenChange[],
  { recording, logs }: Recorded,
  whole: Whole,
): JudgedChange {
  const stated = netOf(expected, recording, whole)
  const twins = mintedFor(expected, recording, whole)
  const isOfKind = ({ isAdd }: SeenChange) => isAdd === (expected.kind === 'add')
  const isOwn = ({ wallet }: SeenChange) => expected.wallets.includes(wallet)
  const seen = events.filter(isOfKind).map((each) => ({
    ...each,
    amounts: each.amounts.map(([token, amount]) => {
      const twin = twins.get(token)
      return [twin?.token ?? token, amount * (twin?.scale ?? 1)] as const
    }),
  }))
  const ratios = stated.map(([token, amount]) => [token, sumOf(seen.filter(isOwn), token) / amount] as const)
  const reason = ratios.map(([token, ratio]) => `${token.slice(0, 8)} x${ratio.toFixed(4)}`).join(', ')
  const to = (verdict: JudgedChange['verdict'], text = reason): JudgedChange => ({ expected, verdict, reason: text })
  const strayed = seen.find((each) => !isOwn(each) && each.attribution !== 'unknown' && isPartOf(each, stated))
  if (strayed) return to('wrong wallet', `log ${strayed.logIndex} is of ${strayed.wallet} (${strayed.attribution})`)
  const isWithin = (most: number) => ratios.every(([, ratio]) => Math.abs(ratio - 1) < most)
  if (isWithin(EXACT)) return to('right')
  if (isWithin(LOOSE)) return to('with fees')
  if (ratios.some(([, ratio]) => ratio > 1 + LOOSE)) return to('wrong amount')
  if (seen.some(isOwn)) return to('a part')
  return logs.some(changesPool) ? to('not seen') : to('no pool')
}

/** The stated amounts, less what the wallet got back of them in the transaction. */
function netOf(
  { kind, spent, received, wallets }: Expectation,
  { logs }: Recording,
  whole: Whole,
): [token: string, amount: number][] {
  const sums = new Map<string, number>()
  for (const { token, amount } of kind === 'add' ? spent : received)
    sums.set(token, (sums.get(token) ?? 0) + Number(amount))
  for (const { address, topics, data } of logs) {
    const [topic, from, to] = topics
    const sum = sums.get(address)
    const back = kind === 'add' ? to : from
    if (topic !== TOPICS.transfer || topics.length !== 3 || sum === undefined) continue
    if (wallets.some((wallet) => back?.endsWith(wallet.slice(2)))) sums.set(address, sum - whole(BigInt(data), address))
  }
  // Shares that the transaction mints and stakes.
  return [...sums].filter(([, amount]) => amount > 0)
}

/**
 * The stated token by another that is minted for it in the same raw amount, since a pool of lending shares holds these.
 * Both have the same decimals, though the folder may lack those of the shares.
 */
function mintedFor(
  { kind, spent }: Expectation,
  { logs }: Recording,
  whole: Whole,
): Map<string, { token: string; scale: number }> {
  const moves = logs.filter(({ topics }) => topics[0] === TOPICS.transfer && topics.length === 3)
  const minted = moves.filter(({ topics }) => BigInt(topics[1] ?? 1) === 0n)
  const found = new Map<string, { token: string; scale: number }>()
  for (const { address: token, data } of kind === 'add' ? moves : [])
    for (const { address } of minted.filter((each) => each.data === data && each.address !== token)) {
      const raw = BigInt(data)
      if (raw > 0n && spent.some((each) => each.token === token))
        found.set(address, { token, scale: whole(raw, token) / whole(raw, address) })
    }
  return found
}

const sumOf = (seen: readonly SeenChange[], token: string): number =>
  seen.reduce((sum, { amounts }) => sum + (amounts.find(([each]) => each === token)?.[1] ?? 0), 0)

const isPartOf = ({ amounts }: SeenChange, stated: readonly (readonly [string, number])[]): boolean =>
  amounts.some(([token, got]) => stated.some(([each, amount]) => each === token && Math.abs(got / amount - 1) < LOOSE))

/** Whether a pool's liquidity changed: a staked share, a loan or a lock changes none. */
const changesPool = (log: Recorded['logs'][number]): boolean =>
  log.kind === 'coins_change'
    ? log.amounts.some((amount) => amount !== 0n)
    : log.kind === 'coins_taken' ||
      ((log.kind === 'v2_mint' || log.kind === 'v2_burn' || log.kind === 'v3_mint' || log.kind === 'v3_burn') &&
        (log.amount0 !== 0n || log.amount1 !== 0n))
