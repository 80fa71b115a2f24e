// Asks a server of ours over HTTP, for an agent on this machine that speaks standard input and output.
import { AssayError, type ErrorCode, STATUS_BY_CODE } from '../base/errors.ts'
import type { Ask } from './server.ts'

interface Answer {
  data?: unknown
  errors?: { message: string; extensions?: { code?: string } }[]
}

/** Asks `url`/graphql with the key. */
export function createRemoteAsk(url: string, key: string): Ask {
  const address = `${url.replace(/\/+$/, '')}/graphql`
  return async (query, variables) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }).catch(() => {
      throw new AssayError(
        'SERVICE_UNAVAILABLE',
        `No server answers at ${url}: start one, or give its address with --url.`,
      )
    })
    const answer = (await response.json().catch(() => ({}))) as Answer & { error?: { code?: string; message?: string } }
    const [error] = answer.errors ?? []
    const code = error?.extensions?.code ?? answer.error?.code
    const message = error?.message ?? answer.error?.message
    if (message !== undefined) throw new AssayError(toCode(code), message)
    if (!response.ok)
      throw new AssayError('SERVICE_UNAVAILABLE', `${url} did not answer like Assay (status ${response.status}).`)
    return answer.data
  }
}

const toCode = (code: string | undefined): ErrorCode =>
  code !== undefined && code in STATUS_BY_CODE ? (code as ErrorCode) : 'SERVER_ERROR'
