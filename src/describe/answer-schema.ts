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
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
} from 'graphql'
import { MAX_LIMIT } from '../base/page.ts'
import { readListSize } from '../graph/cost/list-size.ts'
import { schema } from '../graph/run/schema.ts'
import { readNote } from '../graph/schema/field-notes.ts'
import { fieldsOf, isHidden, LIFTED, nameOf, operationOf } from '../rest/contract/lift.ts'
import { integerSchema, type JsonSchema, LARGEST, openWords, orNullSchema, withoutExample } from './json-schema.ts'
import { valueSchema } from './values.ts'

/**
 * The fields of components for which REST has another value than null, because the contract wants one. All others are
 * null where GraphQL's are.
 */
const FILLED: ReadonlySet<string> = new Set([
  'Token.market_cap_usd',
  'TokenProfile.market_cap_usd',
  ...['EventPage.total', 'WalletEventPage.total'],
  ...['Position.quantity', 'Position.value_usd'],
  ...['win_rate', 'entry_timing_score', 'consistency_score', 'risk_drawdown_score'].map(
    (name) => `WalletScoreDimensions.${name}`,
  ),
  ...['holder_concentration_score', 'liquidity_stability_score', 'wash_trade_score', 'smart_money_flow_score'].map(
    (name) => `TokenScoreDimensions.${name}`,
  ),
  ...['early_mover_count', 'early_mover_net_activity', 'avg_reputation_top10'].map(
    (name) => `TopHolderSummary.${name}`,
  ),
])

/** Fields that the shapes of routes add. */
const ADDED: Readonly<Record<string, JsonSchema>> = {
  unknown: {
    type: 'array',
    description: 'The names of the fields whose value is not known and stands for nothing; often empty.',
    items: { type: 'string', pattern: '^[a-z0-9_]+$', maxLength: 64 },
    maxItems: 7,
    examples: [['market_cap_usd']],
  },
  transfer_direction: {
    ...orNullSchema(openWords({ type: 'string', enum: ['in', 'out'] })),
    description: 'Whether a transfer went out of the wallet or came in; null for every other type.',
    examples: ['in'],
  },
}

/** Fields of a page. */
const PAGE: Readonly<Record<string, JsonSchema>> = {
  page: pageField('The number of the page, from 1.', 'page number, from 1', integerSchema(1, LARGEST.tenDigits), 1),
  limit: pageField('The largest number of items per page.', 'items', integerSchema(1, MAX_LIMIT), 50),
}

/** The fields of these objects are left out when they are not set. */
const PARTIAL = new Set(['AlertConditions'])
/** Optional fields of an answer: those of a webhook or a chat. */
const OPTIONAL: ReadonlySet<string> = new Set(['url', 'secret'])
const CAP =
  'The market cap in USD: the price times the supply in circulation (without burned tokens and those of known lockers). The price is at the block of the answer. 0 when it is not priced.'

const EVENT_TOTAL = 'How many events pass the parameters, on all pages.'

/** REST's own descriptions of fields, by their names, or by their components too. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'Token.market_cap_usd': CAP,
  'TokenProfile.market_cap_usd': CAP,
  'FoundToken.market_cap_usd': CAP.replace('0 when', 'Null when'),
  'EventPage.total': EVENT_TOTAL,
  'WalletEventPage.total': EVENT_TOTAL,
  secret: 'The secret that signs the messages of its webhook, shown only in this answer; left out without a webhook.',
  'Position.quantity': 'The amount held, in whole tokens; 0 for unknown decimals.',
  'Position.value_usd': 'The value of the holding in USD; 0 when the token is not priced.',
  'WalletEvent.counterparty': 'The address of the other side of a transfer; null for every other type.',
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
    'The mean reputation of the ten largest holders that are accounts or contracts, 0-100. Pools, lockers, exchanges and burn addresses do not count. 50 before the first score.',
}

/** Collects the components of all routes. */
export interface Components {
  schemas: Record<string, JsonSchema>
  /** The selection of each component. */
  sources: Map<string, string>
}

export const createComponents = (): Components => ({ schemas: {}, sources: new Map() })

/** How a route's answer differs from its document's. */
export interface Shaping {
  /** Other names of components than their types', where two routes show different fields of one type. */
  names: Readonly<Record<string, string>>
  /** Whether the answer is the first field in the document's answer, to which REST adds the others. */
  unwraps: boolean
  /** The names of fields that the route's shape adds to each item of a list, or to the answer. */
  adds: readonly string[]
  isList: boolean
  /** Whether REST adds the number of the page, and its limit. */
  isPaged: boolean
}

