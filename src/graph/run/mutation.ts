// A mutation with an Idempotency-Key: it takes effect once, as a POST of REST does, and a repetition gets the first answer.
import { type ExecutionResult, getOperationAST, Kind, print } from 'graphql'
import { AssayError } from '../../base/errors.ts'
import { refuse, toGraphqlError } from '../errors.ts'
import { checkIdempotencyKey, type IdempotencyStore, once } from './idempotency.ts'
import type { Operation } from './run.ts'

export const isMutation = ({ document, operationName }: Operation): boolean =>
  getOperationAST(document, operationName)?.operation === 'mutation'

/** A result with errors: it is not stored, and the mutation may be repeated. */
class Unstored extends Error {
  readonly result: ExecutionResult

  constructor(result: ExecutionResult) {
    super('the mutation failed')
    this.result = result
  }
}

/**
 * Runs the mutation unless its key was used before. Returns the result, and whether it is that of the first request.
 */
export async function runOnce(
  store: IdempotencyStore,
  operation: Operation,
  token: string,
  work: (newAlertId?: string) => Promise<ExecutionResult>,
): Promise<{ result: ExecutionResult; isReplayed: boolean }> {
  const { document, variables, operationName, caller } = operation
  const [fault] = checkIdempotencyKey(token)
  if (fault) return { result: { errors: [refuse(fault.message, [fault])] }, isReplayed: false }
  const input = [print(document), variables, operationName ?? null]
  try {
    const answer = await once(store, { keyId: caller.keyId, token, input }, async (alertId) => {
      // One identifier serves one alert.
      const result = await work(countRoots(operation) === 1 ? alertId : undefined)
      if (result.errors) throw new Unstored(result)
      return { status: 200, headers: {}, body: JSON.stringify(result.data) }
    })
    return { result: { data: JSON.parse(answer.body) }, isReplayed: 'idempotent-replayed' in answer.headers }
  } catch (error) {
    if (error instanceof Unstored) return { result: error.result, isReplayed: false }
    if (error instanceof AssayError) return { result: { errors: [toGraphqlError(error)] }, isReplayed: false }
    throw error
  }
}

/** The root fields in the operation itself; more than one if fragments may have others. */
function countRoots({ document, operationName }: Operation): number {
  const roots = getOperationAST(document, operationName)?.selectionSet.selections ?? []
  return roots.every(({ kind }) => kind === Kind.FIELD) ? roots.length : 2
}
