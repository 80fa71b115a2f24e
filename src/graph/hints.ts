// What would be right, where a query names something that is not there and GraphQL's own guess at it finds nothing near. Pure.
import { GraphQLError, isEnumType } from 'graphql'
import { schema } from './schema.ts'

/** Words of an enum that are named; more would be no help. */
const MOST_WORDS = 20

/** What people look for under a name that other APIs use. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'Unknown argument "filter" on field "Query.events"': 'The field eventsConnection takes a filter.',
  'Unknown argument "period" on field "Token.topTraders"':
    'What traders made is kept since the token was indexed, without periods.',
}

const UNKNOWN_WORD = /^Value "[^"]*" does not exist in "(\w+)" enum\.$/

function hintFor(message: string): string | null {
  for (const [start, hint] of Object.entries(ELSEWHERE)) if (message.startsWith(start)) return hint
  const type = schema.getType(UNKNOWN_WORD.exec(message)?.[1] ?? '')
  if (!isEnumType(type)) return null
  const words = type.getValues().map(({ name }) => name)
  return words.length > MOST_WORDS ? null : `It has ${words.join(', ')}.`
}

/** The error with a hint after its message, if there is one. */
export function withHint(error: GraphQLError): GraphQLError {
  const hint = hintFor(error.message)
  if (hint === null) return error
  const { nodes, source, positions, path, extensions } = error
  const message = `${error.message.replace(/ Did you mean .*$/, '')} ${hint}`
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    ...(source && { source }),
    ...(positions && { positions }),
    ...(path && { path }),
    extensions,
  })
}
