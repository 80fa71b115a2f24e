// Pure. Turns a document's answer into the contract's JSON where GraphQL aliases are not enough.

type Json = Record<string, unknown>

/** The document nests the events in the wallet; the contract wants the page alone. */
export const toWalletEvents = (wallet: Json): unknown => wallet.events

/** The alert without the conditions that are not set, and without what only webhooks have where it is none. */
export const toAlert = ({ url, secret, ...alert }: Json): Json => ({
  ...alert,
  conditions: withoutNulls(alert.conditions),
  ...(typeof url === 'string' && { url }),
  ...(typeof secret === 'string' && { secret }),
})

/** A page of alerts, each converted by `toAlert`. */
export const toAlertPage = (page: Json): Json => ({ ...page, data: asArray(page.data).map(toAlert) })

const withoutNulls = (value: unknown): Json =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field !== null))

const asArray = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
