// The client: a method for each operation of the API, typed by its description.
import type { components, operations } from './openapi.ts'
import { type Asked, type Query, send, type Transport } from './request.ts'
import { follow, type ScreenUpdate, type StreamedEvent } from './stream.ts'

type Schemas = components['schemas']
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

export interface ClientOptions {
  key: string
  /** Where the API is, with or without `/v1`; default: this machine. */
  baseUrl?: string
  fetch?: typeof fetch
  /** Tries after the first; default 3. */
  retries?: number
  /** A `Retry-After` that is longer is thrown as an error; default 60. */
  maxWaitSeconds?: number
  /** The timeout of one try, in milliseconds; default 30,000. */
  timeoutMs?: number
  /**
   * A stream that is silent for this long connects again, in milliseconds; default 45,000: the server sends a byte
   * every 15 s.
   */
  silenceMs?: number
  /** The waiting function; default: a timer. */
  sleep?: Transport['sleep']
}

export interface CallOptions {
  signal?: AbortSignal
}

/** Of a request that is sent once, however often it is tried: without a key of yours the client makes one. */
export interface OnceOptions extends CallOptions {
  idempotencyKey?: string
}

interface Listed<Item> {
  data: Item[]
  total: number
  page: number
  limit: number
}

/** A list: one page as a promise, every item of every page by `for await`, or one page as CSV. */
export interface Pages<Item, Answer = Listed<Item>> extends PromiseLike<Answer>, AsyncIterable<Item> {
  csv(): Promise<string>
}

