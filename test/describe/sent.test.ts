// The OpenAPI description has what the server sends by itself. `test/alerts` holds real calls of webhooks against it.
import { expect, test } from 'vitest'
import { createOpenApi } from '../../src/describe/openapi.ts'

interface Reference {
  $ref: string
}

interface Call {
  post: { parameters: { name: string }[]; requestBody: { content: { 'application/json': { schema: Reference } } } }
}

const { paths, webhooks, components } = JSON.parse(JSON.stringify(createOpenApi()))
const componentOf = ({ $ref }: Reference) => $ref.replace('#/components/schemas/', '')

test('the stream of events names the schema of each of its messages', () => {
  const { schema } = paths['/stream/events'].get.responses['200'].content['text/event-stream']
  const messages: string[] = schema.contentSchema.oneOf.map(componentOf)
  expect(messages).toEqual(['StreamedEvent', 'StreamEnd'])
  for (const name of messages) expect(components.schemas[name]?.type).toBe('object')
})

test('each webhook names the schema of its message and the headers of its signature', () => {
  const described = Object.values<Call>(webhooks).map(({ post }) => ({
    component: componentOf(post.requestBody.content['application/json'].schema),
    headers: post.parameters.map(({ name }) => name),
  }))
  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  expect(described).toEqual([
    { component: 'TestMessage', headers },
    { component: 'MatchedMessage', headers },
    { component: 'EventsMessage', headers },
  ])
  for (const { component } of described) expect(components.schemas[component]?.type).toBe('object')
})
