// A wallet: its profit and where it came from, its open and closed positions, its reputation and the reasons for it,
// its events. Another address, such as a pool, shows its kind and has no reputation.
import { useRoute } from 'preact-iso'
import { useQuery } from '../api/use-query.ts'
import { useChainLocation } from '../chain.ts'
import { shortAddress } from '../format.ts'
import { EventTable } from '../parts/event-table.tsx'
import { INTERVAL_NAMES, type Interval } from '../parts/intervals.tsx'
import { LiquidityTable } from '../parts/liquidity-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { POSITION_KINDS, type PositionKind, PositionPanel } from '../parts/position-panel.tsx'
import { ProfitPanel } from '../parts/profit-panel.tsx'
import { ReputationPanel } from '../parts/reputation-panel.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { useAddressWord } from '../parts/use-address-word.ts'
import { useTitle } from '../parts/use-title.ts'
import { hasPulled, WalletOverview } from '../parts/wallet-overview.tsx'
import { kindOf } from '../words.ts'
import { POSITIONS_SIZE, REQUESTS, WALLET, type WalletData } from './wallet-query.ts'
import { walletLists } from './whole-lists.ts'

export function WalletPage() {
  const address = useRoute().params.address?.toLowerCase() ?? ''
  const { query } = useChainLocation()
  const [interval = 'd1', chooseInterval] = orDefault(useAddressWord<Interval>('interval', INTERVAL_NAMES))
  const [status = 'open', chooseStatus] = orDefault(useAddressWord<PositionKind>('positions', ['open', 'closed']))
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const shown = { status, orderBy: POSITION_KINDS[status].orderBy }
  const list = { ...shown, first: POSITIONS_SIZE, offset: (page - 1) * POSITIONS_SIZE }
  const answer = useQuery(WALLET, { address, interval, ...list }, address)
  const lists = walletLists(address, shown)
  const kind = answer.data?.wallet?.kind ?? 'account'
  useTitle(`${kindOf(kind).title} ${shortAddress(address)}`)
  return (
    <Loaded query={answer} what="the wallet">
      {({ wallet, chain }) =>
        wallet === null ? (
          <Panel title="Unknown wallet" level={1} class="narrow">
            <Empty>
              No wallet with the address <code>{address}</code> has traded, sent or held an indexed token. Is it a
              token? <a href={`/token/${address}`}>Look there</a>
            </Empty>
          </Panel>
        ) : (
          <div class="columns">
            <WalletOverview
              wallet={wallet}
              chainId={chain?.chainId}
              request={{ document: REQUESTS.overview, variables: { address } }}
            />
            <div class="stacked">
              {wallet.kind === 'account' && (
                <ProfitPanel
                  wallet={wallet}
                  interval={interval}
                  onInterval={chooseInterval}
                  request={{ document: REQUESTS.profit, variables: { address, interval } }}
                />
              )}
              <PositionPanel
                positions={wallet.positions}
                isTraded={wallet.kind === 'account'}
                isPulled={hasPulled(wallet)}
                status={status}
                page={page}
                onStatus={chooseStatus}
                csv={lists.positions}
                request={{ document: REQUESTS.positions, variables: { address, ...list } }}
              />
              {wallet.kind === 'account' && wallet.liquidityPositions.length > 0 && (
                <Panel
                  title="Liquidity"
                  csv={lists.liquidity}
                  request={{ document: REQUESTS.liquidity, variables: { address } }}
                >
                  <LiquidityTable positions={wallet.liquidityPositions} isPulled={hasPulled(wallet)} />
                </Panel>
              )}
              {(wallet.kind === 'account' || wallet.events.nodes.length > 0) && (
                <Panel
                  title="Events"
                  csv={lists.events}
                  request={{ document: REQUESTS.events, variables: { address } }}
                >
                  <EventTable
                    events={wallet.events.nodes}
                    total={wallet.events.total ?? wallet.eventCount}
                    chainId={chain?.chainId}
                    ofWallet
                  />
                </Panel>
              )}
            </div>
            <Judgement wallet={wallet} />
          </div>
        )
      }
    </Loaded>
  )
}

const orDefault = <Word extends string>([word, choose]: [Word | null, (word: Word) => void]) =>
  [word ?? undefined, choose] as const

const Judgement = ({ wallet }: { wallet: WalletData }) =>
  wallet.kind === 'account' ? (
    <ReputationPanel
      wallet={wallet}
      request={{ document: REQUESTS.reputation, variables: { address: wallet.address } }}
    />
  ) : (
    <Panel title="No reputation">
      <Empty>{kindOf(wallet.kind).what} Reputation, profit and win rate are judged of accounts only.</Empty>
    </Panel>
  )
