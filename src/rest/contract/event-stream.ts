// GET /v1/stream/events: the events of GET /v1/events as they happen, as server-sent events. An event that a
// reorganisation retracts comes again with `retracted`. A reader that comes back continues after its last `id`.
import type { Request, RequestHandler } from 'express'
import { AssayError, invalid } from '../../base/errors.ts'
import type { EventFilter } from '../../base/event-filter.ts'
import type { Classification, EventType } from '../../base/vocabulary.ts'
import { toSentEvent } from '../../ledger/read/event-feed.ts'
import type { Cursor } from '../../stream/cursor.ts'
import type { EventDelivery } from '../../stream/feed.ts'
import { REPLACED_RETRY_MS, SSE_HEADERS, toSse } from '../../stream/sse.ts'
import type { Streams } from '../../stream/streams.ts'
import { localsOf, setLimitHeaders } from '../edge/admit.ts'
import { checkSize, skipBody } from '../edge/body.ts'
import { respond } from '../edge/respond.ts'
import { beginStream } from '../edge/stream.ts'
import type { Traffic } from '../edge/traffic.ts'
import { QUERIES, readCursor } from './param.ts'
import { readQuery } from './params.ts'

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
export function answerEventStream({ sessions, openEvents, send }: Streams, traffic: Traffic): RequestHandler {
  return async (request, response) => {
    const { admission } = localsOf(response)
    if (!admission) throw new Error('the route is not mounted behind the guard')
    const asked = await readAsked(request)
    const { caller, charge } = admission
    const session = await sessions
      .open({ caller, charge, replaces: asked.after !== undefined })
      .catch(async (error) => {
        // A refusal for the limits costs nothing, as on every route.
        if (error instanceof AssayError && error.code === 'RATE_LIMITED') await charge.refund()
        throw error
      })
    response.once('close', session.close)
    try {
      const start = { after: asked.after, since: toTime(asked.since) }
      const stream = await openEvents(toFilter(asked), start, {
        accountId: caller.accountId,
        signal: session.signal,
      })
      if (response.destroyed) return session.close()
      if (stream.isFinished) {
        session.close()
        // A browser's EventSource connects again after every end but this one.
        return await respond(request, response, { status: 204, headers: { 'cache-control': 'no-store' }, body: '' })
      }
      setLimitHeaders(response)
      response.writeHead(200, SSE_HEADERS)
      if (request.method === 'HEAD') return void response.end()
      beginStream(response, traffic)
      let cursor = stream.cursor
      async function* toTexts() {
        for await (const batch of stream.batches) {
          yield toText(batch.deliveries)
          cursor = batch.cursor
        }
      }
      const toEnd = ({ reason, message }: { reason: string; message: string }, resume: string | null) =>
        toSse({
          ...(resume !== null && { id: resume }),
          event: 'end',
          ...(reason === 'replaced' && { retry: REPLACED_RETRY_MS }),
          data: JSON.stringify({ reason, message, resume }),
        })
      send(response, { batches: toTexts(), resume: () => cursor, toEnd }, session.signal)
    } catch (error) {
      session.close()
      throw error
    }
  }
}

/**
 * Reads the parameters. A browser that connects again sends the last `id` in a header, which is newer than the
 * parameter.
 */
async function readAsked(request: Request): Promise<Asked> {
  await skipBody(request)
  checkSize(request, request.originalUrl)
  const mark = request.originalUrl.indexOf('?')
  const { values, faults } = readQuery(mark < 0 ? '' : request.originalUrl.slice(mark + 1), QUERIES.eventStream)
  const last = request.get('last-event-id')
  const read = last ? readCursor(last) : { value: values.after }
  if ('fault' in read)
    faults.push({ location: 'header', field: 'last-event-id', message: `last-event-id ${read.fault}` })
  const { from, to, fromBlock = 0, toBlock = Infinity } = values as Asked
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'query', field, message: `${field} ${message}` })
  if (from && to && from > to) addFault('to', 'must not be before from')
  if (fromBlock > toBlock) addFault('to_block', 'must not be below from_block')
  if (faults.length > 0) throw invalid(faults)
  return { ...values, ...('value' in read && { after: read.value as Cursor }) }
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
