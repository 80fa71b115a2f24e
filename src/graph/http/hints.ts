// Hints for unknown names. GraphQL's own suggestion may be missing, or may go by letters alone: `token` is more like
// `tokenAddress` than like `type`. Pure.
import {
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { isOpposite, nearnessOf } from '../../base/nearest.ts'
import { schema } from '../run/schema.ts'

/** The most words of an enum in a hint; more would not help. */
const MOST_WORDS = 20
/** The most names suggested for one. */
const MOST_NAMES = 3
/** The most characters of a name that are compared. */
const MOST_CHARACTERS = 64

/** Names that other APIs use, with the name or the reason here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'Unknown argument "period" on field "Token.topTraders"':
    'What traders made is kept since the token was indexed, without periods.',
  'Unknown argument "symbol" on field "Query.token"': 'Many tokens may have one symbol: the field search finds them.',
  'Cannot query field "side" on type "Event"': 'Did you mean "direction"?',
  'Cannot query field "time" on type "Candle"': 'Did you mean "start"?',
}

/** Names of other APIs, with the ones that this one uses in their place. */
const HERE: Readonly<Record<string, string>> = {
  limit: 'first',
  page: 'offset',
  sort: 'orderBy',
  order: 'direction',
  items: 'nodes',
  totalCount: 'total',
}

const UNKNOWN_WORD = /^Value "[^"]*" does not exist in "(\w+)" enum\./
const UNKNOWN_FIELD = /^Cannot query field "(\w+)" on type "(\w+)"\./
const UNKNOWN_ARGUMENT = /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\./
const UNKNOWN_INPUT = /^Field "(\w+)" is not defined by type "(\w+)"\./

const fieldsOf = (type: GraphQLNamedType | null | undefined) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {}
/** Deprecated names are never suggested. */
const lastingOf = (type: GraphQLNamedType | null | undefined): string[] =>
  Object.values(fieldsOf(type)).flatMap(({ name, deprecationReason }) => (deprecationReason ? [] : name))

/** The known names that begin like this one or have its words; null if there are none. */
function namesLike(name: string, known: readonly string[]): string | null {
  const here = HERE[name]
  if (here !== undefined && known.includes(here)) return `Did you mean "${here}"?`
  const near = known
    .map((candidate) => ({ candidate, nearness: nearnessOf(name.slice(0, MOST_CHARACTERS), candidate) }))
    .filter(({ candidate, nearness }) => nearness < 2 && !isOpposite(name, candidate))
    .sort((a, b) => a.nearness - b.nearness || a.candidate.length - b.candidate.length)
    .slice(0, MOST_NAMES)
  return near.length === 0 ? null : `Did you mean ${near.map(({ candidate }) => `"${candidate}"`).join(' or ')}?`
}

/** The path to a field of the type's items; null if there is none. */
function insideOf(name: string, type: GraphQLNamedType | null | undefined): string | null {
  for (const [list, field] of Object.entries(fieldsOf(type))) {
    if (list !== 'nodes') continue
    const inner = getNamedType(field.type as GraphQLOutputType)
    if (name in fieldsOf(inner)) return `${list} { ${name} }`
  }
  return null
}

function hintForField(name: string, owner: string): string | null {
  const type = schema.getType(owner)
  const inside = insideOf(name, type)
  return inside ? `Did you mean ${inside}?` : namesLike(name, lastingOf(type))
}

function hintForArgument(name: string, owner: string, of: string): string | null {
  const field = fieldsOf(schema.getType(owner))[of]
  const known = field && 'args' in field ? field.args : []
  return namesLike(
    name,
    known.map((argument) => argument.name),
  )
}

function hintForWord(type: string): string | null {
  const words = schema.getType(type)
  if (!isEnumType(words)) return null
  const names = words.getValues().map(({ name }) => name)
  return names.length > MOST_WORDS ? null : `It has ${names.join(', ')}.`
}

function hintFor(message: string): string | null {
  for (const [start, hint] of Object.entries(ELSEWHERE)) if (message.startsWith(start)) return hint
  const [, name = '', owner = '', of = ''] =
    UNKNOWN_FIELD.exec(message) ?? UNKNOWN_ARGUMENT.exec(message) ?? UNKNOWN_INPUT.exec(message) ?? []
  if (name === '') return message.includes('Did you mean') ? null : hintForWord(UNKNOWN_WORD.exec(message)?.[1] ?? '')
  return of === '' ? hintForField(name, owner) : hintForArgument(name, owner, of)
}

const MISTAKEN = /(?:Field|field|argument|Value) "(\w+)" (?:is not defined|on |does not exist)/
const GUESS = / Did you mean (.*)\?$/

/** GraphQL's own suggestions without the opposites of the name; the unchanged message if it has none. */
function withoutOpposites(message: string): string {
  const name = MISTAKEN.exec(message)?.[1]
  const guessed = [...(GUESS.exec(message)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, word = '']) => word)
  if (name === undefined || !guessed.some((word) => isOpposite(name, word))) return message
  const kept = guessed.filter((word) => !isOpposite(name, word)).map((word) => `"${word}"`)
  return message.replace(GUESS, kept.length > 0 ? ` Did you mean ${kept.join(' or ')}?` : '')
}

/** The error with a hint after its message, if there is one. */
export function withHint(error: GraphQLError): GraphQLError {
  const hint = hintFor(error.message)
  const message = hint === null ? withoutOpposites(error.message) : `${error.message.replace(GUESS, '')} ${hint}`
  if (message === error.message) return error
  const { nodes, source, positions, path, extensions } = error
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    ...(source && { source }),
    ...(positions && { positions }),
    ...(path && { path }),
    extensions,
  })
}
