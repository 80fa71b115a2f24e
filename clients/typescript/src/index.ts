export { type ClientOptions, createClient } from './client.ts'
export {
  ApiError,
  ConflictError,
  ForbiddenError,
  InvalidParamsError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from './errors.ts'
export type { components, operations, paths } from './openapi.ts'
export { type ScreenUpdate, StreamEnded, type StreamedEvent } from './stream.ts'
