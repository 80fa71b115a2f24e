// Computes the budget of a query before it is validated or run: its size, whether that size is allowed, and its price
// in requests. It never throws for a document that does not fit the schema, because validation reports that.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { AssayError } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { refuse } from '../errors.ts'
import { createMeasure, EMPTY_MEASURE, type Measure } from './measure.ts'
import { countRepeats } from './repeats.ts'
import { readValues } from './values.ts'

/** The most fields of all operations and fragments of a document, with fragments expanded. GraphiQL's introspection has about 200. */
export const MAX_SELECTIONS = 2_000
/**
 * The most levels of fields, including introspection. A path from a token over holders, wallets, portfolios and their
 * tokens to the inputs of an explanation has 12.
 */
export const MAX_DEPTH = 15
/**
 * The most pairs of fields with the same name in the same place. Validation compares each pair, which takes up to 30
 * microseconds.
 */
const MAX_REPEATS = 2_000
/** The most items that one query may ask for, at a cost of fifty requests. */
const MAX_ITEMS = 10_000
/**
 * The most fields in an answer. A field takes 2 microseconds of the event loop if its row is loaded, and 10 if it calls
 * a loader.
 */
export const MAX_FIELDS = 32_000

/** The fields of an answer that one request pays for: seventy-five for each item of a full page. */
const FIELDS_PER_REQUEST = 15_000
/**
 * The price of a field that describes the schema: it reads nothing. All of GraphiQL's introspection is therefore one
 * request.
 */
const DESCRIBED_WEIGHT = 1 / 2

/** The size of a query, and its price in requests. */
export interface Budget {
  /** How many fields the query has, with fragments expanded. */
  selections: number
  /** How many fields the answer has at most. */
  fields: number
  /** The most list items, and objects that are loaded on their own, in the answer. */
  items: number
  requests: number
}

/**
 * The budget, null if it cannot be computed; and the error that refuses the query, null for a query within the bounds.
 */
interface Assessment {
  budget: Budget | null
  refusal: GraphQLError | null
}

export type Assess = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  operationName: string | null | undefined,
) => Assessment

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Prepares the values that depend only on the schema. */
export function createAssess(schema: GraphQLSchema): Assess {
  const openMeasure = createMeasure(schema)
  return (document, variables, operationName) => {
    const operation = getOperationAST(document, operationName) ?? null
    const root = operation && schema.getRootType(operation.operation)
    if (operation && !root) return { budget: null, refusal: refuse(`There is no ${operation.operation} here.`) }
    const fragments = findFragments(document)
    const measure = openMeasure(fragments, readValues(operation, variables))
    try {
      const measures = document.definitions.map((node) => {
        if (node.kind === Kind.FRAGMENT_DEFINITION) {
          return measure(node.selectionSet, schema.getType(node.typeCondition.name.value))
        }
        return node.kind === Kind.OPERATION_DEFINITION
          ? measure(node.selectionSet, schema.getRootType(node.operation) ?? undefined)
          : EMPTY_MEASURE
      })
      const asked = operation ? (measures[document.definitions.indexOf(operation)] ?? EMPTY_MEASURE) : EMPTY_MEASURE
      const roots = operation ? countRoots(operation.selectionSet, fragments) : 0
      return { budget: toBudget(asked, roots), refusal: judge(document, fragments, measures, asked) }
    } catch (error) {
      if (error instanceof GraphQLError) return { budget: null, refusal: error }
      if (error instanceof AssayError) return { budget: null, refusal: refuse(error.message, error.faults) }
      throw error
    }
  }
}

function findFragments(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  }
  return fragments
}

/** Keeps GraphQL from being cheaper than REST, where one request is one root field with a page of at most 200 items. */
function toBudget({ selections, fields, described, items }: Measure, roots: number): Budget {
  const bounded = (amount: number) => Math.min(Math.ceil(amount), Number.MAX_SAFE_INTEGER)
  const priced = fields - (1 - DESCRIBED_WEIGHT) * described
  const requests = Math.max(1, roots, Math.ceil(items / MAX_LIMIT), Math.ceil(priced / FIELDS_PER_REQUEST))
  return {
    selections: bounded(selections),
    fields: bounded(fields),
    items: bounded(items),
    requests: bounded(requests),
  }
}

/**
 * The error for the first bound that the document exceeds; null if it exceeds none. The first bound also keeps the
 * later checks short.
 */
function judge(
  document: DocumentNode,
  fragments: Fragments,
  measures: readonly Measure[],
  { items, fields }: Measure,
): GraphQLError | null {
  const selections = measures.reduce((sum, measure) => sum + measure.selections, 0)
  const depth = Math.max(0, ...measures.map((measure) => measure.depth))
  const say = (has: string, number: number, of: string, most: number, instead: string) =>
    refuse(`The query ${has} ${toWords(number)} ${of}, and ${most} are the most: ${instead}.`)
  if (selections > MAX_SELECTIONS)
    return say('has', selections, 'fields with its fragments expanded', MAX_SELECTIONS, 'split it')
  if (depth > MAX_DEPTH) return say('has', depth, 'levels of fields', MAX_DEPTH, 'ask for less at once')
  if (items > MAX_ITEMS) return say('asks for', items, 'items', MAX_ITEMS, 'ask for smaller pages')
  if (fields > MAX_FIELDS) {
    return say('asks for', fields, 'fields in the answer', MAX_FIELDS, 'ask for smaller pages or fewer fields')
  }
  const repeats = document.definitions.reduce(
    (sum, node) =>
      'selectionSet' in node && node.selectionSet ? sum + countRepeats(node.selectionSet, fragments) : sum,
    0,
  )
  if (repeats > MAX_REPEATS)
    return say('has', repeats, 'pairs of one name in one place', MAX_REPEATS, 'name each field once')
  return null
}

/** A number in words that a person can read, even a huge one. */
const toWords = (number: number): string => (number < 1e9 ? String(Math.ceil(number)) : 'more than a billion')

/** Root fields that tell about the service and the caller: one of each comes with any query. */
const ABOUT = new Set(['chain', 'me', 'status'])

/** How many root fields of the operation's answer are priced, including those in fragments. */
function countRoots(root: SelectionSetNode, fragments: Fragments): number {
  const fields = new Map<string, string>()
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        if (!selection.name.value.startsWith('__'))
          fields.set((selection.alias ?? selection.name).value, selection.name.value)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment) collect(fragment.selectionSet)
      }
    }
  }
  collect(root)
  const names = new Set(fields.values())
  return fields.size - [...names].filter((name) => ABOUT.has(name)).length
}
