// Who was there when the token opened. Each group has a chip with its share now, and a row with what it held, sold and
// earned. A pressed chip shows the wallets of its group. All of it is asked for on request.
import type { ResultOf } from 'gql.tada'
import { useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { count, dateTime, dollars, percent, UNKNOWN, whole } from '../format.ts'
import { AddressLink } from './address.tsx'
import { Asked } from './asked.tsx'
import { Known } from './known.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { Profit } from './wallet-overview.tsx'
import { ShortTime } from './when.tsx'

export const LAUNCH = graphql(`
query Launch($address: Address!) {
  token(address: $address) {
    launchGroups {
      openedAt
      groups {
        name definition unknown walletCount heldPct peakPct peakAt soldPct soldUsd realisedUsd
        wallets(first: 10) { nodes { address firstBuyAt heldPct soldUsd realisedUsd } }
      }
    }
  }
}`)

type Launch = NonNullable<ResultOf<typeof LAUNCH>['token']>['launchGroups']
type Group = Launch['groups'][number]

const NAMES: Readonly<Record<Group['name'], string>> = {
  snipers: 'Snipers',
  bundlers: 'Bundlers',
  insiders: 'Insiders',
  developer: 'Developer',
  fresh: 'Fresh wallets',
}

const REASONS: Readonly<Record<Group['unknown'][number], string>> = {
  money: 'it is money of the chain',
  opening_unknown: 'its first liquidity is not known',
  events_removed: 'its first events are no longer kept',
  deployer_unknown: 'its deployer is not known',
  wallet_ages_unknown: 'the index begins less than a day before it opened',
  supply_unknown: 'its supply is not known',
  too_many_events: 'a wallet traded on after the events that are read',
  events_differ: 'transfers do not add up to the balances',
  supply_shrank: 'tokens were burned since',
}

/** In words: how many wallets hold which share now. */
function tellShare({ walletCount, heldPct }: Group): string {
  if (walletCount === null) return UNKNOWN
  return walletCount === 0 ? 'none' : percent(heldPct)
}

export const LaunchGroups = ({ address }: { address: string }) => (
  <Asked
    of={address}
    ask={(signal) => ask(LAUNCH, { address }, signal).then(({ token }) => token?.launchGroups ?? null)}
    button="Show the launch groups"
    busy="Asking for the groups…"
    note="Snipers, bundlers, insiders, the developer and fresh wallets: what they hold, and what they sold."
  >
    {(launch) => <Told launch={launch} />}
  </Asked>
)

function Told({ launch: { openedAt, groups } }: { launch: Launch }) {
  const [chosen, choose] = useState<Group['name'] | null>(null)
  if (groups.every(({ walletCount }) => walletCount === null))
    return <Empty>Not known: {REASONS[groups[0]?.unknown[0] ?? 'opening_unknown']}.</Empty>
  const group = groups.find(({ name }) => name === chosen)
  return (
    <>
      <fieldset class="row chips" aria-label="Share of the supply now">
        {groups.map((each) => (
          <button
            key={each.name}
            type="button"
            class="chip"
            title={each.definition}
            aria-pressed={each.name === chosen}
            onClick={() => choose(each.name === chosen ? null : each.name)}
          >
            {NAMES[each.name]} <strong>{tellShare(each)}</strong>
          </button>
        ))}
      </fieldset>
      {group ? <Wallets group={group} /> : <Groups groups={groups} />}
      <p class="faint foot">
        Shares of the supply without burned tokens; it opened on {dateTime(openedAt)}. Profit is of sales with a known
        cost.
        {groups.map(
          ({ name, unknown: [reason] }) => reason && ` ${NAMES[name]}: not all is known, because ${REASONS[reason]}.`,
        )}
      </p>
    </>
  )
}

const Groups = ({ groups }: { groups: readonly Group[] }) => (
  <Scroll label="Launch groups">
    <table>
      <thead>
        <tr>
          <th scope="col" class="text">
            Group
          </th>
          <th scope="col">Wallets</th>
          <th scope="col">Now</th>
          <th scope="col">Peak</th>
          <th scope="col" class="wide-only">
            Sold
          </th>
          <th scope="col" class="wide-only">
            Sold for
          </th>
          <th scope="col">Profit</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <Row key={group.name} group={group} />
        ))}
      </tbody>
    </table>
  </Scroll>
)

const Row = ({ group }: { group: Group }) => (
  <tr>
    <th scope="row" class="text" title={group.definition}>
      {NAMES[group.name]}
    </th>
    <td>
      <Known text={count(group.walletCount)} />
    </td>
    <td>
      <Known text={percent(group.heldPct)} />
    </td>
    <td title={group.peakAt === null ? undefined : dateTime(group.peakAt)}>
      <Known text={percent(group.peakPct)} />
    </td>
    <td class="wide-only">
      <Known text={percent(group.soldPct)} />
    </td>
    <td class="wide-only">
      <Known text={dollars(group.soldUsd)} />
    </td>
    <td>
      <Earned usd={group.realisedUsd} />
    </td>
  </tr>
)

const Earned = ({ usd }: { usd: number | null }) => (usd === null ? <Known text={UNKNOWN} /> : <Profit usd={usd} />)

function Wallets({ group: { definition, walletCount, wallets } }: { group: Group }) {
  if (walletCount === null) return <Empty>Not known.</Empty>
  if (walletCount === 0) return <Empty>No wallet: {definition}</Empty>
  return (
    <>
      <Scroll label="Wallets of the group">
        <table>
          <thead>
            <tr>
              <th scope="col" class="text">
                Wallet
              </th>
              <th scope="col">Now</th>
              <th scope="col">Sold for</th>
              <th scope="col">Profit</th>
              <th scope="col" class="wide-only">
                First buy
              </th>
            </tr>
          </thead>
          <tbody>
            {wallets.nodes.map(({ address, firstBuyAt, heldPct, soldUsd, realisedUsd }) => (
              <tr key={address}>
                <th scope="row" class="text">
                  <AddressLink address={address} />
                </th>
                <td>
                  <Known text={percent(heldPct)} />
                </td>
                <td>{dollars(soldUsd)}</td>
                <td>
                  <Earned usd={realisedUsd} />
                </td>
                <td class="wide-only">
                  {firstBuyAt === null ? <Known text={UNKNOWN} /> : <ShortTime iso={firstBuyAt} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="faint foot">
        {definition} {whole(wallets.nodes.length)} of {count(walletCount)}, the largest holders first.
      </p>
    </>
  )
}
