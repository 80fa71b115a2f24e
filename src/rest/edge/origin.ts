// Pure. The origin of a request's page, and that of this server, as browsers write them.
import type { Request } from 'express'

/** The origin of a URL; null: it has none. */
export const pageOriginOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/** The origin at which the caller found this server. */
export const ownOriginOf = ({ protocol, headers }: Request): string => `${protocol}://${headers.host?.toLowerCase()}`

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i

/** Whether the caller found this server by a name of its machine, at its own port. */
export function isLocalHost({ headers, protocol, socket }: Request): boolean {
  const [name, , port = protocol === 'https' ? '443' : '80'] = LOCAL_HOST.exec(headers.host ?? '') ?? []
  return name !== undefined && Number(port) === socket.localPort
}
