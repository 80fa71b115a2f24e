// The block of the page's numbers, the waiting work of the installation, and its track record.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { head, trouble } from '../api/live.ts'
import { useQuery } from '../api/use-query.ts'
import { blocks, duration, foreign, whole } from '../format.ts'
import { Fact, Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Loaded } from '../parts/state.tsx'
import { TrackRecord } from '../parts/track-record.tsx'
import { useTitle } from '../parts/use-title.ts'
import { DateTime } from '../parts/when.tsx'

const CHAIN = `chain {
    name chainId startBlock sourceHead finalizedBlock lagBlocks tokenCount walletCount eventCount
    block { number hash time }
  }`

const WAITING =
  'status { tokensDue walletsDue messagesWaiting oldestMessageSeconds messagesFailed sourceSeenAt indexWait { sentence block since } }'

const STATUS = graphql(
  `
query Status {
  ${CHAIN}
  ${WAITING}
}` as const,
)

/** A panel's own request. */
const alone = (name: string, fields: string) => ({ document: `query ${name} {\n  ${fields}\n}`, variables: {} })

const secondsSince = (iso: string): number => Math.max(0, (Date.now() - Date.parse(iso)) / 1_000)

export function StatusPage() {
  useTitle('Status')
  const answer = useQuery(STATUS, {})
  return (
    <Loaded query={answer} what="the status">
      {({ chain, status }) => (
        <>
          <div class="columns even">
            <ChainPanel chain={chain} />
            <WaitingPanel status={status} />
          </div>
          <TrackRecord />
        </>
      )}
    </Loaded>
  )
}

type Status = ResultOf<typeof STATUS>

function ChainPanel({ chain }: Pick<Status, 'chain'>) {
  return (
    <Panel title="Status" level={1} request={alone('Chain', CHAIN)}>
      {chain === null ? (
        <p class="note">Nothing is indexed yet.</p>
      ) : (
        <Facts>
          <Fact name="Chain">
            {foreign(chain.name)} <small>{chain.chainId}</small>
          </Fact>
          <Fact name="Newest block">{whole(chain.block.number)}</Fact>
          <Fact name="Its time">
            <DateTime iso={chain.block.time} />
          </Fact>
          <Fact name="Its age">{duration(secondsSince(chain.block.time), 'long')}</Fact>
          <Fact name="The source is at">{whole(chain.sourceHead)}</Fact>
          <Fact name="Behind by">{blocks(chain.lagBlocks)}</Fact>
          <Fact name="Final up to">{whole(chain.finalizedBlock)}</Fact>
          <Fact name="Can be rolled back">{blocks(chain.block.number - chain.finalizedBlock)}</Fact>
          <Fact name="Indexed from">{whole(chain.startBlock)}</Fact>
          <Fact name="Tokens">{whole(chain.tokenCount)}</Fact>
          <Fact name="Wallets">{whole(chain.walletCount)}</Fact>
          <Fact name="Events">{whole(chain.eventCount)}</Fact>
        </Facts>
      )}
      <p class={trouble.value ? 'bad' : 'up'}>{trouble.value ?? (head.value ? 'The index is ready.' : 'Asking…')}</p>
    </Panel>
  )
}

function WaitingPanel({ status }: Pick<Status, 'status'>) {
  return (
    <Panel title="What waits" request={alone('Waiting', WAITING)}>
      {status === null ? (
        <p class="note">It cannot be read at the moment: the database does not answer in time.</p>
      ) : (
        <Facts>
          <Fact name="Tokens to score">{whole(status.tokensDue)}</Fact>
          <Fact name="Wallets to score">{whole(status.walletsDue)}</Fact>
          <Fact name="Messages to send">{whole(status.messagesWaiting)}</Fact>
          <Fact name="The oldest waits for">
            {status.messagesWaiting > 0 ? duration(status.oldestMessageSeconds, 'long') : 'none waits'}
          </Fact>
          <Fact name="Failed in a day">{whole(status.messagesFailed)}</Fact>
          <Fact name="Heard from the source">
            {status.sourceSeenAt ? `${duration(secondsSince(status.sourceSeenAt), 'long')} ago` : 'never'}
          </Fact>
        </Facts>
      )}
      {status?.indexWait && (
        <p class="bad">
          {foreign(status.indexWait.sentence)}
          {status.indexWait.block !== null && ` (block ${whole(status.indexWait.block)})`},{' '}
          <DateTime iso={status.indexWait.since} />
        </p>
      )}
      <p class="faint">Messages are mails and webhooks of all accounts.</p>
    </Panel>
  )
}
