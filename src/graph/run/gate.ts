// The checks that a query passes before it runs: the bounds on its text, its budget, validation, and then the charge.
import { type DocumentNode, type GraphQLError, getOperationAST, getVariableValues, validate } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { Charge } from '../../access/guard.ts'
import { AssayError } from '../../base/errors.ts'
import { type Budget, createAssess } from '../cost/budget.ts'
import { parseWithin } from '../cost/shape.ts'
import { refuse, toGraphqlError } from '../errors.ts'
import type { Operation } from './run.ts'
import { schema } from './schema.ts'

/** Caches of parsed documents and of their errors. A document may take half a megabyte, so they are small. */
export const createDocumentCaches = () => ({
  documentCache: new LRUCache<string, DocumentNode>({ max: 64 }),
  errorCache: new LRUCache<string, Error>({ max: 64 }),
})

/** The results of parsing a query. */
export interface Assessed {
  budget?: Budget | null
}

/** The most validation errors that are reported. graphql-js compares each unknown name with all known ones; 100 errors took 30 ms. */
const MAX_MISTAKES = 10

/** The Yoga plugin that enforces the bounds. */
export function holdToBudget(): Plugin<Assessed> {
  const assess = createAssess(schema)
  return {
    onParse: ({ setParseFn }) => setParseFn(parseWithin),
    onValidate: ({ context, extendContext, setValidationFn, params: { documentAST } }) => {
      setValidationFn((...given: Parameters<typeof validate>) => {
        const [known, document, rules, options] = given
        const mistakes = validate(known, document, rules, { ...options, maxErrors: MAX_MISTAKES })
        // A reader of a stream cannot read a 200 with errors, whatever else its client accepts.
        const isStream = getOperationAST(documentAST, operationName)?.operation === 'subscription'
        return isStream ? mistakes.map(({ message }) => refuse(message)) : mistakes
      })
      const { variables, operationName } = context.params
      const { budget, refusal } = assess(documentAST, variables ?? {}, operationName)
      extendContext({ budget })
      if (refusal) throw refusal
    },
  }
}

/**
 * Charges the operation's price beyond its first request. Returns an error if variables are wrong or the limits are
 * exceeded.
 */
export async function chargeFor(
  { document, variables, operationName }: Operation,
  requests: number,
  charge: Charge,
): Promise<GraphQLError | null> {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  const { errors: [mistake] = [] } = getVariableValues(schema, definitions, variables, { maxErrors: 1 })
  if (mistake) return refuse(mistake.message)
  try {
    if (requests > 1) await charge.add(requests - 1)
    return null
  } catch (error) {
    if (error instanceof AssayError) return toGraphqlError(error)
    throw error
  }
}
