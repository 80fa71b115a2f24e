// Clients of other providers send the bare key in `Authorization`.
import type { RequestHandler } from 'express'

/** Names the scheme of a bare key. */
export const nameBearer: RequestHandler = ({ headers }, _response, next) => {
  const { authorization } = headers
  if (authorization !== undefined && !authorization.includes(' ')) headers.authorization = `Bearer ${authorization}`
  next()
}
