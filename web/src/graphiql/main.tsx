/** @jsxImportSource react */
// GraphiQL: one key for all tabs, kept for the session of the browser's tab; a click on a tab shows and runs it. The schema
// comes as a file, so that it can be read before there is a key.
import { useEditorContext, useExecutionContext } from '@graphiql/react'
import { GraphiQL } from 'graphiql'
import { type IntrospectionQuery, Kind, parse } from 'graphql'
import { useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/graphiql.min.css'
import { EXAMPLES } from '../../../src/graph/http/examples.ts'
import { findKey } from '../api/key.ts'
import { KeyBar } from './key-bar.tsx'
import { send } from './send.ts'
import './style.css'

/** The name of the first operation of a document; undefined where it has none or cannot be parsed. */
function firstOperationName(document: string): string | undefined {
  try {
    return parse(document).definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)?.name?.value
  } catch {
    return undefined
  }
}

/** Runs the query of a tab when it becomes the active one. */
function RunOnTab() {
  const { activeTabIndex, setOperationName, tabs } = useEditorContext({ nonNull: true })
  const { run } = useExecutionContext({ nonNull: true })
  const shown = useRef(activeTabIndex)
  useEffect(() => {
    if (shown.current === activeTabIndex) return
    shown.current = activeTabIndex
    const query = tabs[activeTabIndex]?.query
    if (!query?.trim()) return
    // The editor learns the name of an operation a moment after its text: the history would otherwise keep the name of
    // the previous tab.
    const name = firstOperationName(query)
    if (name) setOperationName(name)
    run()
  }, [activeTabIndex, run, setOperationName, tabs])
  return null
}

const query = new URLSearchParams(location.search).get('query')

const App = ({ schema }: { schema: IntrospectionQuery }) => (
  <>
    <KeyBar />
    <main>
      <h1>GraphQL of Assay</h1>
      <GraphiQL
        fetcher={send}
        schema={schema}
        defaultTabs={EXAMPLES.map((example) => ({ query: example.query }))}
        {...(query !== null && { query })}
        isHeadersEditorEnabled={false}
        shouldPersistHeaders={false}
        defaultEditorToolsVisibility={false}
        showPersistHeadersSettings={false}
      >
        <GraphiQL.Logo>
          GraphiQL
          <RunOnTab />
        </GraphiQL.Logo>
      </GraphiQL>
    </main>
  </>
)

const place = document.getElementById('page')
const schemaAddress = document.querySelector<HTMLLinkElement>('link[data-schema]')?.href
if (place && schemaAddress) {
  void findKey()
  const { data } = await fetch(schemaAddress).then((response) => response.json())
  createRoot(place).render(<App schema={data} />)
}
