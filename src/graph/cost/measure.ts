// Measures a document before it is validated. An unknown field counts as one field. A fragment is measured once,
// however often it is spread, so that the time is linear in the document's length.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { refuse } from '../errors.ts'
import { type IntrospectionSizes, type Reach, reachBelow, readIntrospectionSizes } from './introspection-size.ts'
import { lengthOf, readListSize, readWork } from './list-size.ts'
import { isLeftOut, type Values } from './values.ts'

/** The size of a selection set per object. */
export interface Measure {
  /** Fields in the document, with fragments expanded. */
  selections: number
  /** Levels of fields. */
  depth: number
  /** Fields in the answer: selections times the lengths of the lists around them. Each element of a list of scalars is one, too. */
  fields: number
  /** The number of them that describe the schema. */
  described: number
  /** Objects in the answer that are list items or are loaded on their own. */
  items: number
  /** For a page: the part of `fields` and `items` that each of its items adds. */
  fieldsPerItem: number
  itemsPerItem: number
}

type Field = GraphQLField<unknown, unknown>

const NO_ANSWER = { fields: 0, described: 0, items: 0, fieldsPerItem: 0, itemsPerItem: 0 }
/** The measure of an empty selection set. */
export const EMPTY_MEASURE: Measure = { selections: 0, depth: 0, ...NO_ANSWER }

/** The document and the results so far. */
interface Walk {
  schema: GraphQLSchema
  sizes: IntrospectionSizes
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  values: Values
  spreads: Map<string, Measure | 'open'>
}

/** Measures selection sets of one document. Refuses a fragment that spreads itself. */
export type MeasureSet = (set: SelectionSetNode, type: GraphQLNamedType | undefined) => Measure

/** Prepares the values that depend only on the schema. */
export function createMeasure(schema: GraphQLSchema) {
  const sizes = readIntrospectionSizes(schema)
  return (fragments: Walk['fragments'], values: Values): MeasureSet => {
    const walk: Walk = { schema, sizes, fragments, values, spreads: new Map() }
    return (set, type) => measureSet(walk, set, type, 0)
  }
}

function measureSet(walk: Walk, set: SelectionSetNode, type: GraphQLNamedType | undefined, reach: Reach): Measure {
  const total = { ...EMPTY_MEASURE }
  for (const selection of set.selections) {
    const { selections, depth, ...answer } = measureSelection(walk, selection, type, reach)
    add(total, { selections, depth, ...(isLeftOut(selection, walk.values) ? NO_ANSWER : answer) })
  }
  return total
}

function measureSelection(
  walk: Walk,
  selection: SelectionNode,
  type: GraphQLNamedType | undefined,
  reach: Reach,
): Measure {
  if (selection.kind === Kind.FIELD) return measureField(walk, selection, type, reach)
  if (selection.kind === Kind.FRAGMENT_SPREAD) return measureSpread(walk, selection.name.value, reach)
  const { selectionSet, typeCondition } = selection
  return measureSet(walk, selectionSet, typeCondition ? walk.schema.getType(typeCondition.name.value) : type, reach)
}

/** A fragment's measure depends on its place only by the reach, so there is one per reach. */
function measureSpread(walk: Walk, name: string, reach: Reach): Measure {
  const fragment = walk.fragments.get(name)
  if (!fragment) return EMPTY_MEASURE
  const key = `${reach} ${name}`
  const known = walk.spreads.get(key)
  if (known === 'open') throw refuse(`The fragment ${name} spreads itself, directly or through others.`)
  if (known) return known
  walk.spreads.set(key, 'open')
  const type = walk.schema.getType(fragment.typeCondition.name.value)
  const measure = measureSet(walk, fragment.selectionSet, type, reach)
  walk.spreads.set(key, measure)
  return measure
}

function measureField(walk: Walk, node: FieldNode, type: GraphQLNamedType | undefined, reach: Reach): Measure {
  const { schema, sizes, values } = walk
  const name = node.name.value
  const field = findField(schema, type, name)
  const ofSchema = type !== undefined && isIntrospectionType(type)
  const below = ofSchema ? reachBelow(name, reach) : 0
  const child = node.selectionSet
    ? measureSet(walk, node.selectionSet, field && getNamedType(field.type), below)
    : EMPTY_MEASURE
  if (!field) return multiply(child, 1, 0)
  const length = ofSchema ? sizes.lengthOf(type.name, name, reach) : lengthOf(field, node, values)
  const measure = ask(field, child, length, type === schema.getQueryType())
  if (ofSchema) return { ...measure, described: measure.fields }
  const work = readWork(field)
  return work === 0 ? measure : { ...measure, items: measure.items + work }
}

/** Measures a field together with the fields below it. */
function ask(field: Field, child: Measure, length: number, isRoot: boolean): Measure {
  const isList = isListType(getNullableType(field.type))
  const mark = readListSize(field)
  if (mark?.items === 'page') {
    const item = multiply(child, 0, 0)
    return { ...item, fieldsPerItem: child.fields, itemsPerItem: child.items + countItem(field.type) }
  }
  if (mark && !isList) {
    const page = multiply(child, 1, 0)
    page.fields += length * child.fieldsPerItem
    page.items += length * child.itemsPerItem
    return page
  }
  const weight = mark?.weight ?? 1
  const own = isRoot && !isList ? 0 : weight * countItem(field.type)
  const leaves = isList && isLeafType(getNamedType(field.type)) ? length : 0
  const measure = multiply(child, length, own)
  // Elements of a list of scalars are no items; points of a series always are.
  const points = mark?.weight === undefined ? 0 : leaves * weight
  return { ...measure, fields: measure.fields + leaves, items: measure.items + points }
}

/** One field, plus `length` times the fields below it. */
const multiply = (child: Measure, length: number, own: number): Measure => ({
  selections: 1 + child.selections,
  depth: 1 + child.depth,
  fields: 1 + length * child.fields,
  described: length * child.described,
  items: length * (child.items + own),
  fieldsPerItem: 0,
  itemsPerItem: 0,
})

/** 1 for an object that counts as an item, 0 for a scalar or a part of its parent. */
function countItem(type: GraphQLOutputType): number {
  const named = getNamedType(type)
  return isCompositeType(named) && !isIntrospectionType(named) && named.extensions.part !== true ? 1 : 0
}

function add(total: Measure, part: Measure): void {
  total.selections += part.selections
  total.depth = Math.max(total.depth, part.depth)
  total.fields += part.fields
  total.described += part.described
  total.items += part.items
  total.fieldsPerItem += part.fieldsPerItem
  total.itemsPerItem += part.itemsPerItem
}

function findField(schema: GraphQLSchema, type: GraphQLNamedType | undefined, name: string): Field | undefined {
  if (!isObjectType(type)) return undefined
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return type.getFields()[name]
}
