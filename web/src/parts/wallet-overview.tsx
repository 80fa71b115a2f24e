import { explorerOf } from '../explorers.ts'
import { count, dollars, dollarsTone, percent, score, UNKNOWN, whole, words } from '../format.ts'
import type { WalletData } from '../pages/wallet-query.ts'
import { confidenceReason, kindOf } from '../words.ts'
import { AddressLink } from './address.tsx'
import { AddressTools } from './address-tools.tsx'
import { AlertOnWallet } from './alert-on.tsx'
import { Certainty } from './certainty.tsx'
import { Fact, Facts } from './facts.tsx'
import { ClassName } from './holder-table.tsx'
import { RequestButton } from './request-button.tsx'
import { Day, When } from './when.tsx'

interface WalletOverviewProps {
  wallet: WalletData
  /** Undefined: nothing is indexed. */
  chainId: number | undefined
  request: { document: string; variables: unknown }
}

/** Money with its sign in colour. A gain from pulled liquidity is other people's money, and has none. */
export const Profit = ({ usd, isPulled = false }: { usd: number; isPulled?: boolean }) => (
  <span class={isPulled && usd > 0 ? 'faint' : dollarsTone(usd)}>{dollars(usd)}</span>
)

/** Whether the wallet pulled the liquidity of a token. */
export const hasPulled = ({ classifications }: { classifications: readonly string[] }): boolean =>
  classifications.includes('rug_puller')

export function WalletOverview({ wallet, chainId, request }: WalletOverviewProps) {
  return (
    <section class="panel main" aria-labelledby="wallet-title">
      <div class="panel-head">
        <h1 id="wallet-title" class="large">
          <code>{wallet.address}</code>
        </h1>
        <AddressTools address={wallet.address} explorer={explorerOf(chainId, 'address', wallet.address)} />
        {hasPulled(wallet) && wallet.classification !== 'rug_puller' && <ClassName name="rug_puller" />}
        <ClassName name={wallet.classification} />
        <RequestButton title="Overview" {...request} />
      </div>
      {wallet.kind === 'account' && (
        <p class="row actions">
          <AlertOnWallet address={wallet.address} />
        </p>
      )}
      {wallet.kind === 'account' ? <Account wallet={wallet} /> : <Place wallet={wallet} />}
    </section>
  )
}

function Account({ wallet }: { wallet: WalletData }) {
  const { pnl } = wallet
  const isPulled = hasPulled(wallet)
  return (
    <>
      <Facts>
        <Fact name="Profit ever, estimated">
          <Profit usd={pnl.estimateUsd} isPulled={isPulled} /> <Certainty of={pnl.confidence} />
        </Fact>
        <Fact name="Realised ever">
          <Profit usd={pnl.realisedUsd} isPulled={isPulled} />
        </Fact>
        <Fact name="Open now">
          <Profit usd={pnl.openUsd} isPulled={isPulled} />
        </Fact>
        <Result days={7} of={wallet.results?.d7} isPulled={isPulled} />
        <Result days={30} of={wallet.results?.d30} isPulled={isPulled} />
        <Holdings wallet={wallet} />
        <Fact name="Sales with known cost">{percent(pnl.coverage * 100)}</Fact>
        <Fact name="Holdings with a price">{percent(pnl.pricedShare * 100)}</Fact>
        <Fact name="Reputation">
          {score(wallet.reputationScore)} <Certainty of={wallet.reputationConfidence} />
        </Fact>
        <Fact name="Swaps ever">{count(wallet.tradeCount)}</Fact>
        <Fact name="First seen">{wallet.firstSeen ? <Day iso={wallet.firstSeen} /> : UNKNOWN}</Fact>
        <Fact name="Last swap">{wallet.lastTradeAt ? <When iso={wallet.lastTradeAt} /> : 'none'}</Fact>
        <Fact name="Deployed tokens">{count(wallet.deployedCount)}</Fact>
        <Fact name="Trades most">{words(wallet.sectorPreference)}</Fact>
        <Fact name="First funded by">
          {wallet.firstFunder ? <AddressLink address={wallet.firstFunder.address} /> : 'unknown'}
        </Fact>
      </Facts>
      {pnl.confidenceReasons.length > 0 && (
        <p class="faint foot">
          The profit is not better known because {pnl.confidenceReasons.map(confidenceReason).join('; ')}.
        </p>
      )}
      <p class="faint foot">Gas is in no profit, and of the native coin only what is wrapped: no log tells more.</p>
    </>
  )
}

interface ResultProps {
  days: number
  /** Null: the index has not all of the days. */
  of: NonNullable<WalletData['results']>['d7'] | undefined
  isPulled: boolean
}

/** What it realised in the newest days, and how many of the positions that it closed in them were won. */
const Result = ({ days, of, isPulled }: ResultProps) => (
  <>
    <Fact name={`Realised ${days} d`}>{of ? <Profit usd={of.realisedUsd} isPulled={isPulled} /> : UNKNOWN}</Fact>
    <Fact name={`Win rate ${days} d`}>{of ? <Won {...of} /> : UNKNOWN}</Fact>
  </>
)

const Won = ({ winRate, wonPositionCount, closedPositionCount }: NonNullable<ResultProps['of']>) =>
  winRate === null ? (
    'none closed'
  ) : (
    <>
      {percent(100 * winRate)}{' '}
      <small>
        {whole(wonPositionCount)} of {whole(closedPositionCount)}
      </small>
    </>
  )

/** The kinds that are not traders: a pool, a locker, a contract. */
const Place = ({ wallet }: { wallet: WalletData }) => (
  <>
    <p>{kindOf(wallet.kind).what}</p>
    <Facts>
      <Fact name="What it is">{kindOf(wallet.kind).title}</Fact>
      <Holdings wallet={wallet} />
      <Fact name="First seen">{wallet.firstSeen ? <Day iso={wallet.firstSeen} /> : UNKNOWN}</Fact>
    </Facts>
  </>
)

const Holdings = ({ wallet }: { wallet: WalletData }) => (
  <Fact name="Exit value of all">
    {dollars(wallet.sellableUsd)} <small>{dollars(wallet.netWorthUsd)} on paper</small>
  </Fact>
)
