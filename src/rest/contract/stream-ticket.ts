// POST /v1/stream/ticket: a ticket that opens one stream, so that a browser's EventSource, which sends no header, needs
// no key in its address. A ticket is used up by its first request, and ends with the secret that asked for it.
import type { Request, RequestHandler } from 'express'
import type { Guard } from '../../access/guard.ts'
import { invalid } from '../../base/errors.ts'
import { admissionOf } from '../edge/admit.ts'
import { checkSize, skipBody } from '../edge/body.ts'
import { respond } from '../edge/respond.ts'
import { STREAM_PATH } from './event-stream.ts'
import { QUERIES } from './param.ts'
import { readQuery } from './params.ts'
import { TOKEN_STREAM_PATH } from './token-stream.ts'

/** Below /v1. */
export const TICKET_PATH = '/stream/ticket'

/** The ticket in the address of a stream. */
export function readTicket({ method, path, originalUrl }: Request): string | undefined {
  if ((path !== STREAM_PATH && path !== TOKEN_STREAM_PATH) || (method !== 'GET' && method !== 'HEAD')) return undefined
  return new URLSearchParams(originalUrl.slice(originalUrl.indexOf('?') + 1)).get('ticket') ?? undefined
}

/** The handler; it must be behind the guard. */
export function answerTicket(guard: Pick<Guard, 'issueTicket'>): RequestHandler {
  return async (request, response) => {
    const admission = admissionOf(response)
    await skipBody(request)
    checkSize(request, request.originalUrl)
    const [, search = ''] = request.originalUrl.split('?', 2)
    const { faults } = readQuery(search, QUERIES.none)
    if (faults.length > 0) throw invalid(faults)
    const { ticket, expiresAt } = await guard.issueTicket(admission.caller)
    const body = JSON.stringify({ ticket, expires_at: expiresAt.toISOString() })
    await respond(request, response, { status: 200, headers: { 'cache-control': 'no-store' }, body })
  }
}
