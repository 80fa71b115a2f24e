// GET /v1/stream/events: the events of GET /v1/events as they happen, as server-sent events. An event that a
// reorganisation retracts comes again with `retracted`. A reader that comes back continues after its last `id`.
import type { Request, RequestHandler } from 'express'
import { invalid } from '../../base/errors.ts'
import type { EventFilter } from '../../base/event-filter.ts'
import type { Classification, EventType } from '../../base/vocabulary.ts'
import { toSentEvent } from '../../ledger/read/event-feed.ts'
import type { Cursor } from '../../stream/cursor.ts'
import type { EventDelivery } from '../../stream/feed.ts'
import { toSse } from '../../stream/sse.ts'
import type { Streams } from '../../stream/streams.ts'
import type { Traffic } from '../edge/traffic.ts'
import { QUERIES, readCursor } from './param.ts'
import { answerStream, readStreamQuery } from './send-stream.ts'

/** Below /v1. */
export const STREAM_PATH = '/stream/events'

interface Asked {
  type?: EventType
  tokenAddress?: string
  walletAddress?: string
  walletClassification?: Classification[]
  minAmountUsd?: number
  since?: string
  from?: string
  to?: string
  fromBlock?: number
  toBlock?: number
  after?: Cursor
}

/** The handler; it must be behind the guard. */
export const answerEventStream =
  (streams: Streams, traffic: Traffic): RequestHandler =>
  async (request, response) => {
    const asked = await readAsked(request)
    await answerStream(request, response, { streams, traffic, replaces: asked.after !== undefined }, async (reader) => {
      const start = { after: asked.after, since: toTime(asked.since) }
      const stream = await streams.openEvents(toFilter(asked), start, reader)
      if (stream.isFinished) return null
      let { cursor } = stream
      async function* toTexts() {
        for await (const batch of stream.batches) {
          yield toText(batch.deliveries)
          cursor = batch.cursor
        }
      }
      return { batches: toTexts(), resume: () => cursor }
    })
  }

async function readAsked(request: Request): Promise<Asked> {
  const { values, faults } = await readStreamQuery(request, QUERIES.eventStream, readCursor)
  const { from, to, fromBlock = 0, toBlock = Infinity } = values as Asked
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'query', field, message: `${field} ${message}` })
  if (from && to && from > to) addFault('to', 'must not be before from')
  if (fromBlock > toBlock) addFault('to_block', 'must not be below from_block')
  if (faults.length > 0) throw invalid(faults)
  return values
}

const toTime = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

const toFilter = (asked: Asked): EventFilter => {
  const { type, tokenAddress, walletAddress, walletClassification, minAmountUsd, fromBlock, toBlock } = asked
  const [from, to] = [toTime(asked.from), toTime(asked.to)]
  return {
    ...(type && { types: [type] }),
    ...(tokenAddress && { tokens: [tokenAddress] }),
    ...(walletAddress && { wallets: [walletAddress] }),
    ...(walletClassification && { walletClassifications: walletClassification }),
    ...(minAmountUsd && { minAmountUsd }),
    ...(from && { from }),
    ...(to && { to }),
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
  }
}

/** The text of messages that several readers get at once. */
const joined = new WeakMap<readonly EventDelivery[], string>()

function toText(deliveries: readonly EventDelivery[]): string {
  const known = joined.get(deliveries)
  if (known !== undefined) return known
  const text = deliveries.map(toMessage).join('')
  if (deliveries[0]?.isShared) joined.set(deliveries, text)
  return text
}

/** The text of a delivery; many readers share one. */
const texts = new WeakMap<EventDelivery, string>()

function toMessage(delivery: EventDelivery): string {
  const known = texts.get(delivery)
  if (known !== undefined) return known
  const { event, retracted, cursor } = delivery
  const text = toSse({ id: cursor, data: JSON.stringify(toSentEvent(event, retracted)) })
  if (delivery.isShared) texts.set(delivery, text)
  return text
}
