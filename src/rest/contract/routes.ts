// The REST contract as a table: the parameters, document and conversion to JSON of each method and path under /v1. No
// other file lists the routes.
import { liftConditions } from '../../fields/field.ts'
import { WALLET_CONDITIONS } from '../../fields/wallet.ts'
import { BACKTEST_REQUESTS } from '../../graph/types/backtest.ts'
import { CHECK_REQUESTS } from '../../graph/types/check.ts'
import { GATE_REQUESTS } from '../../graph/types/gate.ts'
import { SQL_REQUESTS } from '../../graph/types/sql.ts'
import { readAlert, readBacktest } from './alert-body.ts'
import * as documents from './documents.ts'
import { readKey, readRotation } from './key-body.ts'
import { liftFields } from './lift.ts'
import { type ListEnd, type Listed, nextLink } from './next-page.ts'
import { type Param, QUERIES, readAddressParam } from './param.ts'
import type { Params } from './params.ts'
import { readPolicyBody } from './policy-body.ts'
import {
  toAlert,
  toAlertPage,
  toChangedAlert,
  toChangedKey,
  toRestToken,
  toRestTokenPage,
  toRestTokenScore,
  toRestWallet,
  toRestWalletScore,
  toWalletEvents,
} from './shape.ts'
import { readSql } from './sql-body.ts'
import { pageOf, toEventList, toStretch, toTokenList } from './variables.ts'

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
  /** The field of the document's answer that is the response body. */
  unwraps?: string
  /** Turns the document's answer into the response body; leave out to send it unchanged. */
  shape?(answer: Record<string, unknown>, values: Record<string, unknown>): unknown
  /** The names of fields that the shape gives to each item of a list, or to the answer. */
  adds?: readonly string[]
  /**
   * The list in `data`, which is CSV too. `block`: its pages keep the block of the first one. `cursor` and `events`: its
   * pages continue after a cursor or an event. `whole`: it has no pages.
   */
  list?: 'pages' | 'block' | 'cursor' | 'events' | 'whole'
  /** Turns the request's values into the document's variables; leave out for the same ones. */
  toVariables?(values: Record<string, unknown>): Record<string, unknown>
  /** The message of a 404. */
  missing?: string
  /** The status of a success. */
  status: 200 | 201 | 204
  /** Whether the answer is chain data, and so belongs to a block; otherwise it is the caller's own data. */
  ofChain: boolean
  /** How many requests it is charged; one if left out. */
  charge?: number
  /** Whether a POST only reads. Its repetition is safe, and nobody keeps its answer. */
  onlyReads?: boolean
}

/** Whether the answer is kept for a repeated request with the same key. */
export const takesIdempotencyKey = ({ method, onlyReads = false }: Pick<Route, 'method' | 'onlyReads'>): boolean =>
  method === 'POST' && !onlyReads

/** Whether a request may pay for itself: its answer is the same for everybody. */
export const isPayable = ({ method, ofChain, charge }: Pick<Route, 'method' | 'ofChain' | 'charge'>): boolean =>
  method === 'GET' && (ofChain || charge !== undefined)

const address = { name: 'address', read: readAddressParam }
/** Not validated here: a malformed alert id answers 404, not 400. */
const id = { name: 'id', read: (text: string) => ({ value: text }) }

const name = { name: 'name', read: id.read }

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

const keyRoute = (route: Named & Pick<Route, 'method'>): Route => ({
  query: QUERIES.none,
  status: 200,
  ofChain: false,
  missing: 'There is no such key.',
  ...route,
})

const policyRoute = (route: Named & Pick<Route, 'method'>): Route => ({
  query: QUERIES.none,
  status: 200,
  ofChain: false,
  missing: 'There is no such policy.',
  ...route,
})

const NO_TOKEN = 'This token is not indexed.'
const NO_WALLET = 'This wallet is not indexed.'

const tokenRoute = (route: Named): Route => chainRoute({ pathParam: address, missing: NO_TOKEN, ...route })

const walletRoute = (route: Named): Route => chainRoute({ pathParam: address, missing: NO_WALLET, ...route })