/** Creates a client; it keeps no state and no connection of its own. */
export function createClient(options: ClientOptions) {
  const transport: Transport = {
    baseUrl: `${(options.baseUrl ?? 'http://127.0.0.1:4000').replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`,
    key: options.key,
    fetch: options.fetch ?? fetch,
    retries: options.retries ?? 3,
    maxWaitSeconds: options.maxWaitSeconds ?? 60,
    timeoutMs: options.timeoutMs ?? 30_000,
    silenceMs: options.silenceMs ?? 45_000,
    sleep: options.sleep ?? sleep,
  }
  const read = async <T>(asked: Asked): Promise<T> => (await send(transport, asked)).json() as Promise<T>
  const get = <T>(path: string, { signal }: CallOptions = {}) => read<T>({ path, signal })
  const list = <Item, Answer extends { data: Item[] } = Listed<Item>>(
    path: string,
    query: object | undefined,
    { signal }: CallOptions = {},
  ): Pages<Item, Answer> => toPages(transport, { path, query: query as Query, signal })
  const postOnce = <Answer>(
    path: string,
    { signal, idempotencyKey = crypto.randomUUID() }: OnceOptions = {},
    body?: unknown,
  ) => read<Answer>({ method: 'POST', path, body, headers: { 'idempotency-key': idempotencyKey }, signal })
  const alert = (id: string) => `/alerts/${encodeURIComponent(id)}`
  const policy = (name: string) => `/gate/policies/${encodeURIComponent(name)}`
  const at = (path: string, address: string) => `${path}/${encodeURIComponent(address)}`

  return {
    listTokens: (query?: QueryOf<'listTokens'>, call?: CallOptions) => list<Schemas['Token']>('/tokens', query, call),
    /** Tokens by symbol, name or the start of their address, and wallets by the start of theirs. */
    search: (query: QueryOf<'search'>, { signal }: CallOptions = {}) =>
      read<Schemas['Search']>({ path: '/search', query, signal }),
    getToken: (address: string, call?: CallOptions) => get<Schemas['TokenProfile']>(at('/tokens', address), call),
    getTokenSafety: (address: string, call?: CallOptions) =>
      get<Schemas['TokenSafety']>(`${at('/tokens', address)}/safety`, call),
    /** Checks the contract now, and waits up to 15 s. It costs ten requests. */
    checkToken: (address: string, { signal }: CallOptions = {}) =>
      read<Schemas['TokenCheckPayload']>({ path: `${at('/tokens', address)}/check`, method: 'POST', signal }),
    /** Who was there at the launch: snipers, bundlers, insiders, the developer and fresh wallets. */
    getTokenLaunch: (address: string, query?: QueryOf<'getTokenLaunch'>, { signal }: CallOptions = {}) =>
      read<Schemas['TokenLaunchGroups']>({ path: `${at('/tokens', address)}/launch`, query, signal }),
    /** Whether a bot may buy a token now. It costs five requests. */
    askGate: (query: QueryOf<'askGate'>, { signal }: CallOptions = {}) =>
      read<Schemas['Gate']>({ path: '/gate', query, signal }),
    /** What the gate would have said of the past month's new tokens. It costs five requests. */
    backtestGate: (query?: QueryOf<'backtestGate'>, { signal }: CallOptions = {}) =>
      read<Schemas['GateBacktest']>({ path: '/gate/backtest', query, signal }),
    /** Policies that the gate takes by their names. */
    listGatePolicies: (query?: QueryOf<'listGatePolicies'>, call?: CallOptions) =>
      list<Schemas['GatePolicy']>('/gate/policies', query, call),
    getGatePolicy: (name: string, call?: CallOptions) => get<Schemas['GatePolicy']>(policy(name), call),
    createGatePolicy: (body: Schemas['CreateGatePolicyInput'], call?: OnceOptions) =>
      postOnce<Schemas['GatePolicy']>('/gate/policies', call, body),
    updateGatePolicy: (name: string, body: Schemas['UpdateGatePolicyInput'], { signal }: CallOptions = {}) =>
      read<Schemas['GatePolicy']>({ method: 'PATCH', path: policy(name), body, signal }),
    deleteGatePolicy: async (name: string, { signal }: CallOptions = {}): Promise<void> => {
      await send(transport, { method: 'DELETE', path: policy(name), signal })
    },
    listTokenHolders: (address: string, query?: QueryOf<'listTokenHolders'>, call?: CallOptions) =>
      list<Schemas['TokenHolder']>(`${at('/tokens', address)}/holders`, query, call),
    listTokenPools: (address: string, query?: QueryOf<'listTokenPools'>, call?: CallOptions) =>
      list<Schemas['TokenPool']>(`${at('/tokens', address)}/pools`, query, call),
    listTokenCandles: (address: string, query?: QueryOf<'listTokenCandles'>, call?: CallOptions) =>
      list<Schemas['Candle'], Schemas['TokenCandles']>(`${at('/tokens', address)}/candles`, query, call),
    listTokenTraders: (address: string, query?: QueryOf<'listTokenTraders'>, call?: CallOptions) =>
      list<Schemas['Trader'], Schemas['TokenTraders']>(`${at('/tokens', address)}/traders`, query, call),
    listWallets: (query?: QueryOf<'listWallets'>, call?: CallOptions) =>
      list<Schemas['ListedWallet'], Schemas['WalletPage']>('/wallets', query, call),
    getWallet: (address: string, call?: CallOptions) => get<Schemas['Wallet']>(at('/wallets', address), call),
    listWalletPositions: (address: string, query?: QueryOf<'listWalletPositions'>, call?: CallOptions) =>
      list<Schemas['WalletPosition']>(`${at('/wallets', address)}/positions`, query, call),
    listWalletLiquidity: (address: string, query?: QueryOf<'listWalletLiquidity'>, call?: CallOptions) =>
      list<Schemas['LiquidityPosition'], Schemas['WalletLiquidity']>(
        `${at('/wallets', address)}/liquidity`,
        query,
        call,
      ),
    listWalletEvents: (address: string, query?: QueryOf<'listWalletEvents'>, call?: CallOptions) =>
      list<Schemas['WalletEvent']>(`${at('/wallets', address)}/events`, query, call),
    listEvents: (query?: QueryOf<'listEvents'>, call?: CallOptions) => list<Schemas['Event']>('/events', query, call),
    getTokenScore: (address: string, call?: CallOptions) =>
      get<Schemas['TokenScore']>(at('/scores/token', address), call),
    getWalletScore: (address: string, call?: CallOptions) =>
      get<Schemas['WalletScore']>(at('/scores/wallet', address), call),
    /** Your plan, its limits and your usage by day. */
    getMe: (call?: CallOptions) => get<Schemas['Me']>('/me', call),
    listAlerts: (query?: QueryOf<'listAlerts'>, call?: CallOptions) => list<Schemas['Alert']>('/alerts', query, call),
    getAlert: (id: string, call?: CallOptions) => get<Schemas['Alert']>(alert(id), call),
    /** Safe to try again: without an `idempotencyKey` of yours the client makes one. */
    createAlert: (body: Schemas['CreateAlertInput'], call?: OnceOptions) =>
      postOnce<Schemas['NewAlert']>('/alerts', call, body),
    /** The past month's matches of an alert with these conditions. Costs five requests. */
    backtestAlert: (body: Schemas['BacktestInput'], { signal }: CallOptions = {}) =>
      read<Schemas['Backtest']>({ method: 'POST', path: '/alerts/backtest', body, signal }),
    /** The answer to one SELECT, for accounts on the API plan. Costs five requests. */
    runSql: (query: string, { signal }: CallOptions = {}) =>
      read<Schemas['SqlAnswer']>({ method: 'POST', path: '/sql', body: { query }, signal }),
    updateAlert: (id: string, body: Schemas['UpdateAlertInput'], { signal }: CallOptions = {}) =>
      read<Schemas['Alert']>({ method: 'PATCH', path: alert(id), body, signal }),
    /** The answer shows the new secret of a webhook, once. */
    rotateAlertSecret: (id: string, call?: OnceOptions) =>
      postOnce<Schemas['AlertWithSecret']>(`${alert(id)}/secret`, call),
    /** Sends one message that is marked as a test, and answers what its receiver said. Three a minute at most. */
    testAlert: (id: string, call?: OnceOptions) => postOnce<Schemas['AlertTestPayload']>(`${alert(id)}/test`, call),
    deleteAlert: async (id: string, { signal }: CallOptions = {}): Promise<void> => {
      await send(transport, { method: 'DELETE', path: alert(id), signal })
    },
    /** A ticket that opens one stream without a key: `new EventSource(url + '?ticket=' + ticket)`. */
    createStreamTicket: ({ signal }: CallOptions = {}) =>
      read<Schemas['StreamTicket']>({ method: 'POST', path: '/stream/ticket', signal }),
    /** Events as they happen; continues by itself after a lost connection. See docs/streams.md. */
    streamEvents: (
      query: Omit<QueryOf<'streamEvents'>, 'after'> = {},
      more: CallOptions & { after?: string } = {},
    ): AsyncGenerator<StreamedEvent, void, undefined> => follow(transport, '/stream/events', query, more),
    /** A list of tokens as it changes; continues by itself after a lost connection. See docs/streams.md. */
    streamTokens: (
      query: Omit<QueryOf<'streamTokens'>, 'after'> = {},
      more: CallOptions & { after?: string } = {},
    ): AsyncGenerator<ScreenUpdate, void, undefined> => follow(transport, '/stream/tokens', query, more),
  }
}

