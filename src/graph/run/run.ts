// Runs one operation so that its answer reflects one block: for REST's own documents, and for /graphql.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  parse,
  validate,
} from 'graphql'
import type { Caller } from '../../access/guard.ts'
import { AssayError } from '../../base/errors.ts'
import type { Head, HeadWatch } from '../../ledger/head.ts'
import { createReader, type Reading, readLoosely } from '../../ledger/read/consistent-read.ts'
import { type ContextOf, createContexts, type Errand, type GraphParts } from '../context.ts'
import { originOf } from '../errors.ts'
import { createSharedRows } from '../shared-rows.ts'
import { planOf, runPlan } from './compiled.ts'
import { schema } from './schema.ts'

/** An operation to run. When its signal aborts, a query's statements are cancelled, but a mutation's are not. */
export interface Operation extends Errand {
  document: DocumentNode
  variables: Record<string, unknown>
  operationName?: string | null | undefined
  /** Of a message of a subscription. */
  rootValue?: unknown
}

/** The result, and the block that it reflects. */
interface RunOutcome {
  result: ExecutionResult
  head: Head
}

/** Runs a query at one block, and again if a new block came meanwhile. Runs a mutation once. */
export type Run = (operation: Operation) => Promise<RunOutcome>

/** Creates the runner. Queries that begin together share statements. */
export function createRun(parts: GraphParts, head: HeadWatch): Run {
  const { requestPool, cancel, history } = parts.database
  const rows = createSharedRows(head)
  const open = (reading: Reading) => createContexts(parts, reading, rows)
  const readAtOneBlock = createReader({
    primary: { pool: requestPool, cancel },
    replicas: parts.replicas,
    watch: head,
    history,
    prepare: open,
  })
  return ({ document, variables, operationName = null, rootValue, ...errand }) => {
    const { signal } = errand
    const run = async (contextOf: ContextOf): Promise<RunOutcome> => {
      const plan = rootValue === undefined ? planOf(document, operationName) : null
      if (plan) {
        const planned = contextOf(errand)
        const data = await runPlan(plan, variables, planned)
        if (data) return { head: planned.reading.head, result: { data } }
      }
      // graphql-js does not read again the rows that a plan has read: the loaders are those of the reading.
      const contextValue = contextOf(errand)
      const result = await execute({
        schema,
        document,
        variableValues: variables,
        operationName,
        contextValue,
        rootValue,
      })
      for (const error of result.errors ?? []) {
        const origin = originOf(error)
        if (!(origin instanceof AssayError || origin instanceof GraphQLError))
          contextValue.reading.reportReplicaFault?.(origin)
      }
      return { head: contextValue.reading.head, result }
    }
    const kind = getOperationAST(document, operationName)?.operation
    return kind === 'mutation' ? run(open(readLoosely(parts.database, head))) : readAtOneBlock(run, signal)
  }
}

/** Runs our own documents by their text. */
export function createExecute(run: Run) {
  return async (
    text: string,
    variables: Record<string, unknown>,
    caller: Caller,
    newAlertId?: string,
    signal?: AbortSignal,
  ): Promise<{ data: Record<string, unknown>; head: Head }> => {
    const { result, head } = await run({ document: toDocument(text), variables, caller, newAlertId, signal })
    const [error] = result.errors ?? []
    if (error) throw originOf(error)
    return { data: result.data ?? {}, head }
  }
}

const documents = new Map<string, DocumentNode>()

/** One of our own documents: parsed and validated once. */
export function toDocument(text: string): DocumentNode {
  const document = documents.get(text) ?? prepare(text)
  documents.set(text, document)
  return document
}

function prepare(text: string): DocumentNode {
  const document = parse(text, { noLocation: true })
  const errors = validate(schema, document)
  if (errors.length > 0) throw new GraphQLError(errors.map((error) => error.message).join(' '))
  return document
}
