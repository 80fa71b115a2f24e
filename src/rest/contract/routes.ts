// The REST contract as a table: the parameters, document and conversion to JSON of each method and path under /v1. No
// other file lists the routes.
import { BACKTEST_REQUESTS } from '../../graph/types/backtest.ts'
import { readAlert, readBacktest } from './alert-body.ts'
import {
  ALERTS,
  BACKTEST,
  CREATE_ALERT,
  DELETE_ALERT,
  EVENTS,
  ONE_ALERT,
  ROTATE_SECRET,
  TOKEN_PROFILE,
  TOKEN_SAFETY,
  TOKEN_SCORE,
  TOKENS,
  UPDATE_ALERT,
  WALLET_EVENTS,
  WALLET_PROFILE,
  WALLET_SCORE,
} from './documents.ts'
import { type Param, QUERIES, readAddressParam } from './param.ts'
import type { Params } from './params.ts'
import {
  toAlert,
  toAlertPage,
  toChangedAlert,
  toRestToken,
  toRestTokenPage,
  toRestTokenScore,
  toRestWallet,
  toRestWalletScore,
  toWalletEvents,
} from './shape.ts'

export interface Route {
  /** The operation's name in the API's description and in clients. */
  id: string
  /** The purpose of the route in a few words. */
  summary: string
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
  /** What a request costs; one if left out. */
  requests?: number
}

const address = { name: 'address', read: readAddressParam }
/** Not validated here: a malformed alert id answers 404, not 400. */
const id = { name: 'id', read: (text: string) => ({ value: text }) }

const chainRoute = (id: string, path: string, document: string, summary: string, more: Partial<Route> = {}): Route => ({
  id,
  summary,
  method: 'GET',
  path,
  document,
  query: QUERIES.none,
  status: 200,
  ofChain: true,
  ...more,
})

const alertRoute = (
  id: string,
  method: Route['method'],
  path: string,
  document: string,
  summary: string,
  more: Partial<Route> = {},
): Route => ({
  id,
  summary,
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
  chainRoute('listTokens', '/tokens', TOKENS, 'Lists tokens that pass every filter', {
    query: QUERIES.tokens,
    shape: toRestTokenPage,
  }),
  chainRoute('getToken', '/tokens/:address', TOKEN_PROFILE, 'One token with its largest holders', {
    pathParam: address,
    shape: toRestToken,
    missing: NO_TOKEN,
  }),
  chainRoute(
    'getTokenSafety',
    '/tokens/:address/safety',
    TOKEN_SAFETY,
    "The powers over holders in one token's contract, and whether it can be sold",
    {
      pathParam: address,
      missing: NO_TOKEN,
    },
  ),
  chainRoute('getWallet', '/wallets/:address', WALLET_PROFILE, 'One wallet with its portfolio', {
    pathParam: address,
    shape: toRestWallet,
    missing: NO_WALLET,
  }),
  chainRoute('listWalletEvents', '/wallets/:address/events', WALLET_EVENTS, 'The events of one wallet, newest first', {
    pathParam: address,
    query: QUERIES.walletEvents,
    shape: toWalletEvents,
    missing: NO_WALLET,
  }),
  chainRoute('listEvents', '/events', EVENTS, 'The events of all tokens and wallets, newest first', {
    query: QUERIES.events,
  }),
  chainRoute(
    'getWalletScore',
    '/scores/wallet/:address',
    WALLET_SCORE,
    'The reputation of a wallet with its dimensions',
    { pathParam: address, shape: toRestWalletScore, missing: NO_WALLET },
  ),
  chainRoute('getTokenScore', '/scores/token/:address', TOKEN_SCORE, 'The risk of a token with its dimensions', {
    pathParam: address,
    shape: toRestTokenScore,
    missing: NO_TOKEN,
  }),
  alertRoute('listAlerts', 'GET', '/alerts', ALERTS, 'Your alerts, newest first', {
    query: QUERIES.alerts,
    shape: toAlertPage,
  }),
  alertRoute('createAlert', 'POST', '/alerts', CREATE_ALERT, 'Makes an active alert', {
    body: (json) => readAlert(json, 'create'),
    shape: toChangedAlert,
    status: 201,
  }),
  alertRoute('backtestAlert', 'POST', '/alerts/backtest', BACKTEST, 'What an alert would have told in the past month', {
    body: readBacktest,
    requests: BACKTEST_REQUESTS,
  }),
  alertRoute('getAlert', 'GET', '/alerts/:id', ONE_ALERT, 'One alert', { pathParam: id, shape: toAlert }),
  alertRoute('updateAlert', 'PATCH', '/alerts/:id', UPDATE_ALERT, 'Changes an alert', {
    pathParam: id,
    body: (json) => readAlert(json, 'update'),
    shape: toChangedAlert,
  }),
  alertRoute('deleteAlert', 'DELETE', '/alerts/:id', DELETE_ALERT, 'Deletes an alert', { pathParam: id, status: 204 }),
  alertRoute(
    'rotateAlertSecret',
    'POST',
    '/alerts/:id/secret',
    ROTATE_SECRET,
    'Gives the webhook of an alert a new secret',
    {
      pathParam: id,
      shape: toChangedAlert,
      missing: 'There is no such alert with a webhook.',
    },
  ),
]
