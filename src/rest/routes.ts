// The REST contract as a table: for each method and path under /v1 its parameters, the document that answers it, and
// how the result becomes JSON. No other file lists the routes.
import { readAlert } from './alert-body.ts'
import {
  ALERTS,
  CREATE_ALERT,
  DELETE_ALERT,
  EVENTS,
  ONE_ALERT,
  ROTATE_SECRET,
  TOKEN_PROFILE,
  TOKEN_SCORE,
  TOKENS,
  UPDATE_ALERT,
  WALLET_EVENTS,
  WALLET_PROFILE,
  WALLET_SCORE,
} from './documents.ts'
import { type Param, QUERIES, readAddressParam } from './param.ts'
import type { Params } from './params.ts'
import { toAlert, toAlertPage, toWalletEvents } from './shape.ts'

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** In Express's syntax, below /v1. */
  path: string
  document: string
  query: Readonly<Record<string, Param>>
  /** How the path parameter is read. */
  pathParam?: { name: string } & Pick<Param, 'read'>
  /** Reads the parsed JSON of a request that has a body. */
  body?(json: unknown): Params
  /** Turns the document's answer into the response body; leave out to send it unchanged. */
  shape?(answer: Record<string, unknown>): unknown
  /** The message of a 404. */
  missing?: string
  /** The status of a success. */
  status: 200 | 201 | 204
  /** Whether the answer is chain data, and so belongs to a block; otherwise it is the caller's own data. */
  ofChain: boolean
}

const address = { name: 'address', read: readAddressParam }
/** Not validated here: a malformed alert id answers 404, not 400. */
const id = { name: 'id', read: (text: string) => ({ value: text }) }

const chainRoute = (path: string, document: string, more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  document,
  query: QUERIES.none,
  status: 200,
  ofChain: true,
  ...more,
})

const alertRoute = (method: Route['method'], path: string, document: string, more: Partial<Route> = {}): Route => ({
  method,
  path,
  document,
  query: QUERIES.none,
  status: 200,
  ofChain: false,
  missing: 'There is no such alert.',
  ...more,
})

const NO_TOKEN = 'This token is not indexed.'
const NO_WALLET = 'This wallet is not indexed.'

export const ROUTES: readonly Route[] = [
  chainRoute('/tokens', TOKENS, { query: QUERIES.tokens }),
  chainRoute('/tokens/:address', TOKEN_PROFILE, { pathParam: address, missing: NO_TOKEN }),
  chainRoute('/wallets/:address', WALLET_PROFILE, { pathParam: address, missing: NO_WALLET }),
  chainRoute('/wallets/:address/events', WALLET_EVENTS, {
    pathParam: address,
    query: QUERIES.walletEvents,
    shape: toWalletEvents,
    missing: NO_WALLET,
  }),
  chainRoute('/events', EVENTS, { query: QUERIES.events }),
  chainRoute('/scores/wallet/:address', WALLET_SCORE, { pathParam: address, missing: NO_WALLET }),
  chainRoute('/scores/token/:address', TOKEN_SCORE, { pathParam: address, missing: NO_TOKEN }),
  alertRoute('GET', '/alerts', ALERTS, { query: QUERIES.alerts, shape: toAlertPage }),
  alertRoute('POST', '/alerts', CREATE_ALERT, {
    body: (json) => readAlert(json, 'create'),
    shape: toAlert,
    status: 201,
  }),
  alertRoute('GET', '/alerts/:id', ONE_ALERT, { pathParam: id, shape: toAlert }),
  alertRoute('PATCH', '/alerts/:id', UPDATE_ALERT, {
    pathParam: id,
    body: (json) => readAlert(json, 'update'),
    shape: toAlert,
  }),
  alertRoute('POST', '/alerts/:id/secret', ROTATE_SECRET, {
    pathParam: id,
    shape: toAlert,
    missing: 'There is no such alert with a webhook.',
  }),
  alertRoute('DELETE', '/alerts/:id', DELETE_ALERT, { pathParam: id, status: 204 }),
]