/** A list that is requested when a caller awaits it. */
function toPages<Item, Answer extends { data: Item[] }>(transport: Transport, asked: Asked): Pages<Item, Answer> {
  const ask = async (more: Asked) => {
    const response = await send(transport, more)
    return { answer: (await response.json()) as Answer, next: NEXT.exec(response.headers.get('link') ?? '')?.[1] }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is one page to whoever awaits it.
    then: (done, failed) =>
      ask(asked)
        .then(({ answer }) => answer)
        .then(done, failed),
    csv: async () => (await send(transport, { ...asked, headers: { accept: 'text/csv' } })).text(),
    async *[Symbol.asyncIterator]() {
      const told = new Set<unknown>()
      let path: string | undefined = asked.path
      let query: Query | undefined = { limit: 200, ...asked.query }
      while (path !== undefined) {
        const { answer, next }: Awaited<ReturnType<typeof ask>> = await ask({ ...asked, path, query })
        for (const item of answer.data) if (isNew(item, told)) yield item
        path = next
        query = undefined
      }
    },
  }
}

/** The header Link of a page that another page follows. */
const NEXT = /^<\/v1([^>]+)>; rel="next"$/

/**
 * Whether an item was not returned before. The pages of events continue at an event, so nothing comes twice; other
 * pages may move by new items, so each item is remembered.
 */
function isNew(item: unknown, told: Set<unknown>): boolean {
  const { id, address } = item as { id?: string; address?: string }
  const identity = id ?? address
  if (identity === undefined || /^\d+-\d+-\d+$/.test(identity)) return true
  if (told.has(identity)) return false
  told.add(identity)
  return true
}

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
