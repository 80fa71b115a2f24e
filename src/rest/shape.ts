// Pure. From a document's answer to the contract's JSON where aliases alone do not do it. In and out: plain values.

type Json = Record<string, unknown>

/** The events of a wallet come inside the wallet: the contract wants the envelope alone. */
export const toWalletEvents = (wallet: Json): unknown => wallet.events

/** An alert without the conditions that ask for nothing. */
export const toAlert = (alert: Json): Json => ({ ...alert, conditions: withoutNulls(alert.conditions) })

/** A page of alerts, each as `toAlert` makes it. */
export const toAlertPage = (page: Json): Json => ({ ...page, data: asArray(page.data).map(toAlert) })

const withoutNulls = (value: unknown): Json =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field !== null))

const asArray = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
