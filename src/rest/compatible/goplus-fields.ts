// Pure. The table of GoPlus' token security: each field of theirs from one token of our GraphQL. Their values are texts,
// "1" for yes and "0" for no; a field that nobody could find out is missing, and never "0".
import type { PowerKind } from '../../base/vocabulary.ts'

export interface CheckedToken {
  address: string
  name: string
  symbol: string
  supply: number | null
  holderCount: number
  deployer: { address: string } | null
  sellCheck: {
    sellable: boolean | null
    buyable: boolean | null
    buyTaxPct: number | null
    sellTaxPct: number | null
    measuredSellTaxPct: number | null
  }
  powers: { kind: PowerKind; renounced: boolean; hidden: boolean }[] | null
  powersRead: string[]
  code: { proxy: string | null; owner: string | null; unread: string | null } | null
  verdict: { unknown: { topic: string }[] } | null
  topHolders: {
    address: string
    quantity: number | null
    holdingPct: number
    classification: string | null
  }[]
  pools: { nodes: { address: string; type: string; liquidityUsd: number | null }[] }
}

/** What the table reads of a token. */
export const CHECKED_TOKEN = `{
  address name symbol supply holderCount deployer { address }
  sellCheck { sellable buyable buyTaxPct sellTaxPct measuredSellTaxPct }
  powers { kind renounced hidden } powersRead code { proxy owner unread } verdict { unknown { topic } }
  topHolders { address quantity holdingPct classification }
  pools(first: 10) { nodes { address type liquidityUsd } }
}`

const flag = (is: boolean): string => (is ? '1' : '0')
const not = (is: boolean | null): string | undefined => (is === null ? undefined : flag(!is))
const part = (pct: number | null): string | undefined => (pct === null ? undefined : String(pct / 100))
const given = (value: number | null): string | undefined => (value === null ? undefined : String(value))

/** Whether all that the contract allows is known. Only then "no" is an answer. */
const isRead = ({ powers, powersRead, code, verdict }: CheckedToken): boolean =>
  powers !== null &&
  powersRead.length > 0 &&
  code !== null &&
  code.unread === null &&
  verdict?.unknown.some(({ topic }) => topic === 'owner') === false

type Power = NonNullable<CheckedToken['powers']>[number]

function some(token: CheckedToken, is: (power: Power) => boolean): string | undefined {
  if (token.powers?.some((power) => !power.renounced && is(power))) return '1'
  return isRead(token) ? '0' : undefined
}

const power =
  (...kinds: PowerKind[]) =>
  (token: CheckedToken) =>
    some(token, ({ kind }) => kinds.includes(kind))

const CONTRACTS: ReadonlySet<string | null> = new Set(['contract', 'pool', 'locker'])

/** A field that returns undefined is left out. */
export const GOPLUS_FIELDS: Readonly<Record<string, (token: CheckedToken) => unknown>> = {
  token_name: ({ name }) => name,
  token_symbol: ({ symbol }) => symbol,
  total_supply: ({ supply }) => given(supply),
  holder_count: ({ holderCount }) => String(holderCount),
  creator_address: ({ deployer }) => deployer?.address,
  owner_address: (token) => (isRead(token) ? (token.code?.owner ?? '') : (token.code?.owner ?? undefined)),
  is_honeypot: ({ sellCheck }) => not(sellCheck.sellable),
  cannot_buy: ({ sellCheck }) => not(sellCheck.buyable),
  buy_tax: ({ sellCheck }) => part(sellCheck.buyTaxPct),
  sell_tax: ({ sellCheck }) => part(sellCheck.sellTaxPct ?? sellCheck.measuredSellTaxPct),
  is_proxy: (token) => (token.code?.proxy ? '1' : isRead(token) ? '0' : undefined),
  is_mintable: power('mint'),
  hidden_owner: (token) => some(token, ({ hidden }) => hidden),
  owner_change_balance: power('take'),
  selfdestruct: power('destroy'),
  transfer_pausable: power('pause', 'stop_sales'),
  is_blacklisted: power('blacklist'),
  anti_whale_modifiable: power('limits'),
  slippage_modifiable: power('fee'),
  is_in_dex: ({ pools }) => flag(pools.nodes.length > 0),
  dex: ({ pools }) =>
    pools.nodes.map(({ address, type, liquidityUsd }) => ({
      name: type,
      liquidity_type: type,
      liquidity: given(liquidityUsd),
      pair: address,
    })),
  holders: ({ topHolders }) =>
    topHolders.map(({ address, quantity, holdingPct, classification }) => ({
      address,
      balance: given(quantity),
      percent: String(holdingPct / 100),
      is_contract: classification === null ? undefined : Number(CONTRACTS.has(classification)),
      is_locked: classification === null ? undefined : Number(classification === 'locker'),
      tag: classification ?? '',
    })),
}

export const toGoplus = (token: CheckedToken): Record<string, unknown> =>
  Object.fromEntries(Object.entries(GOPLUS_FIELDS).map(([name, read]) => [name, read(token)]))
