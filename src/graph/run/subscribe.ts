// A subscription, from the request to its messages. The root field opens a stream, and the document runs once per
// message, at one block like every answer. Readers of the same message with the same document share the answer.
import { createSourceEventStream, type DocumentNode, type ExecutionResult, GraphQLError, Kind, visit } from 'graphql'
import { type Caller, NOBODY } from '../../access/guard.ts'
import { AssayError } from '../../base/errors.ts'
import type { StreamEnd } from '../../stream/message.ts'
import { toSse } from '../../stream/sse.ts'
import type { SubscriptionStreams } from '../context.ts'
import { boundAnswer } from '../cost/answer-size.ts'
import { originOf, refuse, toGraphqlError } from '../errors.ts'
import type { RootBatch } from '../live/subscription.ts'
import { type Operation, type Run, toDocument } from './run.ts'
import { schema } from './schema.ts'

/** The bounds of one message, which are tighter than a query's: each change makes a message without a new request. */
const MAX_MESSAGE_ITEMS = 200
const MAX_MESSAGE_FIELDS = 2_000

/** The messages of a subscription as text. */
export interface Subscribed {
  batches: AsyncIterable<string>
  /** The reader's place after these messages. */
  resume(): string | null
}

export interface SubscribeDeps {
  run: Run
  mask(error: unknown): GraphQLError
  /** Writes a message in another form than that of /graphql. */
  write?(result: ExecutionResult): string
}

/** Answers of a root value, by document and variables. */
const answers = new WeakMap<object, Map<string, Promise<string>>>()

/** The texts of batches of roots that several readers get at once, by document and variables. */
const batches = new WeakMap<object, Map<string, Promise<string>>>()

/** Opens the stream of a subscription, or returns the error of its arguments or place. */
export async function openSubscription(
  operation: Operation,
  { fields, items }: { fields: number; items: number },
  streams: SubscriptionStreams,
  { run, mask, write }: SubscribeDeps,
): Promise<Subscribed | { errors: readonly GraphQLError[] }> {
  if (items > MAX_MESSAGE_ITEMS || fields > MAX_MESSAGE_FIELDS) {
    const [asked, most, what] =
      items > MAX_MESSAGE_ITEMS ? [items, MAX_MESSAGE_ITEMS, 'items'] : [fields, MAX_MESSAGE_FIELDS, 'fields']
    return {
      errors: [refuse(`A message of this stream may hold ${asked} ${what}, and ${most} are the most: ask for less.`)],
    }
  }
  const { document, variables, operationName = null, caller } = operation
  const contextValue = { caller, streams }
  const opened = await createSourceEventStream({
    schema,
    document,
    variableValues: variables,
    operationName,
    contextValue,
  })
  if (!(Symbol.asyncIterator in opened)) return { errors: (opened.errors ?? []).map(mask) }
  // The root fields yield batches: graph/live/subscription.ts.
  const source = opened as unknown as AsyncIterable<RootBatch>
  const key = keyOf(operation, caller)

  const answer = async (root: object): Promise<string> => {
    const { result } = await run({ ...operation, rootValue: root })
    if (write) return write(result)
    const bounded = await boundAnswer(result, fields)
    const data = { ...bounded, ...(bounded.errors && { errors: bounded.errors.map(mask) }) } satisfies ExecutionResult
    return toSse({ event: 'next', data: JSON.stringify(data) })
  }
  const share = (root: object): Promise<string> => {
    return makeOnce(answers, root, key, () => answer(root))
  }
  const toMessages = async (roots: readonly object[]): Promise<string> => {
    return (await Promise.all(roots.map(share))).join('')
  }
  const partsOf = ({ roots, isShared = true }: RootBatch): Part[] => {
    // Sets the place before the first message too.
    if (roots.length === 0) return [async () => '']
    // Nobody else asks for the text, which may be large.
    if (!isShared) return [async () => (await Promise.all(roots.map(answer))).join('')]
    if (roots.length <= TOGETHER) return [() => makeOnce(batches, roots, key, () => toMessages(roots))]
    return Array.from({ length: Math.ceil(roots.length / TOGETHER) }, (_, at) => {
      return () => toMessages(roots.slice(at * TOGETHER, (at + 1) * TOGETHER))
    })
  }
  return toTexts(source, partsOf)
}

/** Makes the text of some messages of a batch. */
type Part = () => Promise<string>

/**
 * The texts of batches, and the place after those that were taken. A waiting generator would keep the last text of each
 * reader, so this is none.
 */
