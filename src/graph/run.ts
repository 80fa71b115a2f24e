// One operation, run so that its answer is of one block. For REST's own documents, and behind the server.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  parse,
  validate,
} from 'graphql'
import type { Caller } from '../access/guard.ts'
import type { Head, HeadWatch } from '../ledger/head.ts'
import { readAtOneBlock, readLoosely } from '../ledger/reading.ts'
import { createContext, type GraphParts } from './context.ts'
import { originOf } from './errors.ts'
import { schema } from './schema.ts'

/** An operation as it is asked for. */
export interface Operation {
  document: DocumentNode
  variables: Record<string, unknown>
  operationName?: string | null | undefined
  caller: Caller
}

/** The result, and the block that it reflects. */
export interface Outcome {
  result: ExecutionResult
  head: Head
}

export interface RunParts extends GraphParts {
  head: HeadWatch
}

/** Runs a query at one block, making it again when the chain moved meanwhile; a mutation once. */
export async function runOperation(parts: RunParts, operation: Operation): Promise<Outcome> {
  const { document, variables, operationName, caller } = operation
  const run = async (reading: Parameters<typeof createContext>[2]): Promise<Outcome> => ({
    head: reading.head,
    result: await execute({
      schema,
      document,
      variableValues: variables,
      operationName: operationName ?? null,
      contextValue: createContext(parts, caller, reading),
    }),
  })
  const kind = getOperationAST(document, operationName)?.operation
  if (kind === 'mutation') return run(readLoosely(parts.database.readPool, parts.head))
  return readAtOneBlock(parts.database.readPool, parts.head, run)
}

/** Runs documents of the house by their text: each is parsed and validated once. */
export function createExecute(parts: RunParts) {
  const documents = new Map<string, DocumentNode>()
  return async (
    text: string,
    variables: Record<string, unknown>,
    caller: Caller,
  ): Promise<{ data: Record<string, unknown>; head: Head }> => {
    const document = documents.get(text) ?? prepare(text)
    documents.set(text, document)
    const { result, head } = await runOperation(parts, { document, variables, caller })
    const [error] = result.errors ?? []
    if (error) throw originOf(error)
    return { data: result.data ?? {}, head }
  }
}

function prepare(text: string): DocumentNode {
  const document = parse(text, { noLocation: true })
  const errors = validate(schema, document)
  if (errors.length > 0) throw new GraphQLError(errors.map((error) => error.message).join(' '))
  return document
}
