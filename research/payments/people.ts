// The people of a generated market: owners of several wallets, and users of one. Input: a seed. Output: who holds which
// token, and who pays whom, by a payment or through a contract. Owners and users buy alike: only their money tells them
// apart.
import type { Address } from 'viem'
import { wallet } from '../../test/support/market/cast.ts'
import { createRandom } from '../statistics/metrics.ts'

/**
 * How an owner funds wallets: each by a payment, all through a contract, or each by the one before. Others pay through
 * contracts and three heads, or by a withdrawal for each from an exchange, which nobody can see through.
 */
export const WAYS = ['direct', 'disperser', 'chain', 'tree', 'exchange'] as const
export type Way = (typeof WAYS)[number]

/** A wallet that buys a token; `owner` is null for a user of one wallet. */
export interface Holder {
  address: Address
  token: number
  owner: string | null
  way: Way | null
}

/** A payment to some wallets in one transaction: of one wallet directly, of several through the contract. */
export interface Funding {
  from: Address
  to: Address[]
  isDispersed: boolean
  /** Payments of a later step need the money of an earlier one. */
  step: number
}

export interface People {
  holders: Holder[]
  fundings: Funding[]
}

export const TOKENS = 6
const WALLETS = { least: 8, most: 12 }
const USERS = 30
/** Withdrawals of each exchange to wallets that hold no token: it is larger than this market. */
const STRANGERS = 160
const BATCH = 20
/** Every third token has a desk that pays so many of its users, who know each other no further. */
const DESK = { every: 3, users: 10 }

const PAYOUTS = { hot: wallet('hot wallet of an exchange'), batches: wallet('batches of an exchange') } as const

export function drawPeople(seed: number): People {
  const random = createRandom(seed)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const people: People = { holders: [], fundings: [] }
  for (let token = 0; token < TOKENS; token++) {
    for (const way of WAYS) addOwner(people, { token, way, count: between(WALLETS.least, WALLETS.most) })
    addUsers(people, token, random)
  }
  payStrangers(people)
  return people
}

const pay = (from: Address, to: Address, step: number): Funding => ({ from, to: [to], isDispersed: false, step })
const disperse = (from: Address, to: Address[], step: number): Funding => ({ from, to, isDispersed: true, step })

function addOwner(
  { holders, fundings }: People,
  { token, way, count }: { token: number; way: Way; count: number },
): void {
  const owner = `owner by ${way} of token ${token}`
  const purse = wallet(owner)
  const own = Array.from({ length: count }, (_, at) => wallet(`${owner}, wallet ${at}`))
  holders.push(...own.map((address) => ({ address, token, owner, way })))
  fundings.push(pay(PAYOUTS.hot, purse, 0))
  if (way === 'exchange') fundings.push(...own.map((address) => pay(PAYOUTS.hot, address, 1)))
  if (way === 'direct') fundings.push(...own.map((address) => pay(purse, address, 1)))
  if (way === 'disperser') fundings.push(disperse(purse, own, 1))
  if (way === 'chain') fundings.push(...own.map((address, at) => pay(own[at - 1] ?? purse, address, at + 1)))
  if (way !== 'tree') return
  const heads = own.slice(0, 3)
  fundings.push(disperse(purse, heads, 1))
  heads.forEach((head, at) => {
    fundings.push(
      disperse(
        head,
        own.slice(3).filter((_, place) => place % heads.length === at),
        2,
      ),
    )
  })
}

/** A third from each exchange, some from a desk or a friend, and the rest had their money before. */
function addUsers({ holders, fundings }: People, token: number, random: () => number): void {
  const users = Array.from({ length: USERS }, (_, at) => wallet(`user ${at} of token ${token}`))
  holders.push(...users.map((address) => ({ address, token, owner: null, way: null })))
  const hasDesk = token % DESK.every === 0
  const desk = hasDesk ? users.slice(0, DESK.users) : []
  fundings.push(...desk.map((address) => pay(wallet(`desk of token ${token}`), address, 1)))
  const others = users.slice(desk.length)
  const batch = others.filter(() => random() < 0.4)
  for (let at = 0; at < batch.length; at += BATCH)
    fundings.push(disperse(PAYOUTS.batches, batch.slice(at, at + BATCH), 1))
  const rest = others.filter((address) => !batch.includes(address))
  rest.forEach((address, at) => {
    const friend = rest[at - 1]
    if (random() < 0.7) fundings.push(pay(PAYOUTS.hot, address, 1))
    else if (friend && random() < 0.4) fundings.push(pay(friend, address, 2))
  })
}

function payStrangers({ fundings }: People): void {
  const strangers = Array.from({ length: 2 * STRANGERS }, (_, at) => wallet(`stranger ${at}`))
  fundings.push(...strangers.slice(0, STRANGERS).map((address) => pay(PAYOUTS.hot, address, 1)))
  for (let at = STRANGERS; at < strangers.length; at += BATCH)
    fundings.push(disperse(PAYOUTS.batches, strangers.slice(at, at + BATCH), 1))
}
