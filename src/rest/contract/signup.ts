// POST /v1/signup and /v1/signup/confirm: the two requests of /v1 without a key. A page of another site may send neither,
// because its visitors would then ask for mails without knowing it.
import type { Request, RequestHandler, Response } from 'express'
import { AssayError, invalid } from '../../base/errors.ts'
import type { Signup } from '../../signup/signup.ts'
import { checkSize, readJson } from '../edge/body.ts'
import { within } from '../edge/deadline.ts'
import { ownOriginOf, pageOriginOf } from '../edge/origin.ts'
import { refuseMethod } from '../edge/public.ts'
import { respond } from '../edge/respond.ts'
import { isObject, openFaults, refuseBody, refuseUnknown } from './body-fields.ts'

/** Below /v1. */
export const SIGNUP_PATH = '/signup'
export const CONFIRM_PATH = '/signup/confirm'

const ASKED = {
  message:
    'If the address can get one, a mail with a link is on its way. The link works once, within an hour. If no mail comes, use the link of the newest one.',
}

/**
 * Answers both paths before the guard, and passes on everything else. Null: both are missing. `publicUrl`: the address
 * of this server for people, if a proxy does not pass it on.
 */
export function answerSignup(signup: Signup | null, publicUrl: string | undefined): RequestHandler {
  const answerOwn = within(async (request, response, next) => {
    if (!signup) throw new AssayError('NOT_FOUND', 'Nobody can sign up here: ask whoever runs this server for a key.')
    if (request.method !== 'POST') await refuseMethod(['POST'])(request, response, next)
    refuseOtherSites(request, publicUrl)
    await (request.path === SIGNUP_PATH ? ask : confirm)(signup, request, response)
  })
  return (request, response, next) =>
    request.path === SIGNUP_PATH || request.path === CONFIRM_PATH ? answerOwn(request, response, next) : next()
}

async function ask(signup: Signup, request: Request, response: Response): Promise<void> {
  const { email, invite } = await readTexts(request, ['email'], ['invite'])
  await signup.request({ email: email ?? '', invite }, senderOf(request))
  await send(request, response, 202, ASKED)
}

async function confirm(signup: Signup, request: Request, response: Response): Promise<void> {
  const { token } = await readTexts(request, ['token'], [])
  const { key, keyId, email, plan, expiresAt } = await signup.confirm(token ?? '', senderOf(request))
  const body = { key, key_id: String(keyId), email, plan, expires_at: expiresAt?.toISOString() ?? null }
  await send(request, response, 201, body)
}

const send = (request: Request, response: Response, status: number, body: object): Promise<void> =>
  respond(request, response, { status, headers: { 'cache-control': 'no-store' }, body: JSON.stringify(body) })

const senderOf = ({ ip = '', socket }: Request) => ({ address: ip, peer: socket.remoteAddress ?? '' })

/** Browsers set both headers themselves, and programs send none. Older browsers send `Origin` alone. */
function refuseOtherSites(request: Request, publicUrl: string | undefined): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = [ownOriginOf(request), ...(publicUrl ? [pageOriginOf(publicUrl)] : [])]
  const isOwn = origin === undefined || own.includes(pageOriginOf(origin))
  if (!isOwn || (site !== undefined && site !== 'same-origin' && site !== 'none'))
    throw new AssayError('FORBIDDEN', 'Only the page of this server and programs may sign up here.')
}

/** Reads a body whose fields are texts. Throws INVALID_PARAMS that names every fault. */
async function readTexts<Required extends string, Optional extends string>(
  request: Request,
  required: readonly Required[],
  optional: readonly Optional[],
): Promise<Partial<Record<Required | Optional, string>>> {
  const sent = await readJson(request)
  checkSize(request, request.originalUrl)
  const body = 'json' in sent ? sent.json : undefined
  if (!('json' in sent)) throw invalid(sent.faults)
  if (!isObject(body)) throw invalid(refuseBody().faults)
  const { faults, addFault } = openFaults()
  const names: readonly (Required | Optional)[] = [...required, ...optional]
  refuseUnknown(body, names, '', addFault)
  const texts: Partial<Record<Required | Optional, string>> = {}
  for (const name of names) {
    const value = body[name]
    if (typeof value === 'string') texts[name] = value
    else if (value !== undefined) addFault(name, 'must be a string')
    else if (required.some((one) => one === name)) addFault(name, 'is required')
  }
  if (faults.length > 0) throw invalid(faults)
  return texts
}
