// Pure. Turns an error into a response body: the contract's error object, or a GraphQL error for /graphql.
import type { AssayError, Fault } from '../base/errors.ts'
import type { Cost } from '../graph/cost.ts'

/** The body of an error everywhere but on /graphql. */
export const toErrorBody = ({ code, message, faults }: AssayError, requestId: string): string =>
  JSON.stringify({
    error: {
      code,
      message,
      ...(code === 'INVALID_PARAMS' && { details: faults.map(toRestFault) }),
      request_id: requestId,
    },
  })

/** What the graph calls an argument of a mutation is a field of the body here. */
const toRestFault = ({ location, field, message }: Fault): Fault =>
  location === 'argument'
    ? { location: 'body', field: field.replace(/^input\./, ''), message: message.replace(/^input\./, '') }
    : { location, field, message }

/** The body of an error that stopped a request before GraphQL saw it. */
export const toGraphqlErrorBody = ({ code, message }: AssayError, requestId: string, cost: Cost): string =>
  JSON.stringify({ errors: [{ message, extensions: { code, requestId } }], extensions: { cost } })
