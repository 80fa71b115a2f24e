// Any failure in, an answer out: the one shape of the contract, or GraphQL's at /graphql. What was not thrown on purpose
// becomes a fixed sentence: no stack, SQL, path or library message leaves the house.
import { AssayError } from '../base/errors.ts'

const SERVER_ERROR = 'Something went wrong on our side. Try again in a moment; if it stays, tell us the request id.'

/** The failure as one of ours; what it was before is its cause. */
export function toAssayError(error: unknown): AssayError {
  return error instanceof AssayError ? error : new AssayError('SERVER_ERROR', SERVER_ERROR, { cause: error })
}

/** The body of an error on /v1 and everywhere but /graphql. */
export const toErrorBody = ({ code, message, faults }: AssayError, requestId: string): string =>
  JSON.stringify({
    error: { code, message, ...(code === 'INVALID_PARAMS' && { details: faults }), request_id: requestId },
  })

/** The body of an error that stopped a request before GraphQL saw it. */
export const toGraphqlErrorBody = ({ code, message }: AssayError, requestId: string): string =>
  JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] })
