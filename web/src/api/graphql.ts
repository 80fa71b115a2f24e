// Types a GraphQL document by the schema. At run time a document is its text, which a request sends and a reader
// copies, so nothing parses it in the browser.
import type { initGraphQLTada, TadaDocumentNode } from 'gql.tada'
import type { introspection } from './schema.d.ts'

interface Setup {
  introspection: introspection
  disableMasking: true
  scalars: { Address: string; Date: string; DateTime: string; Hash: string; ID: string }
}

export type Document<Result, Variables> = TadaDocumentNode<Result, Variables>

export const graphql = ((text: string) => text.trim()) as unknown as ReturnType<typeof initGraphQLTada<Setup>>
