// Random queries over a schema: every field, nested and shared fragments, aliases, variables, introspection.
import fc, { type GeneratorValue } from 'fast-check'
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { INTERVALS } from '../../src/base/interval.ts'
import { tokenAddress, walletAddress } from './seed.ts'

type Field = GraphQLField<unknown, unknown>

export interface DocumentOptions {
  /** Whether a field may be queried. */
  allows: (type: GraphQLObjectType, field: Field) => boolean
  /** Values for limits; null and values above 200 test the clamping. */
  limits: readonly (number | null)[]
  introspects: boolean
  /** Whether limits may be omitted, and fragments spread twice so that their fields merge. */
  isLoose: boolean
}

const VARIABLES = { $few: 2, $some: 4 }

/** A query that is valid for the schema, with its variables. */
export function makeQuery(schema: GraphQLSchema, g: GeneratorValue, options: DocumentOptions) {
  const roll = (below: number): number => g(fc.nat, { max: below - 1 })
  const choose = <T>(from: readonly T[]): T => from[roll(from.length)] as T
  const fragments = new Map<string, { type: string; text: string }>()
  let left = 60
  let names = 0

  const writeSet = (type: GraphQLObjectType, depth: number): string => {
    const fields = Object.values(type.getFields()).filter((field) => options.allows(type, field))
    const deep = fields.filter((field) => isObjectType(getNamedType(field.type)))
    const flat = fields.filter((field) => isLeafType(getNamedType(field.type)) && !isNeedy(field))
    const parts = Array.from({ length: 1 + roll(4) }, () => {
      left -= 1
      const goesDeep = deep.length > 0 && depth > 0 && left > 0 && roll(3) > 0
      if (goesDeep) return wrap(type, writeField(choose(deep), depth))
      if (options.introspects && type === schema.getQueryType()) return wrap(type, introspect(depth))
      return wrap(type, flat.length > 0 && roll(6) > 0 ? choose(flat).name : '__typename')
    })
    const shared = [...fragments].filter(([, fragment]) => fragment.type === type.name)
    if (options.isLoose && shared.length > 0 && roll(3) === 0) parts.push(`...${choose(shared)[0]}`)
    return `{ ${parts.join(' ')} }`
  }
  const writeField = (field: Field, depth: number): string => {
    const inner = getNamedType(field.type)
    names += 1
    const set = isObjectType(inner) ? writeSet(inner, depth - 1) : ''
    return `a${names}: ${field.name}${writeArguments(field)} ${set}`
  }
  const introspect = (depth: number): string => {
    const type = schema.getType(roll(2) === 0 ? '__Schema' : '__Type') as GraphQLObjectType
    names += 1
    const call =
      type.name === '__Schema' ? '__schema' : `__type(name: "${choose(['Token', 'TokenOrderField', 'Nothing'])}")`
    return `a${names}: ${call} ${writeSet(type, Math.min(depth, 4))}`
  }
  const writeArguments = (field: Field): string => {
    const written = field.args.flatMap((argument) => {
      if (argument.name === 'limit') return options.isLoose && roll(4) === 0 ? [] : [`limit: ${writeLimit()}`]
      if (argument.name === 'first') return options.isLoose && roll(4) === 0 ? [] : [`first: ${writeLimit()}`]
      if (argument.name === 'points') return options.isLoose && roll(2) === 0 ? [] : [`points: ${1 + roll(200)}`]
      if (argument.name === 'interval' && roll(2) === 0)
        return [`interval: ${choose(field.name === 'candles' ? INTERVALS : INTERVALS.slice(INTERVALS.indexOf('h1')))}`]
      if (argument.name === 'block') return ['block: 1']
      if (argument.name === 'fill' && roll(2) === 0) return ['fill: true']
      if (argument.name === 'address' || argument.name === 'token') {
        const isToken = /^token/.test(field.name) || argument.name === 'token'
        return [`${argument.name}: "${(isToken ? tokenAddress : walletAddress)(1 + roll(28))}"`]
      }
      if (!isNonNullType(argument.type)) return []
      return [`${argument.name}: ${isInputObjectType(argument.type.ofType) ? '{}' : '"x"'}`]
    })
    return written.length > 0 ? `(${written.join(', ')})` : ''
  }
  const writeLimit = () => (roll(3) === 0 ? choose(Object.keys(VARIABLES)) : choose(options.limits))
  /** The text unchanged, in an inline fragment, or in a named fragment that other places may also spread. */
  const wrap = (type: GraphQLObjectType, text: string): string => {
    const way = roll(8)
    if (way === 0) return `... on ${type.name} { ${text} }`
    if (way === 1) return `... { ${text} }`
    if (way > 2) return text
    names += 1
    fragments.set(`f${names}`, { type: type.name, text })
    return `...f${names}`
  }

  const root = writeSet(schema.getQueryType() as GraphQLObjectType, 7)
  const definitions = [...fragments].map(([name, { type, text }]) => `fragment ${name} on ${type} { ${text} }`)
  const query = `query ($few: Int, $some: Int = 4) { me { usage(limit: $few) { date } more: usage(limit: $some) { date } } ...root }
    fragment root on Query ${root}\n${definitions.join('\n')}`
  return { query, variables: { few: VARIABLES.$few } }
}

const isNeedy = (field: Field): boolean => field.args.some(({ type }) => isNonNullType(type))
