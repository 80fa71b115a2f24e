// Pure. Turns a document's answer into the contract's JSON where GraphQL aliases are not enough.
import { UNSCORED } from '../../base/unscored.ts'

type Json = Record<string, unknown>

/** REST's contract has no null, so it has these values for unknown ones. None of them means safe. */
const UNKNOWN = {
  token: { market_cap_usd: 0 },
  holding: { quantity: 0, value_usd: 0 },
  walletDimensions: {
    win_rate: 0,
    entry_timing_score: UNSCORED.reputation,
    consistency_score: UNSCORED.reputation,
    risk_drawdown_score: UNSCORED.reputation,
  },
  tokenDimensions: {
    holder_concentration_score: UNSCORED.risk,
    liquidity_stability_score: 100 - UNSCORED.risk,
    wash_trade_score: UNSCORED.risk,
    smart_money_flow_score: UNSCORED.flow,
  },
  topHolders: {
    early_mover_count: 0,
    early_mover_net_activity: 'inactive',
    avg_reputation_top10: UNSCORED.reputation,
  },
} as const

/** The object with a value in the place of each null that has one, and their names. Fields keep their order. */
function fill(unknown: Json, given: unknown): { known: Json; names: string[] } {
  const known: Json = { ...(given as Json) }
  const names = Object.keys(unknown).filter((name) => known[name] === null)
  for (const name of names) known[name] = unknown[name]
  return { known, names }
}

export function toRestToken(token: Json): Json {
  const { known, names } = fill(UNKNOWN.token, token)
  return { ...known, unknown: names }
}

export const toRestTokenPage = (page: Json): Json => ({ ...page, data: asArray(page.data).map(toRestToken) })

export const toRestWallet = (wallet: Json): Json => ({
  ...wallet,
  portfolio: asArray(wallet.portfolio).map((held) => fill(UNKNOWN.holding, held).known),
})

export function toRestWalletScore(score: Json): Json {
  const { known, names } = fill(UNKNOWN.walletDimensions, score.dimensions)
  return { ...score, dimensions: known, unknown: names }
}

export function toRestTokenScore(score: Json): Json {
  const dimensions = fill(UNKNOWN.tokenDimensions, score.dimensions)
  const holders = fill(UNKNOWN.topHolders, score.top_holder_summary)
  return {
    ...score,
    dimensions: dimensions.known,
    top_holder_summary: holders.known,
    unknown: [...dimensions.names, ...holders.names],
  }
}

/** The events as the wallet sees them: a transfer's other side is its counterparty, and comes in or goes out. */
export const toWalletEvents = (page: Json, { address }: Json): Json => ({
  ...page,
  data: asArray(page.data).map(({ _sender: sender, ...event }) => {
    if (event.type !== 'transfer') return { ...event, transfer_direction: null }
    const isOut = sender === address
    return { ...event, counterparty: isOut ? event.counterparty : sender, transfer_direction: isOut ? 'out' : 'in' }
  }),
})

/** The alert without unset conditions, and without a webhook's fields if it has no webhook. */
export const toAlert = ({ url, secret, ...alert }: Json): Json => ({
  ...alert,
  conditions: withoutNulls(alert.conditions),
  ...(typeof url === 'string' && { url }),
  ...(typeof secret === 'string' && { secret }),
})

/** The answer of a mutation: the alert, and its new secret if there is one. */
export const toChangedAlert = ({ alert, secret }: Json): Json => toAlert({ ...(alert as Json), secret })

/** The answer of a mutation of an API key: the API key, and its secret if the answer has one. */
export const toChangedKey = ({ api_key: apiKey, key }: Json): Json => ({
  ...(apiKey as Json),
  ...(typeof key === 'string' && { key }),
})

/** A page of alerts, each converted by `toAlert`. */
export const toAlertPage = (page: Json): Json => ({ ...page, data: asArray(page.data).map(toAlert) })

const withoutNulls = (value: unknown): Json =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field !== null))

export const asArray = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