function toTexts(source: AsyncIterable<RootBatch>, partsOf: (batch: RootBatch) => Part[]): Subscribed {
  const from = source[Symbol.asyncIterator]()
  let parts: Part[] = []
  let [cursor, next]: (string | null)[] = [null, null]
  const take = async (): Promise<IteratorResult<string, undefined>> => {
    if (parts.length === 0) {
      cursor = next
      const step = await from.next()
      if (step.done) return { done: true, value: undefined }
      parts = partsOf(step.value)
      next = step.value.cursor
      if (step.value.roots.length === 0) cursor = next
    }
    const part = parts.shift()
    return { done: false, value: part ? await part() : '' }
  }
  const iterator: AsyncIterator<string, undefined> = {
    next: take,
    return: async () => {
      parts = []
      await from.return?.()
      return { done: true, value: undefined }
    },
  }
  return { batches: { [Symbol.asyncIterator]: () => iterator }, resume: () => cursor ?? null }
}

/** Opens a subscription of ours; `write` gets the field `answer` of each message. Throws what refuses or fails. */
export const createSubscribe =
  (run: Run) =>
  async (
    text: string,
    variables: Record<string, unknown>,
    streams: SubscriptionStreams,
    write: (answer: Record<string, unknown>) => string,
  ): Promise<Subscribed> => {
    const throwFirst = ({ errors, data }: ExecutionResult) => {
      if (errors?.[0]) throw originOf(errors[0])
      return write({ ...Object(data?.answer) })
    }
    // All readers of a message share it, whoever they are.
    const operation = { document: toDocument(text), variables, caller: NOBODY }
    const mask = (error: unknown) => (error instanceof GraphQLError ? error : new GraphQLError(String(error)))
    const opened = await openSubscription(operation, { fields: 0, items: 0 }, streams, { run, mask, write: throwFirst })
    if (!('errors' in opened)) return opened
    throw originOf(opened.errors[0] ?? new GraphQLError('a subscription was not opened'))
  }

/** Makes a text once for an object and a key. */
function makeOnce(
  made: WeakMap<object, Map<string, Promise<string>>>,
  object: object,
  key: string,
  make: () => Promise<string>,
): Promise<string> {
  const known = made.get(object) ?? new Map<string, Promise<string>>()
  made.set(object, known)
  const text = known.get(key) ?? make()
  known.set(key, text)
  return text
}

/** Messages made at once: their rows are read together. */
const TOGETHER = 50

/** The inputs of an answer besides its root: variables only if they are below the root field. */
function keyOf({ document, variables, operationName }: Operation, { keyId }: Caller): string {
  const names = new Set<string>()
  visit(document, {
    OperationDefinition: (node) => (operationName && node.name?.value !== operationName ? false : undefined),
    Variable: (node, _key, _parent, _path, ancestors) => {
      const inRootField = ancestors.filter((one) => 'kind' in one && one.kind === Kind.FIELD).length === 1
      const declared = ancestors.some((one) => 'kind' in one && one.kind === Kind.VARIABLE_DEFINITION)
      if (!inRootField && !declared) names.add(node.name.value)
    },
  })
  const used = [...names].sort().map((name) => [name, variables[name]])
  return JSON.stringify([idOf(document), operationName ?? '', keyId, used])
}

/** Parsed documents are cached, so the same text is the same object. */
const ids = new WeakMap<DocumentNode, number>()
let documents = 0
function idOf(document: DocumentNode): number {
  const known = ids.get(document)
  if (known !== undefined) return known
  documents += 1
  ids.set(document, documents)
  return documents
}

/** Whether the reader continues from a place. */
export function isContinued({ document, variables }: Operation): boolean {
  let isGiven = false
  visit(document, {
    Argument: ({ name, value }) => {
      if (name.value !== 'after' || value.kind === Kind.NULL) return
      isGiven ||= value.kind !== Kind.VARIABLE || (variables[value.name.value] ?? null) !== null
    },
  })
  return isGiven
}

const CODES = {
  leaving: 'SERVICE_UNAVAILABLE',
  slow: 'SERVICE_UNAVAILABLE',
  replaced: 'UNAUTHORIZED',
  unauthorized: 'UNAUTHORIZED',
  rate_limited: 'RATE_LIMITED',
  reset: 'SERVICE_UNAVAILABLE',
  failed: 'SERVER_ERROR',
} as const

const COMPLETE = 'event: complete\ndata:\n\n'

/**
 * The last message of a subscription: an error with the reason and the place to continue, then `complete`. A stream
 * that reached its end sends no error.
 */
export function toComplete({ reason, message }: StreamEnd, resume: string | null): string {
  if (reason === 'done') return COMPLETE
  const { message: text, extensions } = toGraphqlError(new AssayError(CODES[reason], message))
  const error = { message: text, extensions: { code: extensions.code, reason, resume } }
  return `${toSse({ event: 'next', data: JSON.stringify({ errors: [error] }) })}${COMPLETE}`
}
