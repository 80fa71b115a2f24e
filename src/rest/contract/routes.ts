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

type Named = Pick<Route, 'id' | 'path' | 'document' | 'summary'> & Partial<Route>

const chainRoute = (route: Named): Route => ({
  method: 'GET',
  query: QUERIES.none,
  status: 200,
  ofChain: true,
  ...route,
})

const alertRoute = (route: Named & Pick<Route, 'method'>): Route => ({
  query: QUERIES.none,
  status: 200,
  ofChain: false,
  missing: 'There is no such alert.',
  ...route,
})

const NO_TOKEN = 'This token is not indexed.'
const NO_WALLET = 'This wallet is not indexed.'

export const ROUTES: readonly Route[] = [
  chainRoute({
    id: 'listTokens',
    path: '/tokens',
    document: TOKENS,
    summary: 'Lists tokens that pass every filter',
    query: QUERIES.tokens,
    shape: toRestTokenPage,
  }),
  chainRoute({
    id: 'getToken',
    path: '/tokens/:address',
    document: TOKEN_PROFILE,
    summary: 'One token with its largest holders',
    pathParam: address,
    shape: toRestToken,
    missing: NO_TOKEN,
  }),
  chainRoute({
    id: 'getTokenSafety',
    path: '/tokens/:address/safety',
    document: TOKEN_SAFETY,
    summary: "The powers over holders in one token's contract, and whether it can be sold",
    pathParam: address,
    missing: NO_TOKEN,
  }),
  chainRoute({
    id: 'getWallet',
    path: '/wallets/:address',
    document: WALLET_PROFILE,
    summary: 'One wallet with its portfolio',
    pathParam: address,
    shape: toRestWallet,
    missing: NO_WALLET,
  }),
  chainRoute({
    id: 'listWalletEvents',
    path: '/wallets/:address/events',
    document: WALLET_EVENTS,
    summary: 'The events of one wallet, newest first',
    pathParam: address,
    query: QUERIES.walletEvents,
    shape: toWalletEvents,
    missing: NO_WALLET,
  }),
  chainRoute({
    id: 'listEvents',
    path: '/events',
    document: EVENTS,
    summary: 'The events of all tokens and wallets, newest first',
    query: QUERIES.events,
  }),
  chainRoute({
    id: 'getWalletScore',
    path: '/scores/wallet/:address',
    document: WALLET_SCORE,
    summary: 'The reputation of a wallet with its dimensions',
    pathParam: address,
    shape: toRestWalletScore,
    missing: NO_WALLET,
  }),
  chainRoute({
    id: 'getTokenScore',
    path: '/scores/token/:address',
    document: TOKEN_SCORE,
    summary: 'The risk of a token with its dimensions',
    pathParam: address,
    shape: toRestTokenScore,
    missing: NO_TOKEN,
  }),
  alertRoute({
    id: 'listAlerts',
    method: 'GET',
    path: '/alerts',
    document: ALERTS,
    summary: 'Your alerts, newest first',
    query: QUERIES.alerts,
    shape: toAlertPage,
  }),
  alertRoute({
    id: 'createAlert',
    method: 'POST',
    path: '/alerts',
    document: CREATE_ALERT,
    summary: 'Makes an active alert',
    body: (json) => readAlert(json, 'create'),
    shape: toChangedAlert,
    status: 201,
  }),
  alertRoute({
    id: 'backtestAlert',
    method: 'POST',
    path: '/alerts/backtest',
    document: BACKTEST,
    summary: 'What an alert would have told in the past month',
    body: readBacktest,
    requests: BACKTEST_REQUESTS,
  }),
  alertRoute({
    id: 'getAlert',
    method: 'GET',
    path: '/alerts/:id',
    document: ONE_ALERT,
    summary: 'One alert',
    pathParam: id,
    shape: toAlert,
  }),
  alertRoute({
    id: 'updateAlert',
    method: 'PATCH',
    path: '/alerts/:id',
    document: UPDATE_ALERT,
    summary: 'Changes an alert',
    pathParam: id,
    body: (json) => readAlert(json, 'update'),
    shape: toChangedAlert,
  }),
  alertRoute({
    id: 'deleteAlert',
    method: 'DELETE',
    path: '/alerts/:id',
    document: DELETE_ALERT,
    summary: 'Deletes an alert',
    pathParam: id,
    status: 204,
  }),
  alertRoute({
    id: 'rotateAlertSecret',
    method: 'POST',
    path: '/alerts/:id/secret',
    document: ROTATE_SECRET,
    summary: 'Gives the webhook of an alert a new secret',
    pathParam: id,
    shape: toChangedAlert,
    missing: 'There is no such alert with a webhook.',
  }),
]
