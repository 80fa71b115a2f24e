// The content codings of answers and pages, and the choice of one that a client accepts.
import type { Request } from 'express'

export type Coding = 'identity' | 'br' | 'gzip'

/** Plain for a client that names no coding, although the standard lets it accept any. */
export function chooseCoding(request: Request): Coding {
  if (request.headers['accept-encoding'] === undefined) return 'identity'
  const coding = request.acceptsEncodings('br', 'gzip', 'identity')
  return coding === 'br' || coding === 'gzip' ? coding : 'identity'
}
