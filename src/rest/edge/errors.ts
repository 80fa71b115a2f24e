// Pure. Turns an error into a response body: the contract's error object, or a GraphQL error for /graphql.
import { STATUS_CODES } from 'node:http'
import { type AssayError, type Fault, invalid } from '../../base/errors.ts'
import type { Cost } from '../../graph/cost/cost.ts'

/** The body of an error everywhere but on /graphql. */
export function toErrorBody({ code, message, faults }: AssayError, requestId: string): string {
  const details = faults.map(toRestFault)
  const isOfFaults = code === 'INVALID_PARAMS' && details.length > 0
  return JSON.stringify({
    error: {
      code,
      message: isOfFaults ? invalid(details).message : message,
      ...((code === 'INVALID_PARAMS' || (code === 'PAYMENT_REQUIRED' && details.length > 0)) && { details }),
      request_id: requestId,
    },
  })
}

/** The body of an error as RFC 9457 has it: the fields of the usual body beside those of the standard. */
export function toProblemBody(error: AssayError, requestId: string): string {
  const { message, ...rest } = JSON.parse(toErrorBody(error, requestId)).error
  const { status } = error
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail: message, ...rest })
}

const INPUT = /\binput\./g
const FILTER = /\bfilter\./g
/** A name in camelCase, unlike any word of a sentence. */
const CAMEL_CASE = /\b[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*\b/g

/** A GraphQL name in REST's form: `input.conditions.maxRiskScore` is `conditions.max_risk_score`. */
const toRestNames = (text: string): string =>
  text
    .replaceAll(INPUT, '')
    .replaceAll(FILTER, '')
    .replaceAll(CAMEL_CASE, (name) => name.replaceAll(/[A-Z]|(?<=[a-z])[0-9]/g, (sign) => `_${sign.toLowerCase()}`))

/**
 * REST has no arguments. A field of `input` is a field of the body, and any other argument is a parameter of the query.
 */
const toRestFault = ({ location, field, message }: Fault): Fault =>
  location === 'argument'
    ? {
        location: field.startsWith('input.') ? 'body' : 'query',
        field: toRestNames(field),
        message: toRestNames(message),
      }
    : { location, field, message }

/** The body of an error that stopped a request before GraphQL saw it. */
export const toGraphqlErrorBody = ({ code, message }: AssayError, requestId: string, cost: Cost): string =>
  JSON.stringify({ errors: [{ message, extensions: { code, requestId } }], extensions: { cost } })
