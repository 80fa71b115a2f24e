// How long introspection's own lists are in this schema. `__schema { types }` comes to each type once, so that what hangs from
// it is as much as the schema has in all; a type that is reached in any other way may be the one with the longest lists.
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql'

/** Whether a place of the query comes to each type or directive of the schema once, or to any, so many times below `ofType`. */
export type Reach = 'each' | number

/** Of all that are there: how many there are of them on average, and at most. */
type Lengths = Record<'each' | 'any', number>

export interface IntrospectionSizes {
  /** The length of a list of introspection; 1 for what is no list, and 0 for what is never there. */
  lengthOf(type: string, field: string, reach: Reach): number
}

/** Fields under which the reach stays as it is: they come to each part of what is around them once. */
const PARTS = ['fields', 'args', 'inputFields', 'enumValues', 'locations']

/** `[T!]!` is a type around a type around a type around one that has a name. */
const MAX_WRAPPERS = 3

/** The reach below a field of an introspection type. */
export function reachBelow(field: string, reach: Reach): Reach {
  if (field === 'types' || field === 'directives') return 'each'
  if (field === 'ofType') return reach === 'each' ? 1 : Math.min(reach + 1, MAX_WRAPPERS)
  return PARTS.includes(field) ? reach : 0
}

const summarise = (counts: readonly number[]): Lengths => ({
  each: counts.reduce((sum, count) => sum + count, 0) / Math.max(counts.length, 1),
  any: Math.max(0, ...counts),
})

const always = (length: number): Lengths => ({ each: length, any: length })

/** Measures the schema once. */
export function readIntrospectionSizes(schema: GraphQLSchema): IntrospectionSizes {
  const types = Object.values(schema.getTypeMap())
  const directives = schema.getDirectives()
  const fieldsOf = types.map((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  )
  const sizes: Readonly<Record<string, Lengths>> = {
    '__Schema.types': always(types.length),
    '__Schema.directives': always(directives.length),
    '__Type.fields': summarise(fieldsOf.map((fields) => fields.length)),
    '__Type.interfaces': summarise(
      types.map((type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0)),
    ),
    '__Type.possibleTypes': summarise(
      types.map((type) => (isInterfaceType(type) || isUnionType(type) ? schema.getPossibleTypes(type).length : 0)),
    ),
    '__Type.enumValues': summarise(types.map((type) => (isEnumType(type) ? type.getValues().length : 0))),
    '__Type.inputFields': summarise(
      types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    ),
    '__Field.args': summarise(fieldsOf.flat().map((field) => field.args.length)),
    '__Directive.args': summarise(directives.map((directive) => directive.args.length)),
    '__Directive.locations': summarise(directives.map((directive) => directive.locations.length)),
  }
  return {
    lengthOf: (type, field, reach) => {
      if (type === '__Type' && field === 'ofType') return reach === 'each' || reach === MAX_WRAPPERS ? 0 : 1
      return sizes[`${type}.${field}`]?.[reach === 'each' ? 'each' : 'any'] ?? 1
    },
  }
}
