// Pure. The JSON schema of a route's answer: its document, walked over the GraphQL schema. Objects become components,
// one for each type and set of fields.
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql'
import { readListSize } from '../graph/cost/list-size.ts'
import { schema } from '../graph/run/schema.ts'
import { readNote } from '../graph/schema/field-notes.ts'
import { type JsonSchema, withoutExample } from './json-schema.ts'
import { valueSchema } from './values.ts'

/** REST's fields are never null except these; an unknown value is 0, empty or `unknown`. */
const NULLABLE = new Set([
  ...['direction', 'last_triggered_at', 'kept_since', 'exact_since', 'median_change_after_24h_pct'],
  ...['median_worst_fall_pct', 'price_usd', 'price_after_1h_usd', 'price_after_24h_usd', 'price_after_7d_usd'],
  ...['change_after_24h_pct', 'worst_fall_pct', 'sellable'],
])
/** The fields of these objects are left out when they are not set. */
const PARTIAL = new Set(['AlertConditions'])
/** Optional fields of an answer: those of a webhook. */
const OPTIONAL: ReadonlySet<string> = new Set(['url', 'secret'])
/** REST's own descriptions of fields that may be null in GraphQL. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  market_cap_usd:
    'The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced.',
  secret: 'The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook.',
  quantity: 'The amount held, in whole tokens; 0 for unknown decimals.',
  value_usd: 'The value of the holding in USD; 0 when the token is not priced.',
  win_rate: 'The share of the closed positions that made a profit, 0-1; 0 without closed positions.',
  entry_timing_score:
    'How often prices were above those of its buys during the following three days, 0-100; 50 before one of them is that old.',
  consistency_score:
    'The share of its weeks that ended with a profit, 0-100; 100 is all of them, 50 before the first with a result.',
  risk_drawdown_score:
    'How small its deepest loss was compared with its positions, 0-100; 100 is no loss, 50 before its first sale.',
  holder_concentration_score: 'How concentrated the ownership is, 0-100; 100 is one holder, 60 for unknown balances.',
  liquidity_stability_score: 'How firmly the liquidity stays, 0-100; 100 cannot leave within 30 days, 40 if unknown.',
  wash_trade_score:
    'The share of wash trading in the volume, 0-100; 0 means that none was found, 60 without trades in the week or with unknown traders.',
  smart_money_flow_score:
    'The flow of wallets of high reputation, 0-100; 100 is a strong inflow, 50 is neutral or unknown.',
  early_mover_count: 'How many of the hundred largest holders are early buyers; 0 before the first score.',
  early_mover_net_activity:
    'How the holdings of these early buyers changed over the past 7 days; inactive without any.',
  avg_reputation_top10:
    'The mean reputation of the ten largest holders that are accounts or contracts (no pool, locker, exchange or burn address), 0-100; 50 before the first score.',
}

/** Collects the components of all routes. */
export interface Components {
  schemas: Record<string, JsonSchema>
  /** The selection of each component. */
  sources: Map<string, string>
}

export const createComponents = (): Components => ({ schemas: {}, sources: new Map() })

/** The only operation of a document. */
export function operationOf(document: string): OperationDefinitionNode {
  const [definition] = parse(document, { noLocation: true }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('the document of a route is one operation')
  return definition
}

/**
 * The schema of the document's field `answer` or, if `unwraps`, of the first field in it, to which REST adds the
 * others. `names` gives a component another name than its type's, for two routes that show different fields of one
 * type.
 */
export function answerSchema(
  document: string,
  names: Readonly<Record<string, string>>,
  into: Components,
  unwraps = false,
): JsonSchema {
  const to = { names, into }
  const { operation, selectionSet } = operationOf(document)
  const root = schema.getRootType(operation)
  const [answer] = fieldsOf(selectionSet)
  const field = root?.getFields()[answer.name.value]
  const type = field && getNamedType(field.type)
  if (!root || !type) throw new Error('the document of a route has one root field')
  if (!unwraps || !isObjectType(type)) return fieldSchema(root, answer, to)
  const [inner, ...others] = fieldsOf(answer.selectionSet)
  const added = others.map((other) => [nameOf(other), fieldSchema(type, other, to)] as const)
  return fieldSchema(type, inner, to, Object.fromEntries(added))
}

const nameOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

function fieldsOf(set: SelectionSetNode | undefined): [FieldNode, ...FieldNode[]] {
  const [first, ...rest] = (set?.selections ?? []).map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('the documents of the routes have no fragments')
    return selection
  })
  if (!first) throw new Error('a field was expected here')
  return [first, ...rest]
}

/** The names that a route gives to types, and the components that take their schemas. */
interface Target {
  names: Readonly<Record<string, string>>
  into: Components
}

function fieldSchema(
  parent: GraphQLObjectType,
  node: FieldNode,
  to: Target,
  added: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const field = parent.getFields()[node.name.value]
  if (!field) throw new Error(`${parent.name} has no field ${node.name.value}`)
  const name = nameOf(node)
  const type = getNamedType(field.type)
  const description = OTHER_WORDS[name] ?? withoutExample(field.description)
  const one: JsonSchema = isObjectType(type)
    ? objectSchema(type, node, to, added)
    : valueSchema({ name, type: type as GraphQLLeafType, note: readNote(field), description })
  if (isList(field.type)) return listSchema(one, field, description)
  if (isLeafType(type) && NULLABLE.has(name)) return orNull(one)
  return one
}

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type))

function listSchema(items: JsonSchema, field: GraphQLField<unknown, unknown>, description: string): JsonSchema {
  const maximum = readListSize(field)?.maximum
  if (maximum === undefined) throw new Error(`the list ${field.name} has no size`)
  const { examples, description: _, ...item } = items
  return { type: 'array', description, items: item, maxItems: maximum, ...(examples && { examples: [examples] }) }
}

const orNull = ({ type, enum: words, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  type: [String(type), 'null'],
  ...(words && { enum: [...words, null] }),
})

function objectSchema(
  type: GraphQLObjectType,
  node: FieldNode,
  { names, into }: Target,
  added: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const own = fieldsOf(node.selectionSet).map(
    (inner) => [nameOf(inner), fieldSchema(type, inner, { names, into })] as const,
  )
  const properties = { ...Object.fromEntries(own), ...added }
  const name = names[type.name] ?? type.name
  const source = `${type.name} ${node.selectionSet ? print(node.selectionSet) : ''} ${Object.keys(added)}`
  const known = into.sources.get(name)
  if (known !== undefined && known !== source) {
    throw new Error(`${name} has two sets of fields: give one route another name for ${type.name}`)
  }
  into.sources.set(name, source)
  into.schemas[name] = {
    type: 'object',
    description: type.description ?? '',
    properties,
    ...(!PARTIAL.has(type.name) && { required: Object.keys(properties).filter((name) => !OPTIONAL.has(name)) }),
  }
  return { $ref: `#/components/schemas/${name}` }
}
