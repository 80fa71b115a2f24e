// The lengths of introspection's lists in this schema. `__schema { types }` visits each type once, so the lists below
// it have their average length. A type that is reached in another way may be the one with the longest lists.
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql'

/**
 * 'each': this place of the query visits each type or directive of the schema once. A number: it visits any type, this
 * many levels of `ofType` below.
 */
export type Reach = 'each' | number

/** The length of a list: the average over all types or directives ('each'), and the longest ('any'). */
type Lengths = Record<'each' | 'any', number>

export interface IntrospectionSizes {
  /** The length of an introspection list; 1 for a field without a list, 0 for one that is always null. */
  lengthOf(type: string, field: string, reach: Reach): number
}

/** Fields below which the reach stays the same, because they visit each part of their parent once. */
const PARTS = ['fields', 'args', 'inputFields', 'enumValues', 'locations']

/** `[T!]!` wraps a named type three times. */
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
