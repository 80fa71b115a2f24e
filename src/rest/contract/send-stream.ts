// What the streams of REST share: their parameters, the place that each takes, its headers and its last message.
import type { Request, Response } from 'express'
import { AssayError } from '../../base/errors.ts'
import { REPLACED_RETRY_MS, type Sending, SSE_HEADERS, toSse } from '../../stream/sse.ts'
import type { StreamReader, Streams } from '../../stream/streams.ts'
import { admissionOf, setLimitHeaders } from '../edge/admit.ts'
import { checkSize, skipBody } from '../edge/body.ts'
import { respond } from '../edge/respond.ts'
import { beginStream } from '../edge/stream.ts'
import type { Traffic } from '../edge/traffic.ts'
import type { Param } from './param.ts'
import { type Params, readQuery } from './params.ts'

/**
 * Reads the parameters. A browser that connects again sends the last `id` in a header, which is newer than the
 * parameter.
 */
export async function readStreamQuery(
  request: Request,
  known: Readonly<Record<string, Param>>,
  readPlace: Param['read'],
): Promise<Params> {
  await skipBody(request)
  checkSize(request, request.originalUrl)
  const mark = request.originalUrl.indexOf('?')
  const { values, faults } = readQuery(mark < 0 ? '' : request.originalUrl.slice(mark + 1), known)
  const last = request.get('last-event-id')
  const read = last ? readPlace(last) : { value: values.after }
  if ('fault' in read)
    faults.push({ location: 'header', field: 'last-event-id', message: `last-event-id ${read.fault}` })
  return { values: { ...values, ...('value' in read && { after: read.value }) }, faults }
}

interface Answering {
  streams: Pick<Streams, 'sessions' | 'send'>
  traffic: Traffic
  /** Whether the reader goes on, in place of an older stream. */
  replaces: boolean
}

/** Opens a stream behind the guard. `open` gives null for a stream that is over. */
export async function answerStream(
  request: Request,
  response: Response,
  { streams, traffic, replaces }: Answering,
  open: (reader: StreamReader) => Promise<Omit<Sending, 'toEnd'> | null>,
): Promise<void> {
  const admission = admissionOf(response)
  const { caller, charge } = admission
  const session = await streams.sessions.open({ caller, charge, replaces }).catch(async (error) => {
    // A refusal for the limits costs nothing, as on every route.
    if (error instanceof AssayError && error.code === 'RATE_LIMITED') await charge.refund()
    throw error
  })
  response.once('close', session.close)
  try {
    const stream = await open({ accountId: caller.accountId, signal: session.signal })
    if (response.destroyed) return session.close()
    if (!stream) {
      session.close()
      // A browser's EventSource connects again after every end but this one.
      return await respond(request, response, { status: 204, headers: { 'cache-control': 'no-store' }, body: '' })
    }
    setLimitHeaders(response)
    response.writeHead(200, SSE_HEADERS)
    if (request.method === 'HEAD') return void response.end()
    beginStream(response, traffic)
    streams.send(response, { ...stream, toEnd }, session.signal)
  } catch (error) {
    session.close()
    throw error
  }
}

const toEnd: Sending['toEnd'] = ({ reason, message }, resume) =>
  toSse({
    ...(resume !== null && { id: resume }),
    event: 'end',
    ...(reason === 'replaced' && { retry: REPLACED_RETRY_MS }),
    data: JSON.stringify({ reason, message, resume }),
  })
