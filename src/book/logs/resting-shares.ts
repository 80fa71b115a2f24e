// Tells liquidity from a step of a route. Whoever gives a coin to a pool and ends with its shares has added liquidity,
// though a zap stood between. A gauge holds shares for their owner. Shares that end with anybody else go on in a route.
// A removal is the same backwards.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'

type Transfer = LogOf<'transfer'>

/** One coin that went into a pool for its shares, or came out for them. */
export interface ShareExchange {
  isAdd: boolean
  token: Address
  shares: Address
  log: { provider: Address }
}

/** Whether the shares end with the account that gave the coin, or came from the account that got it. */
export function comeToRest(
  exchanged: ShareExchange,
  logs: readonly DecodedLog[],
  transfers: readonly Transfer[],
): boolean {
  const { isAdd, token, shares, log } = exchanged
  // Shares that are minted for others are the fee of the pool.
  const passed = transfers.filter(({ from, to }) => from !== ZERO_ADDRESS || to === log.provider)
  const ends = gainers(passed, shares, isAdd)
  const payers = gainers(transfers, token, !isAdd).filter(([account]) => !isWrapped(logs, token, account))
  return ends.length > 0 && ends.every(([account, amount]) => isOwners(account, amount))

  function isOwners(account: Address, amount: bigint): boolean {
    const staker = stakerOf(logs, { gauge: account, amount, isAdd })
    if (staker === null && logs.some(({ address }) => address === account)) return false
    const owner = staker ?? account
    if (payers.length > 0) return payers.some(([payer]) => payer === owner)
    return !transfers.some((each) => each.address !== shares && (isAdd ? each.from : each.to) === owner)
  }
}

/** The accounts that got more of the token than they gave, or else gave more, with the difference. */
function gainers(transfers: readonly Transfer[], token: Address, isGain: boolean): [Address, bigint][] {
  const held = new Map<Address, bigint>()
  for (const { address, from, to, amount } of transfers) {
    if (address !== token) continue
    held.set(from, (held.get(from) ?? 0n) - amount)
    held.set(to, (held.get(to) ?? 0n) + amount)
  }
  held.delete(ZERO_ADDRESS)
  const sign = isGain ? 1n : -1n
  return [...held].flatMap(([account, amount]) => (sign * amount > 0n ? [[account, sign * amount]] : []))
}

/** Whether the account made the token of the native coin, or turned it back: somebody else may have sent the coin. */
const isWrapped = (logs: readonly DecodedLog[], token: Address, account: Address): boolean =>
  logs.some(
    (log) =>
      log.address === token &&
      ((log.kind === 'deposit' && log.to === account) || (log.kind === 'withdrawal' && log.from === account)),
  )

/** The account for which a gauge began or ended to hold the shares. */
function stakerOf(
  logs: readonly DecodedLog[],
  { gauge, amount, isAdd }: { gauge: Address; amount: bigint; isAdd: boolean },
): Address | null {
  const kind = isAdd ? 'shares_staked' : 'shares_unstaked'
  for (const log of logs)
    if (log.kind === kind && log.address === gauge && log.amount === amount && 'owner' in log) return log.owner
  return null
}

/** Pools that log each coin of a change on its own: one log for all coins, at the place of the first. */
export function joinCoins(logs: readonly DecodedLog[]): DecodedLog[] {
  const open = new Map<string, LogOf<'coins_change'>>()
  const joined: DecodedLog[] = []
  for (const log of logs) {
    const [coin, ...others] = log.kind === 'coins_change' ? log.coins : []
    if (log.kind !== 'coins_change' || coin === undefined || others.length > 0) {
      joined.push(log)
      continue
    }
    const key = `${log.address} ${log.provider} ${(log.amounts[0] ?? 0n) < 0n}`
    const first = open.get(key)
    if (first && !first.coins.includes(coin)) {
      first.coins.push(coin)
      first.amounts.push(...log.amounts)
      continue
    }
    const change = { ...log, coins: [...log.coins], amounts: [...log.amounts] }
    open.set(key, change)
    joined.push(change)
  }
  return joined
}
