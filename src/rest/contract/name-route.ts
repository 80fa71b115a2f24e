// Pure. The name of a request's route in usage: its method and the path with the names of its parameters. The names are
// a closed set, whatever a client sends.
import type { Request } from 'express'
import { STREAM_PATH } from './event-stream.ts'
import { isPayable, ROUTES } from './routes.ts'
import { TICKET_PATH } from './stream-ticket.ts'
import { TOKEN_STREAM_PATH } from './token-stream.ts'

const PARAMETER = /:(\w+)/g
const ALL = [
  ...ROUTES,
  { method: 'GET', path: STREAM_PATH },
  { method: 'GET', path: TOKEN_STREAM_PATH },
  { method: 'POST', path: TICKET_PATH },
]
/** By method and path, in which a star stands for a parameter. */
const NAMES = new Map(
  ALL.map(({ method, path }) => [
    `${method} ${path.replace(PARAMETER, '*')}`,
    `${method} /v1${path.replace(PARAMETER, '{$1}')}`,
  ]),
)
const PAYABLE = new Set(ROUTES.filter(isPayable).map(({ path }) => `GET /v1${path.replace(PARAMETER, '{$1}')}`))
const OTHER = 'other'
/** No route is longer. */
const MOST_PARTS = Math.max(...ALL.map(({ path }) => path.split('/').length))

/** Names the route of a request below /v1; `other` for a path or method that no route has. */
export function nameRoute({ method: sent, path }: Pick<Request, 'method' | 'path'>): string {
  const method = sent === 'HEAD' ? 'GET' : sent
  const exact = NAMES.get(`${method} ${path}`)
  if (exact !== undefined) return exact
  const parts = path.split('/', MOST_PARTS + 1)
  for (let at = 2; at < Math.min(parts.length, MOST_PARTS); at += 1) {
    const name = NAMES.get(`${method} ${parts.with(at, '*').join('/')}`)
    if (name !== undefined) return name
  }
  return OTHER
}

/** Whether a request below /v1 may pay for itself. */
export const mayPay = (request: Pick<Request, 'method' | 'path'>): boolean => PAYABLE.has(nameRoute(request))
