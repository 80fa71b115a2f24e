// Pure. Selects what a GraphQL query asks of a value, without a schema. Clients of other providers ask for hundreds of
// fields, and a field that the value lacks is null.
import type { FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { Kind, parse, valueFromASTUntyped } from 'graphql'
import { invalid } from '../../base/errors.ts'

export interface RootField {
  /** The alias, or the name. */
  key: string
  name: string
  args: Record<string, unknown>
  /** The selected part of the field's value. */
  select(value: unknown): unknown
}

/** A query of a client has under 6,000 tokens. */
const MOST_TOKENS = 20_000
/** Selected fields of one answer: fragments within fragments would multiply without an end. */
const MOST_FIELDS = 200_000

/** Throws INVALID_PARAMS for a text that is no query, or that selects too much. */
export function readSelections(query: string, variables: Record<string, unknown>, operationName?: string): RootField[] {
  const document = parseBounded(query)
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  const named =
    operationName === undefined ? operations : operations.filter(({ name }) => name?.value === operationName)
  const [operation] = named
  if (named.length !== 1 || operation?.operation !== 'query') throw refuse('send exactly one query')
  const count = { left: MOST_FIELDS }
  return fieldsOf(operation.selectionSet, fragments, count).map(
    ({ alias, name, selectionSet, arguments: args = [] }) => ({
      key: alias?.value ?? name.value,
      name: name.value,
      args: Object.fromEntries(args.map((each) => [each.name.value, valueFromASTUntyped(each.value, variables)])),
      select: (value) => select(value, selectionSet, fragments, count),
    }),
  )
}

function parseBounded(query: string) {
  try {
    return parse(query, { noLocation: true, maxTokens: MOST_TOKENS })
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be parsed')
  }
}

const refuse = (reason: string) => invalid([{ location: 'body', field: 'query', message: `query: ${reason}` }])

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

function fieldsOf({ selections }: SelectionSetNode, fragments: Fragments, count: { left: number }) {
  const stack = [...selections].reverse()
  const fields = []
  for (let next = stack.pop(); next; next = stack.pop()) {
    count.left -= 1
    if (count.left < 0) throw refuse(`it selects more than ${MOST_FIELDS} fields`)
    if (next.kind === Kind.FIELD) fields.push(next)
    else {
      const within = next.kind === Kind.INLINE_FRAGMENT ? next : fragments.get(next.name.value)
      if (!within) throw refuse('it uses a fragment that it does not define')
      stack.push(...[...within.selectionSet.selections].reverse())
    }
  }
  return fields
}

function select(
  value: unknown,
  set: SelectionSetNode | undefined,
  fragments: Fragments,
  count: { left: number },
): unknown {
  if (Array.isArray(value)) return value.map((each) => select(each, set, fragments, count))
  if (!set || typeof value !== 'object' || value === null) return value ?? null
  const known: Record<string, unknown> = { ...value }
  return Object.fromEntries(
    fieldsOf(set, fragments, count).map(({ alias, name, selectionSet }) => [
      alias?.value ?? name.value,
      select(Object.hasOwn(known, name.value) ? known[name.value] : null, selectionSet, fragments, count),
    ]),
  )
}
