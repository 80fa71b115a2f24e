// The client: a method for each operation of the API, typed by its description.
import type { components, operations } from './openapi.ts'
import { type Asked, type Query, send, type Transport } from './request.ts'
import { follow, type StreamedEvent } from './stream.ts'

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

interface Listed<Item> {
  data: Item[]
  total: number
  page: number
  limit: number
}

/** One page as a promise, or every item of every page by `for await`. */
export type Pages<Item> = PromiseLike<Listed<Item>> & AsyncIterable<Item>

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
  const list = <Item>(path: string, query: object | undefined, { signal }: CallOptions = {}): Pages<Item> =>
    toPages((page) => read<Listed<Item>>({ path, query: { ...query, ...page } as Query, signal }), query)
  const alert = (id: string) => `/alerts/${encodeURIComponent(id)}`
  const at = (path: string, address: string) => `${path}/${encodeURIComponent(address)}`

  return {
    listTokens: (query?: QueryOf<'listTokens'>, call?: CallOptions) => list<Schemas['Token']>('/tokens', query, call),
    getToken: (address: string, call?: CallOptions) => get<Schemas['TokenProfile']>(at('/tokens', address), call),
    getWallet: (address: string, call?: CallOptions) => get<Schemas['Wallet']>(at('/wallets', address), call),
    listWalletEvents: (address: string, query?: QueryOf<'listWalletEvents'>, call?: CallOptions) =>
      list<Schemas['WalletEvent']>(`${at('/wallets', address)}/events`, query, call),
    listEvents: (query?: QueryOf<'listEvents'>, call?: CallOptions) => list<Schemas['Event']>('/events', query, call),
    getTokenScore: (address: string, call?: CallOptions) =>
      get<Schemas['TokenScore']>(at('/scores/token', address), call),
    getWalletScore: (address: string, call?: CallOptions) =>
      get<Schemas['WalletScore']>(at('/scores/wallet', address), call),
    listAlerts: (query?: QueryOf<'listAlerts'>, call?: CallOptions) => list<Schemas['Alert']>('/alerts', query, call),
    getAlert: (id: string, call?: CallOptions) => get<Schemas['Alert']>(alert(id), call),
    /** Safe to try again: without an `idempotencyKey` of yours the client makes one. */
    createAlert: (
      body: Schemas['CreateAlertInput'],
      { signal, idempotencyKey = crypto.randomUUID() }: CallOptions & { idempotencyKey?: string } = {},
    ) =>
      read<Schemas['NewAlert']>({
        method: 'POST',
        path: '/alerts',
        body,
        headers: { 'idempotency-key': idempotencyKey },
        signal,
      }),
    /** The past month's matches of an alert with these conditions. Costs five requests. */
    backtestAlert: (body: Schemas['BacktestInput'], { signal }: CallOptions = {}) =>
      read<Schemas['Backtest']>({ method: 'POST', path: '/alerts/backtest', body, signal }),
    updateAlert: (id: string, body: Schemas['UpdateAlertInput'], { signal }: CallOptions = {}) =>
      read<Schemas['Alert']>({ method: 'PATCH', path: alert(id), body, signal }),
    /** The answer shows the new secret of a webhook, once. */
    rotateAlertSecret: (
      id: string,
      { signal, idempotencyKey = crypto.randomUUID() }: CallOptions & { idempotencyKey?: string } = {},
    ) =>
      read<Schemas['AlertWithSecret']>({
        method: 'POST',
        path: `${alert(id)}/secret`,
        headers: { 'idempotency-key': idempotencyKey },
        signal,
      }),
    deleteAlert: async (id: string, { signal }: CallOptions = {}): Promise<void> => {
      await send(transport, { method: 'DELETE', path: alert(id), signal })
    },
    /** Events as they happen; continues by itself after a lost connection. See docs/streams.md. */
    streamEvents: (
      query: Omit<QueryOf<'streamEvents'>, 'after'> = {},
      more: CallOptions & { after?: string } = {},
    ): AsyncGenerator<StreamedEvent, void, undefined> => follow(transport, query, more),
  }
}

/** A list that is requested when a caller awaits it. */
function toPages<Item>(
  ask: (page: { page?: number; limit?: number }) => Promise<Listed<Item>>,
  query: { page?: number; limit?: number } = {},
): Pages<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is one page to whoever awaits it.
    then: (done, failed) => ask({}).then(done, failed),
    async *[Symbol.asyncIterator]() {
      const limit = query.limit ?? 200
      const isNew = createFilter()
      for (let page = query.page ?? 1; ; page += 1) {
        const { data, total, limit: used } = await ask({ page, limit })
        // New items move others to later pages: those are not returned twice.
        for (const item of data) if (isNew(item)) yield item
        if (page * used >= total || data.length === 0) return
      }
    },
  }
}

const EVENT_ID = /^(\d+)-(\d+)-(\d+)$/

/**
 * Whether an item was not returned before. Events come in the order of the chain, so the last one decides; other lists
 * remember every item.
 */
function createFilter(): (item: unknown) => boolean {
  const told = new Set<unknown>()
  let last: number[] | undefined
  return (item) => {
    const { id, address } = item as { id?: string; address?: string }
    const place = EVENT_ID.exec(id ?? '')
      ?.slice(1)
      .map(Number)
    if (place) {
      if (last && !isBefore(place, last)) return false
      last = place
      return true
    }
    const identity = id ?? address ?? item
    if (told.has(identity)) return false
    told.add(identity)
    return true
  }
}

const isBefore = (a: readonly number[], b: readonly number[]): boolean => {
  const differs = a.findIndex((part, at) => part !== b[at])
  return differs >= 0 && (a[differs] ?? 0) < (b[differs] ?? 0)
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
