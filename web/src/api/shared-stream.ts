// One stream of events for all tabs. A browser allows six connections to a server, so a stream per tab would leave none
// for the queries of the seventh. The visible tabs choose a leader by a lock. The leader follows the tokens of all
// visible tabs, and sends them the events over a channel. A hidden tab takes no part, so the stream ends when all tabs
// are hidden.
import type { ResultOf } from 'gql.tada'
import { keptName } from '../chain.ts'
import { graphql } from './graphql.ts'
import { isPlanLimited } from './pace.ts'
import { subscribe } from './subscribe.ts'

const LIVE = graphql(`
subscription Live($tokens: [Address!]!, $after: ID) {
  events(filter: { tokens: $tokens }, after: $after) {
    id cursor retracted
    event { id type direction timestamp amountUsd quantity priceUsd walletAddress transactionHash tokenAddress }
  }
}`)

export type Update = ResultOf<typeof LIVE>['events']

/** The most tokens in a filter of events. */
const MOST_TOKENS = 100
/** How long the leader waits for the tokens of the other tabs. */
const GATHER_MS = 200
/** On a plan with limits a stream costs a request, which a short visit does not need. */
const GATHER_LIMITED_MS = 4_000

interface Reader {
  onUpdate(update: Update): void
  /** Whether events come as they happen. */
  onLive(isLive: boolean): void
  /** Earlier events may be gone: the place in the events is unknown now. */
  onRestart(): void
}

type Message =
  | { kind: 'who' }
  | { kind: 'want'; address: string }
  | { kind: 'update'; update: Update }
  /** The tokens whose events come as they happen. */
  | { kind: 'live'; tokens: readonly string[] }
  | { kind: 'restart' }

/** The place of a reader in the events. */
interface Place {
  after: string | null
}

/** Follows the events of a token while this tab is visible. Returns a function that stops it. */
export function followEvents(address: string, secret: string, reader: Reader): () => void {
  const place: Place = { after: null }
  let leave: (() => void) | undefined
  const attend = () => {
    if (!document.hidden) leave ??= takePart(address, secret, place, reader)
    else if (leave) {
      leave()
      leave = undefined
      reader.onLive(false)
    }
  }
  document.addEventListener('visibilitychange', attend)
  attend()
  return () => {
    document.removeEventListener('visibilitychange', attend)
    leave?.()
  }
}

function takePart(address: string, secret: string, place: Place, reader: Reader): () => void {
  const name = keptName(`assay-events-${hash(secret)}`)
  const channel = new BroadcastChannel(name)
  const ending = new AbortController()
  let want: ((token: string) => void) | undefined
  const receive = (message: Message) => {
    if (message.kind === 'who') channel.postMessage({ kind: 'want', address })
    else if (message.kind === 'want') want?.(message.address)
    else if (message.kind === 'live') reader.onLive(message.tokens.includes(address))
    else if (message.kind === 'restart') {
      place.after = null
      reader.onRestart()
    } else {
      const { cursor, event } = message.update
      place.after = cursor
      // A retraction has no event: its identifier is enough.
      if (!event || event.tokenAddress === address) reader.onUpdate(message.update)
    }
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data)
  channel.postMessage({ kind: 'want', address })
  let isClosed = false
  const leadUntilEnd = async () => {
    if (ending.signal.aborted) return
    const leader = lead(address, place, (message) => {
      // A stream ends a moment after its reader left.
      if (isClosed) return
      channel.postMessage(message)
      if (message.kind !== 'who') receive(message)
    })
    want = leader.want
    await new Promise<void>((resolve) =>
      ending.signal.addEventListener('abort', () => {
        leader.stop()
        resolve()
      }),
    )
  }
  // Without locks, which a browser has for safe addresses only, each visible tab has its own stream.
  if (navigator.locks)
    navigator.locks.request(name, { signal: ending.signal }, leadUntilEnd).catch(() => {
      // This tab has left before its turn came.
    })
  else void leadUntilEnd()
  return () => {
    ending.abort()
    isClosed = true
    channel.close()
  }
}

/** Keeps one stream open for the tokens of all visible tabs. `tell` reaches every tab, including this one. */
function lead(own: string, place: Place, tell: (message: Message) => void) {
  let gathered = new Set([own])
  let followed: readonly string[] = []
  let live: readonly string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let end: (() => void) | undefined
  const setLive = (tokens: readonly string[]) => {
    live = tokens
    tell({ kind: 'live', tokens })
  }
  const open = () => {
    timer = undefined
    if ([...gathered].every((token) => followed.includes(token))) return
    end?.()
    const tokens = [...gathered].slice(0, MOST_TOKENS)
    followed = tokens
    end = subscribe(LIVE, () => ({ tokens, after: place.after }), {
      onLive: (isLive) => setLive(isLive ? tokens : []),
      onData: ({ events }) => tell({ kind: 'update', update: events }),
      // The cursor is too old, or of another server.
      onRefused: () => {
        if (place.after === null) return false
        tell({ kind: 'restart' })
        return true
      },
    })
  }
  const gather = () => {
    gathered = new Set([own])
    tell({ kind: 'who' })
    timer = setTimeout(open, isPlanLimited() ? GATHER_LIMITED_MS : GATHER_MS)
  }
  gather()
  return {
    want: (token: string) => {
      gathered.add(token)
      if (followed.includes(token)) tell({ kind: 'live', tokens: live })
      else if (timer === undefined) gather()
    },
    stop: () => {
      clearTimeout(timer)
      end?.()
      if (live.length > 0) tell({ kind: 'live', tokens: [] })
    },
  }
}

/** A name for the key that does not reveal it: tabs with different keys share nothing. */
function hash(text: string): number {
  let sum = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 16_777_619)
  return sum >>> 0
}
