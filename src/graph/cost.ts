// What a query asks for, before anything runs: the items of its lists, with page sizes from variables too. GraphQL is never
// cheaper than REST: a request per root field, and one per 200 items, as many as the largest page of a list holds.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity'
import { MAX_LIMIT } from '../base/page.ts'

/** Marks a field for the estimate: it lists so many items, or as many as its argument `limit` says. */
export const listOf = (items: number | 'limit', maximum = MAX_LIMIT) => ({ items, maximum })

/** Marks an object type for the estimate: it comes with the object around it, and is no item of its own. */
export const PART = { part: true }

/** Items that one query may ask for: it costs fifty requests then. */
export const MAX_ITEMS = 10_000

/** Requests that a query costs, and the items that it asks for. */
export interface Cost {
  requests: number
  items: number
}

/** Lists multiply what is below them; an object counts as one item wherever it is not a part of the one around it. */
const estimator: ComplexityEstimator = ({ args, childComplexity, field, type }) => {
  const { items, maximum } = field.extensions as Partial<ReturnType<typeof listOf>>
  if (items === undefined) return childComplexity + (type.name !== 'Query' && isItem(field.type) ? 1 : 0)
  const { limit } = args
  const length = items === 'limit' ? Math.min(typeof limit === 'number' ? limit : Infinity, maximum ?? 0) : items
  // The items of a page count as such below it; those of a plain list here.
  return Math.max(length, 1) * (childComplexity + (isListType(getNullableType(field.type)) ? 1 : 0))
}

const isItem = (type: GraphQLOutputType): boolean => {
  const named = getNamedType(type)
  return isObjectType(named) && named.extensions.part !== true
}

/** The cost of an operation; throws a `GraphQLError` for variables that do not fit. */
export function estimateCost(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown>,
  operationName: string | null | undefined,
): Cost {
  const named = operationName ? { operationName } : {}
  const items = getComplexity({ schema, query, variables, estimators: [estimator], ...named })
  return { requests: Math.max(1, countRoots(query, operationName), Math.ceil(items / MAX_LIMIT)), items }
}

/** Root fields of the operation, also those behind fragments. */
function countRoots(query: DocumentNode, operationName: string | null | undefined): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  let root: SelectionSetNode | undefined
  for (const definition of query.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    else if (definition.kind === Kind.OPERATION_DEFINITION) {
      if (!operationName || definition.name?.value === operationName) root = definition.selectionSet
    }
  }
  const fields = new Set<string>()
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (!selection.name.value.startsWith('__')) fields.add((selection.alias ?? selection.name).value)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        collect(fragments.get(selection.name.value)?.selectionSet)
      }
    }
  }
  collect(root)
  return fields.size
}
