// Runs queries by a plan per document. A plan has the resolver of each value and its conversion. To look both up for
// every field of every row took graphql-js most of a list's time. A plan covers only answers without faults. For any
// other case the result is null, and graphql-js runs the query.

import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { pushTo } from '../../base/push-to.ts'
import { schema } from './schema.ts'

type Values = Record<string, unknown>

/**
 * The signal of a plan that gives up: a fault, or an unknown case. It is no error of its own, because graphql-js finds
 * the error.
 */
class Unplanned extends Error {}

/** An answer in the making: how many values it still waits for. */
interface Work {
  context: unknown
  variables: Values
  waiting: number
  isOver: boolean
  done(): void
  fail(): void
}

/** Makes an answer's value of a resolver's result; null for a nullable null. */
type Complete = (value: unknown, work: Work) => unknown

interface PlannedField {
  key: string
  resolve: GraphQLFieldResolver<unknown, unknown>
  argsOf(variables: Values): Values
  info: GraphQLResolveInfo
  complete: Complete
}

export interface QueryPlan {
  operation: OperationDefinitionNode
  write: Complete
}

interface Source {
  fragments: Readonly<Record<string, FragmentDefinitionNode>>
  operation: OperationDefinitionNode
  /** Fields that the plan may still get. */
  left: number
}

/**
 * The most fields of a plan. One takes half a kilobyte for as long as its document is cached; queries by people have
 * fewer.
 */
export const MOST_PLANNED = 500

/** Plans by document and name of the operation; null for an operation without a plan. */
const plans = new WeakMap<DocumentNode, Map<string, QueryPlan | null>>()

/** The data of a query; null if graphql-js has to run it. */
export function runPlan(plan: QueryPlan, sent: Values, context: unknown): Promise<Values | null> {
  const { coerced } = getVariableValues(schema, plan.operation.variableDefinitions ?? [], sent, { maxErrors: 1 })
  if (!coerced) return Promise.resolve(null)
  return new Promise((resolve) => {
    let data: unknown
    const work: Work = {
      context,
      variables: coerced,
      waiting: 1,
      isOver: false,
      done: () => {
        work.waiting -= 1
        if (work.waiting === 0 && !work.isOver) resolve(data as Values)
      },
      fail: () => {
        work.isOver = true
        resolve(null)
      },
    }
    try {
      data = plan.write({}, work)
      work.done()
    } catch {
      work.fail()
    }
  })
}

/** The plan of an operation; null if graphql-js has to run it. */
export function planOf(document: DocumentNode, operationName: string | null): QueryPlan | null {
  const known = plans.get(document) ?? new Map<string, QueryPlan | null>()
  plans.set(document, known)
  const name = operationName ?? ''
  const found = known.get(name)
  if (found !== undefined) return found
  const plan = makePlan(document, operationName)
  // Unknown operation names are not stored, because a client could send any number of them.
  if (getOperationAST(document, operationName)) known.set(name, plan)
  return plan
}

function makePlan(document: DocumentNode, operationName: string | null): QueryPlan | null {
  const operation = getOperationAST(document, operationName)
  const type = schema.getQueryType()
  if (operation?.operation !== 'query' || !type) return null
  const fragments: Record<string, FragmentDefinitionNode> = {}
  for (const node of document.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node
  try {
    return {
      operation,
      write: planObject(type, [operation.selectionSet], { fragments, operation, left: MOST_PLANNED }),
    }
  } catch (error) {
    if (error instanceof Unplanned) return null
    throw error
  }
}

/** The fields of selections by their keys in the answer, in the order of their first place. */
function collect(
  type: GraphQLObjectType,
  set: SelectionSetNode,
  source: Source,
  found: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const selection of set.selections) {
    if (selection.directives?.length) throw new Unplanned()
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value
      pushTo(found, key, selection)
      continue
    }
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : null
    if (name !== null && spread.has(name)) continue
    if (name !== null) spread.add(name)
    const inner = name === null ? selection : source.fragments[name]
    if (!inner || !('selectionSet' in inner)) throw new Unplanned()
    if (applies(type, inner.typeCondition?.name.value)) collect(type, inner.selectionSet, source, found, spread)
  }
}

function applies(type: GraphQLObjectType, condition: string | undefined): boolean {
  const named = condition === undefined ? type : schema.getType(condition)
  if (named === type) return true
  return isAbstractType(named) && schema.isSubType(named, type)
}

