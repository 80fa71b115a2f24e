// Sends a query of GraphiQL with the key of the bar. A failure becomes an error in a sentence.
import { key } from '../api/key.ts'

interface Operation {
  query: string
  operationName?: string | null
  variables?: unknown
}

/** Whether the query has the operation: after a click on another tab GraphiQL still names the last one's. */
const has = (query: string, name: string): boolean => new RegExp(`\\b(query|mutation)\\s+${name}\\b`).test(query)

const failed = (message: string) => ({ errors: [{ message }] })

export async function send({ query, operationName, variables }: Operation): Promise<object> {
  if (!key.value) return failed('Put an API key into the bar above, and run it again.')
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.value}` },
    body: JSON.stringify({
      query,
      variables,
      ...(operationName && has(query, operationName) && { operationName }),
    }),
  }).catch(() => null)
  if (!response) return failed('The server cannot be reached. Is it still running?')
  return response.json().catch(() => failed(`The server answered with HTTP status ${response.status}.`))
}
