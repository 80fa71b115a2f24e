// The content codings that answers and pages are sent in, and which of them a client takes.
import type { Request } from 'express'

export type Coding = 'identity' | 'br' | 'gzip'

/** Plain for a client that names no coding, although by the standard it takes any. */
export function chooseCoding(request: Request): Coding {
  if (request.headers['accept-encoding'] === undefined) return 'identity'
  const coding = request.acceptsEncodings('br', 'gzip', 'identity')
  return coding === 'br' || coding === 'gzip' ? coding : 'identity'
}
