// The digits of every number in answers, by its unit: only significant ones. REST shows the same fields, so it has the
// same digits.
import { type GraphQLFieldResolver, type GraphQLSchema, getNamedType, isObjectType } from 'graphql'
import { toMeaning, toPrintedUsd, toTokens } from '../../base/amount.ts'
import { readNote } from './field-notes.ts'

type Round = (value: number) => number

const toDecimals =
  (scale: number): Round =>
  (value) =>
    Math.round(value * scale) / scale

/** The parts of an explanation: enough digits to compute the score again from them. */
const toTwelve = toDecimals(1e12)

/**
 * By unit; all others have nine digits. Values that a filter compares are rounded earlier, to no fewer digits than
 * here.
 */
const BY_UNIT: Readonly<Record<string, Round>> = {
  USD: toPrintedUsd,
  'whole tokens': toTokens,
  hours: toDecimals(1e4),
  percent: toMeaning,
  points: toTwelve,
  'points, 0-100': toTwelve,
  'points of the composite': toTwelve,
  'points of the dimension': toTwelve,
}

/** Makes each field with a fraction round its values. */
export function roundFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (getNamedType(field.type).name !== 'Float') continue
      const round = BY_UNIT[readNote(field).unit ?? ''] ?? toMeaning
      field.resolve = rounding(field.resolve ?? readColumn(field.name), round)
    }
  }
  return schema
}

/** The value of a field without a resolver: the row's value of that name. */
const readColumn =
  (name: string): GraphQLFieldResolver<unknown, unknown> =>
  (row) =>
    (row as Record<string, unknown>)[name]

const rounding = (
  resolve: GraphQLFieldResolver<unknown, unknown>,
  round: Round,
): GraphQLFieldResolver<unknown, unknown> => {
  const settle = (value: unknown): unknown => {
    // Counts are whole, and may have more digits.
    if (typeof value === 'number') return Number.isInteger(value) ? value : round(value)
    if (Array.isArray(value)) return value.map(settle)
    return value instanceof Promise ? value.then(settle) : value
  }
  return (row, args, context, info) => settle(resolve(row, args, context, info))
}
