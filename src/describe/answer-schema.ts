// Pure. The JSON schema of what a route answers: its document, walked over the GraphQL schema. Objects become components,
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
import { readNote } from '../graph/field-notes.ts'
import { readListSize } from '../graph/list-size.ts'
import { schema } from '../graph/schema.ts'
import { type JsonSchema, withoutExample } from './json-schema.ts'
import { valueSchema } from './values.ts'

/** REST's fields are never null but these; what is not known is 0, empty or `unknown`. */
const NULLABLE = new Set(['direction', 'last_triggered_at'])
/** The fields of these objects are left out when they are not set. */
const PARTIAL = new Set(['AlertConditions'])
/** Fields that an answer has only where there is something to say: those of a webhook. */
const OPTIONAL: ReadonlySet<string> = new Set(['url', 'secret'])
/** What REST says of a field where GraphQL, which has null, says something else. */
const OTHER_WORDS: Readonly<Record<string, string>> = {}

/** Collects the components of all routes. */
export interface Components {
  schemas: Record<string, JsonSchema>
  /** The selection that each component was made of. */
  sources: Map<string, string>
}

export const createComponents = (): Components => ({ schemas: {}, sources: new Map() })

/** The operation of a document that has one. */
export function operationOf(document: string): OperationDefinitionNode {
  const [definition] = parse(document, { noLocation: true }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('the document of a route is one operation')
  return definition
}

/**
 * The schema of the document's field `answer` or, if `unwraps`, of the one field in it. `names` gives a component another name than its
 * type's; needed where two routes show different fields of one type.
 */
export function answerSchema(
  document: string,
  names: Readonly<Record<string, string>>,
  into: Components,
  unwraps = false,
): JsonSchema {
  const { operation, selectionSet } = operationOf(document)
  const root = schema.getRootType(operation)
  const answer = onlyField(selectionSet)
  const field = root?.getFields()[answer.name.value]
  const type = field && getNamedType(field.type)
  if (!root || !type) throw new Error('the document of a route has one root field')
  if (!unwraps || !isObjectType(type)) return fieldSchema(root, answer, names, into)
  return fieldSchema(type, onlyField(answer.selectionSet), names, into)
}

function onlyField(set: SelectionSetNode | undefined): FieldNode {
  const [field, ...rest] = set?.selections ?? []
  if (field?.kind !== Kind.FIELD || rest.length > 0) throw new Error('one field was expected here')
  return field
}

function fieldSchema(
  parent: GraphQLObjectType,
  node: FieldNode,
  names: Readonly<Record<string, string>>,
  into: Components,
): JsonSchema {
  const field = parent.getFields()[node.name.value]
  if (!field) throw new Error(`${parent.name} has no field ${node.name.value}`)
  const name = (node.alias ?? node.name).value
  const type = getNamedType(field.type)
  const description = OTHER_WORDS[name] ?? withoutExample(field.description)
  const one: JsonSchema = isObjectType(type)
    ? objectSchema(type, node, names, into)
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
  names: Readonly<Record<string, string>>,
  into: Components,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const selection of node.selectionSet?.selections ?? []) {
    if (selection.kind !== Kind.FIELD) throw new Error('the documents of the routes have no fragments')
    properties[(selection.alias ?? selection.name).value] = fieldSchema(type, selection, names, into)
  }
  const name = names[type.name] ?? type.name
  const source = `${type.name} ${node.selectionSet ? print(node.selectionSet) : ''}`
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
