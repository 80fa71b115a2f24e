// Answers our own documents for a caller, at the price of /graphql. The caller was charged one request already.
import type { GraphQLError } from 'graphql'
import type { Caller, Charge } from '../../access/guard.ts'
import { AssayError, type ErrorCode, STATUS_BY_CODE } from '../../base/errors.ts'
import type { Log } from '../../telemetry/log.ts'
import { boundAnswer } from '../cost/answer-size.ts'
import { createAssess } from '../cost/budget.ts'
import { createMask } from '../errors.ts'
import { chargeFor } from './gate.ts'
import { type Run, toDocument } from './run.ts'
import { schema } from './schema.ts'

/** The caller, and its charges. */
interface Asker {
  caller: Caller
  charge: Charge
  signal?: AbortSignal | undefined
}

/**
 * Runs a document. Throws an AssayError that names the caller's mistake. A fault of the server is logged, and costs
 * nothing.
 */
export type AskGraph = <Answer extends object>(
  text: string,
  variables: Record<string, unknown>,
  asker: Asker,
) => Promise<Answer>

export function createAsk(run: Run, log: Log): AskGraph {
  const assess = createAssess(schema)
  const mask = createMask(log)
  return async <Answer extends object>(text: string, variables: Record<string, unknown>, asker: Asker) => {
    const { caller, charge, signal } = asker
    const document = toDocument(text)
    try {
      const { budget, refusal } = assess(document, variables, null)
      const operation = { document, variables, caller, signal }
      const refused = refusal ?? (await chargeFor(operation, budget?.requests ?? 1, charge))
      if (refused) throw refused
      const { result } = await run(operation)
      const { data, errors: [error] = [] } = await boundAnswer(result, budget?.fields ?? 0)
      if (error) throw error
      // Our own document has the answer's form.
      return { ...data } as Answer
    } catch (error) {
      const failure = toFailure(mask(error))
      if (failure.status >= 500) await charge.refund()
      throw failure
    }
  }
}

function toFailure({ message, extensions: { code } }: GraphQLError): AssayError {
  const isOurs = typeof code === 'string' && code in STATUS_BY_CODE
  return new AssayError(isOurs ? (code as ErrorCode) : 'INVALID_PARAMS', message)
}
