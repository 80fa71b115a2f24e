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

/** The object with a value in the place of each null that has one. Fields keep their order. */
const without = (unknown: Json, given: unknown): Json => {
  const known: Json = { ...(given as Json) }
  for (const name in unknown) if (known[name] === null) known[name] = unknown[name]
  return known
}

export const toRestToken = (token: Json): Json => without(UNKNOWN.token, token)

export const toRestTokenPage = (page: Json): Json => ({ ...page, data: asArray(page.data).map(toRestToken) })

export const toRestWallet = (wallet: Json): Json => ({
  ...wallet,
  portfolio: asArray(wallet.portfolio).map((held) => without(UNKNOWN.holding, held)),
})

export const toRestWalletScore = (score: Json): Json => ({
  ...score,
  dimensions: without(UNKNOWN.walletDimensions, score.dimensions),
})

export const toRestTokenScore = (score: Json): Json => ({
  ...score,
  dimensions: without(UNKNOWN.tokenDimensions, score.dimensions),
  top_holder_summary: without(UNKNOWN.topHolders, score.top_holder_summary),
})

/** The document nests the events in the wallet; the contract wants the page alone. */
export const toWalletEvents = (wallet: Json): unknown => wallet.events

/** The alert without unset conditions, and without a webhook's fields if it has no webhook. */
export const toAlert = ({ url, secret, ...alert }: Json): Json => ({
  ...alert,
  conditions: withoutNulls(alert.conditions),
  ...(typeof url === 'string' && { url }),
  ...(typeof secret === 'string' && { secret }),
})

/** The answer of a mutation: the alert, and its new secret if there is one. */
export const toChangedAlert = ({ alert, secret }: Json): Json => toAlert({ ...(alert as Json), secret })

/** A page of alerts, each converted by `toAlert`. */
export const toAlertPage = (page: Json): Json => ({ ...page, data: asArray(page.data).map(toAlert) })

const withoutNulls = (value: unknown): Json =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field !== null))

const asArray = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
