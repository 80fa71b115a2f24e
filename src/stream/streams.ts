// The entry of this folder: streams of events over a ledger.
import type { ServerResponse } from 'node:http'
import type { Guard } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import type { EventFilter } from '../base/event-filter.ts'
import { createTurns } from '../base/turns.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { Database } from '../database/client.ts'
import { isBrokenOff } from '../database/transient-error.ts'
import type { HeadWatch } from '../ledger/head.ts'
import type { Log } from '../telemetry/log.ts'
import { createOutage } from '../telemetry/outage.ts'
import { type AlertFeed, createAlertFeed } from './alert-feed.ts'
import { type CheckSteps, createCheckSteps } from './check-steps.ts'
import type { StreamStart } from './event-start.ts'
import { openEvents } from './event-stream.ts'
import { createFeed } from './feed.ts'
import { createRowWatch, type RowWatch } from './row-watch.ts'
import { createScreens, type Screens } from './screens.ts'
import { createSessions, type Sessions, type SessionsDeps } from './session.ts'
import { HEARTBEAT_MS, type Sending, sendStream } from './sse.ts'
import { createTokenList, type TokenList } from './token-list.ts'

/** Whose stream it is, and when it ends. */
export interface StreamReader {
  accountId: number
  /** Aborted when the stream has to end. */
  signal: AbortSignal
}

export interface Streams {
  sessions: Sessions
  /**
   * The events of one reader, until their signal is aborted. Throws INVALID_PARAMS for a place from which it cannot
   * continue.
   */
  openEvents(filter: EventFilter, start: StreamStart, reader: StreamReader): ReturnType<typeof openEvents>
  /** Lists of tokens, and single tokens and wallets, as they change. */
  tokens: TokenList
  screens: Screens
  rows: RowWatch
  /** The steps of contract checks. */
  checkSteps: CheckSteps
  /** Alerts as they fire. */
  alerts: AlertFeed
  /** Sends a stream over the response until its reader has gone or the signal is aborted. */
  send(response: ServerResponse, sending: Sending, signal: AbortSignal): void
  stop(): Promise<void>
}

export interface StreamsDeps {
  database: Pick<Database, 'requestPool' | 'pool' | 'history'>
  head: HeadWatch
  board: Pick<BoardFeed, 'follow' | 'newest' | 'onMove' | 'isLoaded'>
  guard: Pick<Guard, 'charge'>
  clock: Clock
  log: Pick<Log, 'info' | 'error'>
  /** Other bounds than the defaults, for tests. */
  bounds?: Pick<SessionsDeps, 'maxStreams' | 'lookEveryMs'> & { heartbeatMs?: number; logEvents?: number }
}

/** The streams of a process. */
export function createStreams({ database, head, board, guard, clock, log, bounds }: StreamsDeps): Streams {
  const tell = (what: string) =>
    createOutage(
      (error) => log.error({ err: error }, `${what}; it is tried again until it works`),
      () => log.info({}, 'streams work again'),
      isBrokenOff,
    )
  const feed = createFeed(database, head, tell('the events for streams could not be read'), bounds?.logEvents)
  const sessions = createSessions({
    database,
    guard,
    clock,
    outage: tell('open streams could not be checked'),
    ...bounds,
  })
  const tokens = createTokenList(board)
  const screens = createScreens(board, tell('lists for streams could not be made'))
  const alerts = createAlertFeed(database, clock, tell('alerts for streams could not be read'))
  const turns = createTurns()
  const rows = createRowWatch(database, head, tell('watched tokens and wallets could not be read'))
  const checkSteps = createCheckSteps(database, clock, tell('the steps of checks could not be read'))
  return {
    sessions,
    tokens,
    screens,
    rows,
    checkSteps,
    alerts,
    openEvents: (filter, start, { accountId, signal }) =>
      openEvents({ database, head, feed, inTurn: turns(accountId) }, filter, start, signal),
    send: (response, sending, signal) => {
      const onFault = (error: unknown) => log.error({ err: error }, 'a stream failed')
      void sendStream(response, sending, signal, { onFault, heartbeatMs: bounds?.heartbeatMs ?? HEARTBEAT_MS })
    },
    stop: async () => {
      sessions.leave()
      feed.stop()
      rows.stop()
      checkSteps.stop()
      screens.stop()
      await alerts.stop()
      await sessions.stop()
    },
  }
}