/** The schema of a route's answer, from the document's field `answer`. */
export function answerSchema(
  document: string,
  { names, unwraps, adds, isList, isPaged }: Shaping,
  into: Components,
): JsonSchema {
  const { operation, selectionSet } = operationOf(document)
  const root = schema.getRootType(operation)
  const [answer] = fieldsOf(selectionSet)
  const field = answer && root?.getFields()[answer.name.value]
  const type = field && getNamedType(field.type)
  if (!answer || !isObjectType(type)) throw new Error('the document of a route has one root field, an object')
  const added = Object.fromEntries(adds.map((name) => [name, ADDED[name] ?? {}]))
  const ofPage = isPaged ? PAGE : {}
  const to = { names, into, added: isList ? ofPage : added, addedToItems: isList ? added : {} }
  if (!unwraps) return objectSchema(type, answer, to)
  const [inner, ...others] = fieldsOf(answer.selectionSet)
  if (!inner) throw new Error('the answer of a route has fields')
  const beside = others.map((other) => [nameOf(other), fieldSchema(type, other, '', to)] as const)
  const innerType = getNamedType(type.getFields()[inner.name.value]?.type)
  if (!isObjectType(innerType)) throw new Error('a field that is unwrapped is an object')
  return objectSchema(innerType, inner, { ...to, added: { ...to.added, ...Object.fromEntries(beside) } })
}

/** The names that a route gives to types, the fields that it adds, and the components that take their schemas. */
interface Target {
  names: Readonly<Record<string, string>>
  into: Components
  added: Readonly<Record<string, JsonSchema>>
  /** To the items of the list `data`. */
  addedToItems: Readonly<Record<string, JsonSchema>>
}

function fieldSchema(parent: GraphQLObjectType, node: FieldNode, component: string, to: Target): JsonSchema {
  const field = parent.getFields()[node.name.value]
  if (!field) throw new Error(`${parent.name} has no field ${node.name.value}`)
  const name = nameOf(node)
  const lifted = fieldsOf(node.selectionSet).find((inner) => nameOf(inner) === LIFTED)
  const type = getNamedType(field.type)
  if (lifted) {
    if (!isObjectType(type)) throw new Error(`${name} lifts a field of no object`)
    const inner = { ...lifted, alias: { kind: Kind.NAME, value: name } } as FieldNode
    const one = fieldSchema(type, inner, component, to)
    return isNonNullType(field.type) ? one : orNullSchema(one)
  }
  const description = OTHER_WORDS[`${component}.${name}`] ?? OTHER_WORDS[name] ?? withoutExample(field.description)
  const below = { ...to, added: name === 'data' ? to.addedToItems : {}, addedToItems: {} }
  const one: JsonSchema = isObjectType(type)
    ? objectSchema(type, node, below)
    : valueSchema(
        {
          name,
          place: `${parent.name}.${field.name}`,
          type: type as GraphQLLeafType,
          note: readNote(field),
          description,
        },
        to.into.schemas,
      )
  const whole = isList(field.type) ? listSchema(one, field, description) : one
  return isNullable(field, parent.name, `${component}.${name}`) ? orNullSchema(whole, description) : whole
}

const isNullable = (field: GraphQLField<unknown, unknown>, parent: string, place: string): boolean =>
  !isNonNullType(field.type) &&
  !FILLED.has(place) &&
  !PARTIAL.has(parent) &&
  !OPTIONAL.has(place.split('.').at(-1) ?? '')

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type))

function listSchema(items: JsonSchema, field: GraphQLField<unknown, unknown>, description: string): JsonSchema {
  const maximum = readListSize(field)?.maximum
  if (maximum === undefined) throw new Error(`the list ${field.name} has no size`)
  const { examples, description: _, ...item } = items
  return {
    type: 'array',
    description,
    items: item,
    maxItems: maximum,
    ...(examples && { examples: Array.isArray(examples[0]) ? examples : [examples] }),
  }
}

function objectSchema(type: GraphQLObjectType, node: FieldNode, to: Target): JsonSchema {
  const { names, into, added } = to
  const typeName = type.name.replace(/Connection$/, 'Page')
  const name = names[typeName] ?? typeName
  const own = fieldsOf(node.selectionSet)
    .filter((inner) => !isHidden(nameOf(inner)))
    .map((inner) => [nameOf(inner), fieldSchema(type, inner, name, { ...to, added: {} })] as const)
  const properties = { ...Object.fromEntries(own), ...added }
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

function pageField(description: string, unit: string, range: JsonSchema, example: number): JsonSchema {
  return { ...range, description, 'x-unit': unit, examples: [example] }
}
