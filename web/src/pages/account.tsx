// The account of the key: its plan and limits, its keys, its usage, and its open streams.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { isDemoKey } from '../api/key.ts'
import { pace } from '../api/pace.ts'
import { useQuery } from '../api/use-query.ts'
import { duration, foreign, whole } from '../format.ts'
import { Fact, Facts } from '../parts/facts.tsx'
import { KeyPanel } from '../parts/key-panel.tsx'
import { Panel } from '../parts/panel.tsx'
import { SecretNote } from '../parts/secret-note.tsx'
import { FailureNote, Loaded } from '../parts/state.tsx'
import { StreamPanel } from '../parts/stream-panel.tsx'
import { UsagePanel } from '../parts/usage-panel.tsx'
import { useKeyChanges } from '../parts/use-key-changes.ts'
import { useTitle } from '../parts/use-title.ts'

const ACCOUNT = graphql(`
query Account {
  me {
    email plan activeAlertCount
    limits { requestsPerMinute requestsPerDay activeAlerts streams }
    usage(limit: 14) { date requests routes { route requests } }
    openStreams { openedAt keyId keyName }
  }
  apiKeys(first: 50) {
    total
    nodes { id name prefix lastFour createdAt lastUsedAt expiresAt isCurrent }
  }
}`)

const limit = (value: number | null): string => (value === null ? 'not limited' : whole(value))

export function AccountPage() {
  useTitle('Account')
  const answer = useQuery(ACCOUNT, {})
  // Outside the loaded part: the account is loaded again with a key that has rotated itself, and its secret must stay.
  const changes = useKeyChanges()
  return (
    <>
      {changes.failure && <FailureNote failure={changes.failure} />}
      {changes.secret && <SecretNote secret={changes.secret} />}
      <Loaded query={answer} what="the account">
        {({ me, apiKeys }) => (
          <>
            <PlanPanel me={me} />
            <KeyPanel keys={apiKeys.nodes} total={apiKeys.total} changes={changes} />
            <div class="columns even">
              <UsagePanel usage={me.usage} />
              <StreamPanel streams={me.openStreams} most={me.limits.streams} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

function PlanPanel({ me }: Pick<ResultOf<typeof ACCOUNT>, 'me'>) {
  const { limits, usage, activeAlertCount } = me
  const today = new Date().toISOString().slice(0, 10)
  return (
    <Panel title="Account" level={1} request={{ document: ACCOUNT, variables: {} }}>
      <Facts>
        <Fact name="Mail address">{foreign(me.email, 60)}</Fact>
        <Fact name="Plan">{me.plan}</Fact>
        <Fact name="Requests a minute">{limit(limits.requestsPerMinute)}</Fact>
        <Fact name="Requests a day">{limit(limits.requestsPerDay)}</Fact>
        <Fact name="Used today">{whole(usage.find(({ date }) => date === today)?.requests ?? 0)}</Fact>
        <Fact name="Active alerts">
          <a href="/alerts">
            {whole(activeAlertCount)}
            {limits.activeAlerts !== null && ` of ${whole(limits.activeAlerts)}`}
          </a>
        </Fact>
        <Fact name="The page asks at most every">{duration(pace() / 1_000, 'long')}</Fact>
      </Facts>
      <p class="faint">
        {isDemoKey.value && 'The server filled in the key of the demo. '}All keys of the account share these limits.
        “Key” at the top changes or forgets the key of this tab.
      </p>
    </Panel>
  )
}
