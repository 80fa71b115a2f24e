// Pure. The request values of a route: the variables of its document, described by their GraphQL arguments.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLLeafType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { toSnake } from '../fields/field.ts'
import { isOfAlerts } from '../fields/filter.ts'
import { CONDITIONS } from '../fields/token.ts'
import { schema } from '../graph/run/schema.ts'
import { readNote } from '../graph/schema/field-notes.ts'
import { MAX_OVERLAP_HOURS } from '../graph/types/api-key.ts'
import { MOST_AGE_HOURS } from '../graph/types/gate-backtest.ts'
import { operationOf } from '../rest/contract/lift.ts'
import { type JsonSchema, withoutExample } from './json-schema.ts'
import { valueSchema } from './values.ts'

/** The most addresses of a list. */
const MAX_ADDRESSES = 100

type Target = GraphQLArgument | GraphQLInputField

/** The argument or input field of each variable of a document, and the fields of a filter that is a variable. */
export function targetsOf(document: string): Map<string, Target> {
  const targets = new Map<string, Target>()
  const info = new TypeInfo(schema)
  visit(
    operationOf(document),
    visitWithTypeInfo(info, {
      Argument: ({ value }) => {
        const argument = info.getArgument()
        if (value.kind !== 'Variable' || !argument) return
        targets.set(value.name.value, argument)
        const type = getNamedType(argument.type)
        if (argument.name === 'filter' && isInputObjectType(type))
          for (const field of Object.values(type.getFields())) targets.set(field.name, field)
      },
      ObjectField: ({ name, value }) => {
        const parent = info.getParentInputType()
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined
        if (value.kind === 'Variable' && field) targets.set(value.name.value, field)
      },
    }),
  )
  return targets
}

/**
 * The schema of a request value under `name`. `place`: its input type and field in GraphQL; an argument has its name
 * alone. Adds the component of an enum.
 */
export function sentSchema(
  { name, place = name }: { name: string; place?: string },
  target: Target,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const type = getNamedType(target.type) as GraphQLLeafType
  const description = withoutExample(target.description)
  const value = valueSchema({ name, place, type, note: readNote(target), description, sent: true }, schemas)
  const one = { ...value, ...boundsOf(target.name) }
  const known = target.defaultValue === undefined ? {} : { default: target.defaultValue }
  if (!isListType(getNullableType(target.type))) return { ...one, ...known }
  const { examples, description: _, ...items } = one
  return {
    type: 'array',
    description,
    items,
    maxItems: isEnumType(type) ? type.getValues().length : mostOf(target.name),
    ...(examples && { examples: [examples] }),
  }
}

/** The most values of a list. */
function mostOf(name: string): number {
  const row = isOfAlerts(name) ? CONDITIONS[name] : null
  return row?.is === 'among' ? row.most : MAX_ADDRESSES
}

function boundsOf(name: string): JsonSchema {
  if (name === 'ageHours') return { minimum: 1, maximum: MOST_AGE_HOURS }
  if (name === 'overlapHours') return { maximum: MAX_OVERLAP_HOURS }
  if (!isOfAlerts(name)) return {}
  const { min, max } = CONDITIONS[name] as { min?: number; max?: number }
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
}

/** The name of an input field in REST: snake case, except for the names of filters. */
const wireOf = (name: string): string =>
  isOfAlerts(name) ? toSnake(name) : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Adds the component of a body: an input type under REST's names. Unknown fields are refused, so it is closed. */
export function addBodySchema(typeName: string, schemas: Record<string, JsonSchema>): JsonSchema {
  const type = schema.getType(typeName)
  if (!isInputObjectType(type)) throw new Error(`${typeName} is no input type`)
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const field of Object.values(type.getFields())) {
    // GraphQL filters by more than REST does.
    if (typeName === 'TokenFilter' && !isOfAlerts(field.name)) continue
    const name = wireOf(field.name)
    const inner = getNamedType(field.type)
    properties[name] = isInputObjectType(inner)
      ? addBodySchema(inner.name, schemas)
      : sentSchema({ name, place: `${typeName}.${field.name}` }, field, schemas)
    if (field.type.toString().endsWith('!')) required.push(name)
  }
  const description = type.description ?? ''
  schemas[typeName] = {
    type: 'object',
    description,
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  return { $ref: `#/components/schemas/${typeName}` }
}