function planObject(type: GraphQLObjectType, sets: readonly SelectionSetNode[], source: Source): Complete {
  if (type.isTypeOf) throw new Unplanned()
  const found = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  for (const set of sets) collect(type, set, source, found, spread)
  const fields = [...found].map(([key, nodes]) => planField(type, key, nodes, source))
  return (row, work) => {
    const answer: Values = {}
    for (const { key, resolve, argsOf, info, complete } of fields) {
      const value = resolve(row, argsOf(work.variables), work.context, info)
      if (isPromise(value)) {
        // Holds the place, so that fields keep the order of the query.
        answer[key] = null
        later(value, complete, work, (made) => {
          answer[key] = made
        })
      } else answer[key] = complete(value, work)
    }
    return answer
  }
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

function later(value: PromiseLike<unknown>, complete: Complete, work: Work, put: (made: unknown) => void): void {
  work.waiting += 1
  value.then(
    (given) => {
      if (work.isOver) return
      try {
        put(complete(given, work))
        work.done()
      } catch {
        work.fail()
      }
    },
    () => work.fail(),
  )
}

function planField(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[], source: Source): PlannedField {
  const [node] = nodes
  const name = node?.name.value ?? ''
  const typename = type.name
  const field = type.getFields()[name]
  // As a key of a plain object it would set the prototype.
  if (key === '__proto__') throw new Unplanned()
  source.left -= 1
  if (source.left < 0) throw new Unplanned()
  if (node && name === '__typename')
    return {
      key,
      resolve: () => typename,
      argsOf: () => ({}),
      info: {} as GraphQLResolveInfo,
      complete: (value) => value,
    }
  // Introspection, and relations that Prisma's plugin reads by the path of the field.
  if (!node || !field || field.extensions.pothosPrismaSelect !== undefined) throw new Unplanned()
  return {
    key,
    resolve: (field.resolve ?? defaultFieldResolver) as GraphQLFieldResolver<unknown, unknown>,
    argsOf: planArguments(field, node),
    info: describe(field, type, nodes, source),
    complete: planValue(field.type, nodes, source),
  }
}

/** Arguments without variables are computed once, others once per answer. */
function planArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): (variables: Values) => Values {
  if (field.args.length === 0) {
    const none = Object.freeze({})
    return () => none
  }
  let last: { variables: Values; values: Values } | undefined
  return (variables) => {
    if (last?.variables !== variables) last = { variables, values: getArgumentValues(field, node, variables) }
    return last.values
  }
}

/** The resolvers' info argument. No resolver in a plan reads the path, the variables or the root. */
function describe(
  field: GraphQLField<unknown, unknown>,
  parentType: GraphQLObjectType,
  fieldNodes: readonly FieldNode[],
  { fragments, operation }: Source,
): GraphQLResolveInfo {
  const told = { fieldName: field.name, fieldNodes, returnType: field.type, parentType, schema, fragments, operation }
  return Object.assign(Object.create(UNTOLD) as GraphQLResolveInfo, told)
}

const refuse = () => {
  throw new Unplanned()
}
const UNTOLD = Object.defineProperties(
  {},
  { path: { get: refuse }, rootValue: { get: refuse }, variableValues: { get: refuse } },
)

function planValue(type: GraphQLOutputType, nodes: readonly FieldNode[], source: Source): Complete {
  if (isNonNullType(type)) {
    const complete = planValue(type.ofType, nodes, source)
    return (value, work) => {
      const made = complete(value, work)
      if (made === null || made === undefined) throw new Unplanned()
      return made
    }
  }
  if (isLeafType(type))
    return (value) => {
      if (value === null || value === undefined) return null
      const made = value instanceof Error ? undefined : type.serialize(value)
      if (made === null || made === undefined) throw new Unplanned()
      return made
    }
  if (isListType(type)) return planList(planValue(type.ofType, nodes, source))
  if (isAbstractType(type) || !isObjectType(type)) throw new Unplanned()
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const write = planObject(type, sets, source)
  return (value, work) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw new Unplanned()
    return write(value, work)
  }
}

const planList =
  (complete: Complete): Complete =>
  (value, work) => {
    if (value === null || value === undefined) return null
    if (!Array.isArray(value)) throw new Unplanned()
    const made: unknown[] = new Array(value.length)
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at]
      if (isPromise(item)) {
        later(item, complete, work, (completed) => {
          made[at] = completed
        })
      } else made[at] = complete(item, work)
    }
    return made
  }
