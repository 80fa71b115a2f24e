// The alerts of the key: their conditions, their status, and their sent messages.
import { useState } from 'preact/hooks'
import { ask, type Failure, toFailure } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { refresh } from '../api/live.ts'
import { useQuery } from '../api/use-query.ts'
import { CONDITION_FIELDS, NAMINGS, toFilter, tokensAddress, writeFilter } from '../filter.ts'
import { foreign, shortAddress } from '../format.ts'
import { CHANNELS } from '../parts/channel.tsx'
import { describeConditions } from '../parts/conditions.ts'
import { Deliveries } from '../parts/deliveries.tsx'
import { Panel } from '../parts/panel.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, FailureNote, Loaded } from '../parts/state.tsx'
import { useTitle } from '../parts/use-title.ts'
import { When } from '../parts/when.tsx'

const ALERTS = graphql(
  `
query Alerts {
  alerts(first: 50) {
    total
    nodes {
      id name status disabledAt createdAt lastTriggeredAt notificationChannel
      conditions { ${CONDITION_FIELDS} }
    }
  }
}` as const,
)

const NAMES = graphql(`
query Names($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Token { address symbol } ... on Wallet { address labels(limit: 1) { name } } }
}`)

/** Objects of one query. */
const MOST_NAMED = 100

/** Tokens and wallets that the conditions of alerts name, as identifiers. */
function namedIn(alerts: readonly { conditions: object }[]): string[] {
  const ids = alerts.flatMap(({ conditions }) => {
    const filter = toFilter(conditions)
    return NAMINGS.flatMap(({ field }) =>
      (filter[field] ?? []).map((address) => `${field === 'tokens' ? 'token' : 'wallet'}:${address}`),
    )
  })
  return [...new Set(ids)].slice(0, MOST_NAMED)
}

/** The symbol of a token or the first label of a wallet, with its address: strangers choose symbols. */
function useNames(alerts: readonly { conditions: object }[]): (address: string) => string {
  const ids = namedIn(alerts)
  const { data } = useQuery(NAMES, ids.length === 0 ? null : { ids })
  const names = new Map<string, string>()
  for (const node of data?.nodes ?? []) {
    if (!node || !('address' in node)) continue
    const name = 'symbol' in node ? node.symbol : node.labels[0]?.name
    if (name) names.set(node.address, foreign(name, 16))
  }
  return (address) => {
    const name = names.get(address)
    return name ? `${name} (${shortAddress(address)})` : shortAddress(address)
  }
}

const SET_STATUS = graphql(`
mutation SetStatus($id: ID!, $status: AlertStatus!) { alertUpdate(id: $id, input: { status: $status }) { alert { id status } } }`)

const TEST = graphql(`
mutation Test($id: ID!) { alertTest(id: $id) { delivered response } }`)

const DELETE = graphql(`
mutation Delete($id: ID!) { alertDelete(id: $id) { deletedId } }`)

/** What became of the last test message. */
interface Tested {
  id: string
  text: string
  tone: 'up' | 'bad' | 'faint'
}

export function AlertsPage() {
  useTitle('Alerts')
  const answer = useQuery(ALERTS, {})
  const toName = useNames(answer.data?.alerts.nodes ?? [])
  const [failure, setFailure] = useState<Failure | null>(null)
  const [open, setOpen] = useState<string | null>(null)
  const [tested, setTested] = useState<Tested | null>(null)
  const test = async (id: string) => {
    setTested({ id, text: 'Sending a test message…', tone: 'faint' })
    try {
      const { delivered, response } = (await ask(TEST, { id })).alertTest
      setTested({ id, text: `Test: ${response}`, tone: delivered ? 'up' : 'bad' })
    } catch (error) {
      setTested({ id, text: `Test: ${toFailure(error).message}`, tone: 'bad' })
    }
  }
  const change = async (work: Promise<unknown>) => {
    try {
      await work
      setFailure(null)
      refresh()
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return (
    <Panel title="Alerts" level={1} request={{ document: ALERTS, variables: {} }}>
      {failure && <FailureNote failure={failure} />}
      <Loaded query={answer} what="the alerts">
        {({ alerts }) =>
          alerts.nodes.length === 0 ? (
            <Empty>
              There is no alert yet. <a href="/">Filter the tokens</a>, then choose “Alert me”: a mail, or a message in
              your chat, comes when a token begins to pass the filter.
            </Empty>
          ) : (
            <Scroll label="Alerts">
              <table class="cards">
                <thead>
                  <tr>
                    <th scope="col" class="text">
                      Alert
                    </th>
                    <th scope="col" class="text">
                      Watches for
                    </th>
                    <th scope="col" class="text">
                      Status
                    </th>
                    <th scope="col" class="text mid">
                      Last message
                    </th>
                    <th scope="col" class="text">
                      Change
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {alerts.nodes.map((alert) => {
                    const isActive = alert.status === 'active'
                    const next = isActive ? 'paused' : 'active'
                    return (
                      <>
                        <tr key={alert.id}>
                          <th scope="row" class="text">
                            <a href={tokensAddress(writeFilter(toFilter(alert.conditions)))}>
                              {foreign(alert.name, 60)}
                            </a>
                          </th>
                          <td class="text wrap">{describeConditions(alert.conditions, toName)}</td>
                          <td class={`text ${isActive ? 'up' : 'faint'}`}>
                            {alert.status}
                            {alert.disabledAt && <span class="bad"> by failures: see the log</span>}
                          </td>
                          <td class="text mid" data-name="Last message">
                            {CHANNELS[alert.notificationChannel]}:{' '}
                            {alert.lastTriggeredAt ? <When iso={alert.lastTriggeredAt} /> : 'never'}
                          </td>
                          <td class="text">
                            <a
                              class="chip"
                              href={tokensAddress({ ...writeFilter(toFilter(alert.conditions)), alert: alert.id })}
                            >
                              Edit
                            </a>{' '}
                            <button
                              type="button"
                              aria-expanded={open === alert.id}
                              onClick={() => setOpen(open === alert.id ? null : alert.id)}
                            >
                              Log
                            </button>{' '}
                            <button
                              type="button"
                              title="Sends one message, marked as a test."
                              onClick={() => test(alert.id)}
                            >
                              Test
                            </button>{' '}
                            <button
                              type="button"
                              onClick={() => change(ask(SET_STATUS, { id: alert.id, status: next }))}
                            >
                              {isActive ? 'Pause' : 'Resume'}
                            </button>{' '}
                            <button
                              type="button"
                              onClick={() =>
                                confirm(`Delete “${alert.name}”?`) && change(ask(DELETE, { id: alert.id }))
                              }
                            >
                              Delete
                            </button>
                            <small role="status" class={tested?.id === alert.id ? tested.tone : undefined}>
                              {tested?.id === alert.id && ` ${tested.text}`}
                            </small>
                          </td>
                        </tr>
                        {open === alert.id && (
                          <tr key={`${alert.id} log`}>
                            <td colSpan={5} class="text">
                              <Deliveries alertId={alert.id} />
                            </td>
                          </tr>
                        )}
                      </>
                    )
                  })}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Loaded>
    </Panel>
  )
}
