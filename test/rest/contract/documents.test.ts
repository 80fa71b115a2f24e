// The documents on the schema use no deprecated part: REST's own, the tools of agents, the examples of GraphiQL, the
// dashboard's queries.
import { NoDeprecatedCustomRule, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { EXAMPLES } from '../../../src/graph/http/examples.ts'
import { schema } from '../../../src/graph/run/schema.ts'
import { TOOLS } from '../../../src/mcp/tools.ts'
import { ROUTES } from '../../../src/rest/contract/routes.ts'

const DASHBOARD = new URL('../../../examples/dashboard/queries.js', import.meta.url)
const queries = (await import(DASHBOARD.href)) as Record<string, string>
const documents: [name: string, text: string][] = [
  ...ROUTES.map(({ id, document }): [string, string] => [`of the route ${id}`, document]),
  ...TOOLS.map(({ name, document }): [string, string] => [`of the tool ${name}`, document]),
  ...EXAMPLES.map(({ query }, at): [string, string] => [`of GraphiQL's example ${at + 1}`, query]),
  ...Object.entries(queries).map(([name, query]): [string, string] => [`${name} of the dashboard`, query]),
]

test.each(documents)('the document %s uses nothing that is deprecated', (_, text) => {
  expect(validate(schema, parse(text), [NoDeprecatedCustomRule])).toEqual([])
})