export const ROUTES: readonly Route[] = [
  chainRoute({
    id: 'search',
    path: '/search',
    document: documents.SEARCH,
    summary: 'Finds tokens by symbol, name or address, and wallets by address',
    query: QUERIES.search,
  }),
  chainRoute({
    id: 'listTokens',
    path: '/tokens',
    document: documents.TOKENS,
    summary: 'Lists tokens that pass every filter',
    query: QUERIES.tokens,
    toVariables: toTokenList,
    shape: toRestTokenPage,
    adds: ['unknown'],
    list: 'block',
  }),
  tokenRoute({
    id: 'getToken',
    path: '/tokens/:address',
    document: documents.TOKEN_PROFILE,
    summary: 'One token with its largest holders',
    shape: toRestToken,
    adds: ['unknown'],
  }),
  tokenRoute({
    id: 'listTokenHolders',
    path: '/tokens/:address/holders',
    document: documents.TOKEN_HOLDERS,
    summary: 'The holders of a token, the largest first',
    query: QUERIES.pages,
    unwraps: 'holders',
    list: 'pages',
  }),
  tokenRoute({
    id: 'listTokenPools',
    path: '/tokens/:address/pools',
    document: documents.TOKEN_POOLS,
    summary: 'The pools of a token with their locks, the deepest first',
    query: QUERIES.pages,
    unwraps: 'pools',
    list: 'pages',
  }),
  tokenRoute({
    id: 'listTokenCandles',
    path: '/tokens/:address/candles',
    document: documents.TOKEN_CANDLES,
    summary: 'The prices and trades of a token by interval, oldest first',
    query: QUERIES.candles,
    list: 'whole',
  }),
  tokenRoute({
    id: 'listTokenTraders',
    path: '/tokens/:address/traders',
    document: documents.TOKEN_TRADERS,
    summary: 'The traders of a token with the most profit, loss or volume',
    query: QUERIES.traders,
    list: 'whole',
  }),
  tokenRoute({
    id: 'getTokenLaunch',
    path: '/tokens/:address/launch',
    document: documents.TOKEN_LAUNCH,
    summary: 'Who was there when a token opened: what each group holds, sold and earned',
    query: QUERIES.pages,
    unwraps: 'launch_groups',
    toVariables: (values) => toStretch(values, pageOf(values)),
  }),
  tokenRoute({
    id: 'getTokenSafety',
    path: '/tokens/:address/safety',
    document: documents.TOKEN_SAFETY,
    summary: "The powers over holders in one token's contract, and whether it can be sold",
  }),
  tokenRoute({
    id: 'checkToken',
    method: 'POST',
    path: '/tokens/:address/check',
    document: documents.CHECK_TOKEN,
    summary: "Checks a token's contract now, and answers the verdict",
    ofChain: false,
    charge: CHECK_REQUESTS,
    onlyReads: true,
  }),
  chainRoute({
    id: 'askGate',
    path: '/gate',
    document: documents.GATE,
    summary: 'Whether a bot may trade a token now: allow, review or block, signed',
    query: QUERIES.gate,
    missing: NO_TOKEN,
    ofChain: false,
    charge: GATE_REQUESTS,
  }),
  chainRoute({
    id: 'backtestGate',
    path: '/gate/backtest',
    document: documents.GATE_BACKTEST,
    summary: "What the gate would have said of the past month's new tokens",
    query: QUERIES.gateBacktest,
    ofChain: false,
    charge: BACKTEST_REQUESTS,
  }),
  chainRoute({
    id: 'listWallets',
    path: '/wallets',
    document: documents.WALLETS,
    summary: 'Lists wallets that pass every filter, by reputation, profit or trades',
    query: QUERIES.wallets,
    toVariables: (values) => liftConditions(WALLET_CONDITIONS, values),
    list: 'cursor',
  }),
  walletRoute({
    id: 'getWallet',
    path: '/wallets/:address',
    document: documents.WALLET_PROFILE,
    summary: 'One wallet with its portfolio',
    shape: toRestWallet,
  }),
  walletRoute({
    id: 'listWalletEvents',
    path: '/wallets/:address/events',
    document: documents.WALLET_EVENTS,
    summary: 'The events of one wallet',
    query: QUERIES.walletEvents,
    toVariables: toEventList,
    unwraps: 'events',
    shape: toWalletEvents,
    adds: ['transfer_direction'],
    list: 'events',
  }),
  walletRoute({
    id: 'listWalletPositions',
    path: '/wallets/:address/positions',
    document: documents.WALLET_POSITIONS,
    summary: 'The tokens that a wallet holds or held, with cost and profit',
    query: QUERIES.positions,
    unwraps: 'positions',
    list: 'pages',
  }),
  walletRoute({
    id: 'listWalletLiquidity',
    path: '/wallets/:address/liquidity',
    document: documents.WALLET_LIQUIDITY,
    summary: 'The shares of pools that a wallet holds or held, the most valuable first',
    query: QUERIES.liquidity,
    list: 'whole',
  }),
  chainRoute({
    id: 'listEvents',
    path: '/events',
    document: documents.EVENTS,
    summary: 'The events of all tokens and wallets',
    query: QUERIES.events,
    toVariables: toEventList,
    list: 'events',
  }),
  walletRoute({
    id: 'getWalletScore',
    path: '/scores/wallet/:address',
    document: documents.WALLET_SCORE,
    summary: 'The reputation of a wallet with its dimensions',
    shape: toRestWalletScore,
    adds: ['unknown'],
  }),
  tokenRoute({
    id: 'getTokenScore',
    path: '/scores/token/:address',
    document: documents.TOKEN_SCORE,
    summary: 'The risk of a token with its dimensions',
    shape: toRestTokenScore,
    adds: ['unknown'],
  }),
  {
    id: 'getMe',
    method: 'GET',
    path: '/me',
    document: documents.ME,
    summary: 'Your plan, its limits, your usage by day and route, and your open streams',
    query: QUERIES.none,
    status: 200,
    ofChain: false,
  },
  keyRoute({
    id: 'listKeys',
    method: 'GET',
    path: '/me/keys',
    document: documents.API_KEYS,
    summary: 'The keys of your account that work, newest first',
    query: QUERIES.pages,
    list: 'pages',
  }),
  keyRoute({
    id: 'createKey',
    method: 'POST',
    path: '/me/keys',
    document: documents.CREATE_API_KEY,
    summary: 'Makes a key for your account',
    body: readKey,
    shape: toChangedKey,
    status: 201,
  }),
  keyRoute({
    id: 'getKey',
    method: 'GET',
    path: '/me/keys/:id',
    document: documents.ONE_API_KEY,
    summary: 'One key of your account',
    pathParam: id,
  }),
  keyRoute({
    id: 'updateKey',
    method: 'PATCH',
    path: '/me/keys/:id',
    document: documents.UPDATE_API_KEY,
    summary: 'Renames a key',
    pathParam: id,
    body: readKey,
    shape: toChangedKey,
  }),
  keyRoute({
    id: 'revokeKey',
    method: 'DELETE',
    path: '/me/keys/:id',
    document: documents.REVOKE_API_KEY,
    summary: 'Revokes a key for good',
    pathParam: id,
    status: 204,
  }),
  keyRoute({
    id: 'rotateKey',
    method: 'POST',
    path: '/me/keys/:id/rotate',
    document: documents.ROTATE_API_KEY,
    summary: 'Gives a key a new secret',
    pathParam: id,
    body: readRotation,
    shape: toChangedKey,
  }),
  alertRoute({
    id: 'listAlerts',
    method: 'GET',
    path: '/alerts',
    document: documents.ALERTS,
    summary: 'Your alerts, newest first',
    query: QUERIES.alerts,
    shape: toAlertPage,
    list: 'pages',
  }),
  alertRoute({
    id: 'createAlert',
    method: 'POST',
    path: '/alerts',
    document: documents.CREATE_ALERT,
    summary: 'Makes an active alert',
    body: (json) => readAlert(json, 'create'),
    shape: toChangedAlert,
    status: 201,
  }),
  alertRoute({
    id: 'backtestAlert',
    method: 'POST',
    path: '/alerts/backtest',
    document: documents.BACKTEST,
    summary: 'What an alert would have told in the past month',
    body: readBacktest,
    charge: BACKTEST_REQUESTS,
  }),
  alertRoute({
    id: 'getAlert',
    method: 'GET',
    path: '/alerts/:id',
    document: documents.ONE_ALERT,
    summary: 'One alert',
    pathParam: id,
    shape: toAlert,
  }),
  alertRoute({
    id: 'updateAlert',
    method: 'PATCH',
    path: '/alerts/:id',
    document: documents.UPDATE_ALERT,
    summary: 'Changes an alert',
    pathParam: id,
    body: (json) => readAlert(json, 'update'),
    shape: toChangedAlert,
  }),
  alertRoute({
    id: 'deleteAlert',
    method: 'DELETE',
    path: '/alerts/:id',
    document: documents.DELETE_ALERT,
    summary: 'Deletes an alert',
    pathParam: id,
    status: 204,
  }),
  alertRoute({
    id: 'rotateAlertSecret',
    method: 'POST',
    path: '/alerts/:id/secret',
    document: documents.ROTATE_SECRET,
    summary: 'Gives the webhook of an alert a new secret',
    pathParam: id,
    shape: toChangedAlert,
    missing: 'There is no such alert with a webhook.',
  }),
  alertRoute({
    id: 'testAlert',
    method: 'POST',
    path: '/alerts/:id/test',
    document: documents.TEST_ALERT,
    summary: 'Sends a test message by the channel of an alert',
    pathParam: id,
  }),
  policyRoute({
    id: 'listGatePolicies',
    method: 'GET',
    path: '/gate/policies',
    document: documents.GATE_POLICIES,
    summary: 'Your saved policies of the gate, by name',
    query: QUERIES.pages,
    shape: toAlertPage,
    list: 'pages',
  }),
  policyRoute({
    id: 'createGatePolicy',
    method: 'POST',
    path: '/gate/policies',
    document: documents.CREATE_GATE_POLICY,
    summary: 'Saves a policy of the gate',
    body: (json) => readPolicyBody(json, 'create'),
    unwraps: 'gate_policy',
    shape: toAlert,
    status: 201,
  }),
  policyRoute({
    id: 'getGatePolicy',
    method: 'GET',
    path: '/gate/policies/:name',
    document: documents.ONE_GATE_POLICY,
    summary: 'One saved policy of the gate',
    pathParam: name,
    shape: toAlert,
  }),
  policyRoute({
    id: 'updateGatePolicy',
    method: 'PATCH',
    path: '/gate/policies/:name',
    document: documents.UPDATE_GATE_POLICY,
    summary: 'Changes a saved policy of the gate',
    pathParam: name,
    body: (json) => readPolicyBody(json, 'update'),
    unwraps: 'gate_policy',
    shape: toAlert,
  }),
  policyRoute({
    id: 'deleteGatePolicy',
    method: 'DELETE',
    path: '/gate/policies/:name',
    document: documents.DELETE_GATE_POLICY,
    summary: 'Deletes a saved policy of the gate',
    pathParam: name,
    status: 204,
  }),
  {
    id: 'runSql',
    method: 'POST',
    path: '/sql',
    document: documents.SQL,
    summary: 'Runs one SELECT over events, candles, scores, tokens and wallets',
    query: QUERIES.none,
    body: readSql,
    status: 200,
    ofChain: false,
    charge: SQL_REQUESTS,
    onlyReads: true,
  },
]

/** The variables of a route's document, from the values of its request. */
export function toVariables(route: Route, values: Record<string, unknown>): Record<string, unknown> {
  const own = route.toVariables ? route.toVariables(values) : values
  return isPaged(route) ? toStretch(own, pageOf(values)) : own
}

const isPaged = ({ list }: Route): boolean => list !== undefined && list !== 'whole'

/** The answer of a route's document as the response body, and the link to the next page of a list. */
export function toBody(
  route: Route,
  answer: Record<string, unknown>,
  values: Record<string, unknown>,
  block: number,
): { body: unknown; link?: string | undefined } {
  const { document, unwraps, shape } = route
  const lifted = liftFields(document, answer)
  const inner = unwraps === undefined ? lifted : (lifted[unwraps] as Record<string, unknown>)
  const shaped = shape ? shape(inner, values) : inner
  if (!isPaged(route)) return { body: shaped }
  const { _end: end, ...listed } = shaped as Listed & { _end?: ListEnd }
  const body = { ...listed, ...pageOf(values) }
  return { body, link: nextLink(route, values, { body, end, block }) }
}
