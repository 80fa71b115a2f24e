// Pure. Turns an error into a response body: the contract's error object, or a GraphQL error for /graphql.
import type { AssayError } from '../base/errors.ts'
import type { Cost } from '../graph/cost.ts'

/** The body of an error everywhere but on /graphql. */
export const toErrorBody = ({ code, message, faults }: AssayError, requestId: string): string =>
  JSON.stringify({
    error: { code, message, ...(code === 'INVALID_PARAMS' && { details: faults }), request_id: requestId },
  })

/** The body of an error that stopped a request before GraphQL saw it. */
export const toGraphqlErrorBody = ({ code, message }: AssayError, requestId: string, cost: Cost): string =>
  JSON.stringify({ errors: [{ message, extensions: { code, requestId } }], extensions: { cost } })
