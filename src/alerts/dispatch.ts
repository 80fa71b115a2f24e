// Hands events to their webhooks. After each batch of blocks, every new or retracted event is matched against the
// filters. One transaction writes the messages and moves the place, so that a kill loses nothing.

import type { Clock } from '../base/clock.ts'
import { createMatch } from '../base/event-filter.ts'
import { itemAt } from '../base/item-at.ts'
import { isBehind, type MaxLag } from '../base/max-lag.ts'
import type { Database, pg } from '../database/client.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  type DispatchPlace,
  type EventMessage,
  endDispatch,
  forgetEventMessages,
  lockDispatch,
  MAX_WAITING,
  MESSAGE_EVENTS,
  moveDispatch,
  readDispatch,
  readEventWebhooks,
  readLag,
  writeEventMessages,
} from '../ledger/alerts/event-webhook.ts'
import {
  ALL_EVENTS,
  type FeedEvent,
  type Reorg,
  readFeed,
  readFeedEnd,
  readReorgs,
  readRetracted,
  toSentEvent,
} from '../ledger/read/event-feed.ts'
import type { Log } from '../telemetry/log.ts'

/** Events of a transaction. */
const CHUNK = 1_000
/** Characters of messages that are written at once. */
const WRITTEN_AT_ONCE = 4_000_000
/** Webhooks that are matched in one turn of the event loop. */
const MATCHED_TOGETHER = 50
const DROPPED = `events of a webhook are dropped while ${MAX_WAITING} of its messages wait: its next message has the number`
/** The interval of the search for old messages. */
const FORGET_EVERY_MS = 3_600_000

export interface DispatchDeps {
  database: Database
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Further behind its source, the index is catching up: no events are handed on. */
  maxLag: MaxLag
}

interface Receiver {
  id: string
  isWanted: (event: FeedEvent) => boolean
}

/** A transaction that has the turn to hand on events. */
interface Turn extends Pick<DispatchDeps, 'clock' | 'log'> {
  client: pg.PoolClient
}

/** Writes the messages of each receiver's wanted events. */
async function hand(
  { client, clock, log }: Turn,
  receivers: readonly Receiver[],
  events: readonly FeedEvent[],
  retracted: boolean,
): Promise<void> {
  const texts = events.map((event) => JSON.stringify(toSentEvent(event, retracted)))
  let messages: EventMessage[] = []
  let size = 0
  const write = async () => {
    for (const { webhookId: webhook, events } of await writeEventMessages(client, messages, clock.now()))
      log.warn({ webhook, events }, DROPPED)
    messages = []
    size = 0
  }
  for (const [place, { id, isWanted }] of receivers.entries()) {
    const wanted = texts.filter((_, at) => isWanted(itemAt(events, at)))
    for (let at = 0; at < wanted.length; at += MESSAGE_EVENTS) {
      const some = wanted.slice(at, at + MESSAGE_EVENTS)
      const text = `[${some.join(',')}]`
      messages.push({ webhookId: id, events: text, count: some.length })
      size += text.length
      if (size >= WRITTEN_AT_ONCE) await write()
    }
    if (place % MATCHED_TOGETHER === MATCHED_TOGETHER - 1) await new Promise((next) => setImmediate(next))
  }
  await write()
}

/** Hands on the retractions of a reorganisation, newest first; returns the place after it. */
async function takeBack(turn: Turn, receivers: readonly Receiver[], reorg: Reorg, n: number): Promise<number> {
  if (reorg.forkBlock === null) return reorg.eventCount
  for (let below = n; ; ) {
    const events = await readRetracted(turn.client, reorg.id, below, CHUNK)
    const last = events.at(-1)
    if (!last) return Math.min(n, reorg.eventCount)
    await hand(turn, receivers, events, true)
    below = last.n - 1
  }
}

/** Whether there is work: most rounds find no new event, or no webhook. */
async function isDue(pool: pg.Pool): Promise<boolean> {
  const place = await readDispatch(pool)
  if ((await readEventWebhooks(pool)).length === 0) {
    if (place) await endDispatch(pool)
    return false
  }
  const end = await readFeedEnd(pool)
  return place === null || place.n !== end.n || place.generation !== end.generation
}

/** `run()` hands on new events, and returns the number of events it read; 0 if another process does. */
export function createDispatch({ database, clock, log, maxLag }: DispatchDeps) {
  let forgottenAtMs = -Infinity

  /** One chunk; null: another process has the turn. */
  const step = async (client: pg.PoolClient): Promise<{ looked: number; isAll: boolean } | null> => {
    const place = await lockDispatch(client, await readFeedEnd(client))
    if (!place) return null
    if (isBehind(await readLag(client), maxLag)) {
      await moveDispatch(client, await readFeedEnd(client))
      return { looked: 0, isAll: true }
    }
    const turn = { client, clock, log }
    const webhooks = await readEventWebhooks(client)
    const receivers = webhooks.map(({ id, filter }) => ({ id, isWanted: createMatch(filter) }))
    let { generation, n }: DispatchPlace = place
    // The next step notices a reorganisation between two of these reads.
    for (const reorg of (await readReorgs(client, generation)).reorgs) {
      n = await takeBack(turn, receivers, reorg, n)
      generation = reorg.id
    }
    const read = await readFeed(client, { above: n, below: null }, CHUNK, ALL_EVENTS)
    const isSame = read.generation === generation
    if (isSame) {
      await hand(turn, receivers, read.events, false)
      n = read.events.at(-1)?.n ?? n
    }
    await moveDispatch(client, { generation, n })
    return { looked: read.events.length, isAll: isSame && read.events.length < CHUNK }
  }

  const forget = async () => {
    const nowMs = clock.monotonicMs()
    if (nowMs - forgottenAtMs < FORGET_EVERY_MS) return
    forgottenAtMs = nowMs
    await inTransaction(database.pool, (client) => forgetEventMessages(client, clock.now()))
  }

  return {
    async run(signal?: AbortSignal): Promise<number> {
      let looked = 0
      while (!signal?.aborted && (await isDue(database.pool))) {
        const done = await inTransaction(database.pool, step)
        looked += done?.looked ?? 0
        if (!done || done.isAll) break
      }
      await forget()
      return looked
    },
  }
}
