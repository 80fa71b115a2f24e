// Passes a request to the app of its chain: `/base/v1/tokens` to that of `base`, which sees `/v1/tokens`. The contract of
// every chain is thus the same to the letter. The process of one further chain sends a browser to the chain's path,
// where its page is.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** The first part of a path; the rest begins with a slash, or with a query. */
const FIRST = /^\/([a-z0-9_]{1,31})(?=[/?]|$)/

/** `apps` by the names of the chains; any other path is the default chain's. */
export function splitByChain(
  defaultApp: RequestListener,
  apps: ReadonlyMap<string, RequestListener>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const [home] = [...apps].find(([, app]) => app === defaultApp) ?? []
  return (request, response) => {
    const [whole = '', name = ''] = FIRST.exec(request.url ?? '') ?? []
    const app = apps.get(name)
    if (!app && home !== undefined && isVisit(request)) return send(response, `/${home}${request.url}`)
    if (!app) return defaultApp(request, response)
    const rest = request.url?.slice(whole.length) ?? ''
    request.url = rest.startsWith('/') ? rest : `/${rest}`
    app(request, response)
  }
}

/** Whether a browser opens an address. */
const isVisit = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && url.startsWith('/') && (headers.accept ?? '').includes('text/html')

const send = (response: ServerResponse, location: string): void =>
  void response.writeHead(307, { location, 'cache-control': 'no-store', 'content-length': 0 }).end()
