// A wallet: its profit and how it came, what it holds and closed, its reputation and why not more, its events.
import { useRoute } from 'preact-iso'
import { graphql } from '../api/graphql.ts'
import { useQuery } from '../api/use-query.ts'
import { shortAddress } from '../format.ts'
import { EventTable } from '../parts/event-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { PositionPanel } from '../parts/position-panel.tsx'
import { ProfitPanel } from '../parts/profit-panel.tsx'
import { ReputationPanel } from '../parts/reputation-panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { useTitle } from '../parts/use-title.ts'
import { WalletOverview } from '../parts/wallet-overview.tsx'

const OVERVIEW = `address classification kind firstSeen lastTradeAt tradeCount deployedCount sectorPreference eventCount
    reputationScore reputationConfidence netWorthUsd sellableUsd
    pnl { estimateUsd realisedUsd openUsd confidence confidenceReasons: confidenceGaps coverage pricedShare }
    firstFunder { address }`

const REPUTATION = `score {
      confidence
      explanation {
        score composite evidence evidenceHalf prior confidenceReasons: confidenceGaps
        contributions { name value contribution }
        dimensions { name value inputs { name value points } }
      }
    }`

const EVENTS = `events(limit: 50) {
      total
      items { id type direction timestamp amountUsd quantity walletAddress txHash tokenAddress tokenSymbol }
    }`

export const WALLET = graphql(
  `
query Wallet($address: Address!) {
  wallet(address: $address) {
    ${OVERVIEW}
    ${REPUTATION}
    ${EVENTS}
  }
}` as const,
)

const alone = (name: string, fields: string): string =>
  `query ${name}($address: Address!) {\n  wallet(address: $address) {\n    ${fields}\n  }\n}`

export function WalletPage() {
  const address = useRoute().params.address?.toLowerCase() ?? ''
  const variables = { address }
  const answer = useQuery(WALLET, variables)
  useTitle(`Wallet ${shortAddress(address)}`)
  return (
    <Loaded query={answer} what="the wallet">
      {({ wallet }) =>
        wallet === null ? (
          <Panel title="Unknown wallet" level={1} class="narrow">
            <Empty>
              No wallet with the address <code>{address}</code> has traded, sent or held an indexed token. Is it a
              token? <a href={`/token/${address}`}>Look there</a>
            </Empty>
          </Panel>
        ) : (
          <div class="columns">
            <WalletOverview wallet={wallet} request={{ document: alone('Overview', OVERVIEW), variables }} />
            <div class="stacked">
              <ProfitPanel address={address} />
              <PositionPanel address={address} />
              <Panel title="Events" request={{ document: alone('Events', EVENTS), variables }}>
                <EventTable events={wallet.events.items} total={wallet.events.total} ofWallet />
              </Panel>
            </div>
            <ReputationPanel wallet={wallet} request={{ document: alone('Reputation', REPUTATION), variables }} />
          </div>
        )
      }
    </Loaded>
  )
}
