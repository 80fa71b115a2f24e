// What a query passes before it runs: the bounds on its text, its budget, validation, then the charge.
import { type DocumentNode, type GraphQLError, getOperationAST, getVariableValues, validate } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { Charge } from '../access/guard.ts'
import { AssayError } from '../base/errors.ts'
import { type Budget, createAssess } from './budget.ts'
import { refuse, toGraphqlError } from './errors.ts'
import type { Operation } from './run.ts'
import { schema } from './schema.ts'
import { parseWithin } from './shape.ts'

/** Documents that are kept parsed, and their mistakes: each may take half a megabyte. */
export const createDocumentCaches = () => ({
  documentCache: new LRUCache<string, DocumentNode>({ max: 64 }),
  errorCache: new LRUCache<string, Error>({ max: 64 }),
})

/** What is known of a query once it was parsed. */
export interface Assessed {
  budget?: Budget | null
}

/** Mistakes of a document that are named: for each unknown name all known ones are compared with it, and 100 took 30 ms. */
const MAX_MISTAKES = 10

/** The plugin of the bounds. */
export function holdToBudget(): Plugin<Assessed> {
  const assess = createAssess(schema)
  return {
    onParse: ({ setParseFn }) => setParseFn(parseWithin),
    onValidate: ({ context, extendContext, setValidationFn, params: { documentAST } }) => {
      setValidationFn((...given: Parameters<typeof validate>) => {
        const [known, document, rules, options] = given
        const mistakes = validate(known, document, rules, { ...options, maxErrors: MAX_MISTAKES })
        // Who asks for a stream reads no 200 with errors, whatever else its client accepts.
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

/** Takes what the operation counts as beyond the first request; the error of wrong variables, or of what is beyond the limits. */
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
