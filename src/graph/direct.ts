// The short way of a query: where its document is known and it came as most do, it runs without Yoga, whose plugins, copies of the
// request and of the answer take longer than a list of tokens. What is unusual, and every error, goes through Yoga, which says what was wrong.
import type { IncomingMessage } from 'node:http'
import { type DocumentNode, type ExecutionResult, getOperationAST } from 'graphql'
import { LRUCache } from 'lru-cache'
import { boundAnswer } from './answer-size.ts'
import { type Budget, createAssess } from './budget.ts'
import { chargeFor } from './gate.ts'
import type { ServerContext } from './request-context.ts'
import type { Run } from './run.ts'
import { schema } from './schema.ts'

/** Documents and media types that are known, at most. A document may take half a megabyte. */
const MOST_DOCUMENTS = 64
const MOST_TYPES = 100
/** A longer header says more than the types that we know. */
const LONGEST_ACCEPT = 200

/** The parameters of GraphQL over HTTP that the short way reads. */
interface Params {
  query: string
  variables: Record<string, unknown>
  operationName: string | null
}

interface Known {
  document: DocumentNode
  /** Where no variable can change it. */
  budget?: Budget
}

/** What Yoga answered before, so that it need not be asked again. */
export interface Direct {
  /** Notes a document that was parsed and passed all checks. */
  learnDocument(text: string, document: DocumentNode): void
  /** Notes the type in which Yoga answers who accepts this. */
  learnType(accept: string, type: string): void
  /**
   * Charges and runs the query. The text of its data, with its type; null where Yoga has to answer: nothing was charged then, or
   * `context.outcome` is what became of it.
   */
  answer(request: IncomingMessage, body: string | undefined, context: ServerContext): Promise<DirectAnswer | null>
}

export interface DirectAnswer {
  data: string
  type: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parameters; null where they are not those of a plain query. */
function readParams({ method, url = '' }: IncomingMessage, body: string | undefined): Params | null {
  let sent: unknown
  try {
    sent = method === 'POST' ? JSON.parse(body ?? '') : readSearch(url)
  } catch {
    return null
  }
  if (!isObject(sent)) return null
  const { query, variables = null, operationName = null, extensions = null, ...others } = sent
  if (Object.keys(others).length > 0 || typeof query !== 'string' || query === '') return null
  if (variables !== null && !isObject(variables)) return null
  if (operationName !== null && typeof operationName !== 'string') return null
  if (extensions !== null && (!isObject(extensions) || extensions.persistedQuery !== undefined)) return null
  return { query, variables: variables ?? {}, operationName }
}

function readSearch(url: string): object {
  const search = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const json = (name: string) => JSON.parse(search.get(name) || 'null')
  return {
    query: search.get('query'),
    operationName: search.get('operationName') || null,
    variables: json('variables'),
    extensions: json('extensions'),
  }
}

/** Knows nothing yet. */
export function createDirect(run: Run): Direct {
  const assess = createAssess(schema)
  const documents = new LRUCache<string, Known>({ max: MOST_DOCUMENTS })
  const types = new LRUCache<string, string>({ max: MOST_TYPES })

  const budgetOf = (known: Known, { variables, operationName }: Params): Budget | null => {
    if (known.budget) return known.budget
    const { budget, refusal } = assess(known.document, variables, operationName)
    if (refusal || !budget) return null
    const [definition, ...others] = known.document.definitions
    const takesNone =
      others.length === 0 &&
      definition &&
      'variableDefinitions' in definition &&
      !definition.variableDefinitions?.length
    if (takesNone) known.budget = budget
    return budget
  }
  return {
    learnDocument: (text, document) => {
      if (documents.get(text)?.document !== document) documents.set(text, { document })
    },
    learnType: (accept, type) => {
      if (accept.length <= LONGEST_ACCEPT) types.set(accept, type)
    },
    answer: async (request, body, context) => {
      const type = types.get(request.headers.accept ?? '')
      const params = type === undefined ? null : readParams(request, body)
      const known = params && documents.get(params.query)
      if (type === undefined || !params || !known) return null
      const { variables, operationName } = params
      const { document } = known
      if (getOperationAST(document, operationName)?.operation !== 'query') return null
      const budget = budgetOf(known, params)
      if (!budget) return null
      const { caller, charge, signal, made } = context
      const onVaries = () => {
        made.varies = true
      }
      const operation = { document, variables, operationName, caller, signal, onVaries }
      const work = async (): Promise<ExecutionResult> => {
        const refusal = await chargeFor(operation, budget.requests, charge)
        if (refusal) return { errors: [refusal] }
        const { result, head } = await run(operation)
        made.head = head
        return boundAnswer(result, budget.fields)
      }
      context.budget = budget
      const outcome = work()
      try {
        const { data, errors } = await outcome
        if (data && !errors) return { data: JSON.stringify(data), type }
      } catch {
        // Yoga meets the same failure, and says it.
      }
      context.outcome = outcome
      return null
    },
  }
}
