// A map of the largest holders: circles by share in the colours of their classes, lines for the links that clusters
// stand on. It is asked for on request, and can be moved to the start of an earlier day. Arrow keys move from circle to
// circle, and a table has the same.
import { useMemo, useState } from 'preact/hooks'
import { ask } from '../api/ask.ts'
import { percent, timeInWords, whole } from '../format.ts'
import { AddressLink } from '../parts/address.tsx'
import { Asked } from '../parts/asked.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { ClassName } from '../parts/holder-table.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty } from '../parts/state.tsx'
import { Bubbles } from './bubbles.tsx'
import { tellCluster, tellLinks } from './evidence.ts'
import { type Cluster, HOLDER_DAYS, HOLDER_MAP, type MapData, type MapDays } from './query.ts'
import { isPool, largestOf, type MapWallet, nameOf, toTimes } from './wallets.ts'

interface HolderMapProps {
  address: string
  /** How grave the verdict calls linked wallets: a class of colour; empty: it names none. */
  tone: string
}

/** The class of the finding about linked wallets: the map judges nothing of its own. */
export const toneOfLinked = (findings: readonly { name: string; kind: string }[]): string => {
  const found = findings.find(({ name }) => name === 'sybil_cluster' || name === 'cluster')
  return found ? `finding-${found.kind}` : ''
}

export const HolderMap = ({ address, tone }: HolderMapProps) => (
  <Asked
    of={address}
    ask={(signal) => ask(HOLDER_MAP, { address }, signal).then(({ token }) => token)}
    button="Show the map"
    busy="Drawing the map…"
    note="The 50 largest holders, and which of them belong together."
  >
    {(data) => <Drawn address={address} data={data} tone={tone} />}
  </Asked>
)

function Drawn({ address, data, tone }: HolderMapProps & { data: MapData }) {
  const [chosen, choose] = useState<string | null>(null)
  const [hasPools, showPools] = useState(false)
  const [days, setDays] = useState<MapDays>(null)
  const times = useMemo(() => toTimes(data, days), [data, days])
  const [daysAgo, move] = useState(0)
  const { start, wallets: all } = times[times.length - 1 - daysAgo] ?? { start: null, wallets: [] }
  const isShown = (one: MapWallet) => hasPools || !isPool(one)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice of pools decides.
  const { ever, links } = useMemo(() => {
    const ever = largestOf(times).filter(isShown)
    const shown = new Set(ever.map(({ address }) => address))
    const links = (data.clusters?.links ?? []).filter(({ from, to }) => shown.has(from) && shown.has(to))
    return { ever, links }
  }, [data, times, hasPools])
  const wallets = all.filter(isShown)
  const clusters = data.clusters?.clusters ?? []
  if (ever.length === 0) return <Empty>Nobody holds it.</Empty>
  const wallet = wallets.find(({ address }) => address === chosen) ?? null
  return (
    <>
      <p class={clusters.some(({ isFlagged }) => isFlagged) ? tone : ''}>{tellAll(data.clusters === null, clusters)}</p>
      {times.some(({ wallets }) => wallets.some(isPool)) && (
        <p class="row">
          <label>
            <input
              type="checkbox"
              checked={hasPools}
              onChange={({ currentTarget }) => showPools(currentTarget.checked)}
            />{' '}
            With pools
          </label>
        </p>
      )}
      <Asked
        of={address}
        ask={async (signal) => {
          const { token } = await ask(HOLDER_DAYS, { address }, signal)
          setDays(token?.holderDays ?? null)
          return token
        }}
        button="Show earlier days"
        busy="Asking for the days…"
        note="Who held it at the start of each of the last 7 days (UTC)."
      >
        {({ holderDays }) => (
          <Days isKnown={holderDays !== null} count={times.length} daysAgo={daysAgo} start={start} onMove={move} />
        )}
      </Asked>
      <Bubbles wallets={wallets} ever={ever} links={links} chosen={chosen} onChoose={choose} />
      <div class="map-detail" role="status">
        {wallet === null ? (
          <p class="faint">Choose a circle, or move with the arrow keys, to see what is known of it.</p>
        ) : (
          <Detail
            wallet={wallet}
            tone={tone}
            cluster={wallet.cluster === null ? null : (clusters[wallet.cluster - 1] ?? null)}
          >
            {tellLinks(wallet.address, links)}
          </Detail>
        )}
      </div>
      <Disclosure summary="As a table" class="as-table">
        <Table wallets={wallets} tell={(address) => tellLinks(address, links)} />
      </Disclosure>
      <p class="faint foot">
        Links as of block {whole(data.score.blockNumber)}. The area of a circle is its share of the supply; a small
        hollow one only links others.
        {start !== null && ' Shares are of the supply of now, and so are classes, links and clusters.'}
      </p>
    </>
  )
}

interface DaysProps {
  isKnown: boolean
  /** Of the times: the last is now. */
  count: number
  daysAgo: number
  start: string | null
  onMove(daysAgo: number): void
}

function Days({ isKnown, count, daysAgo, start, onMove }: DaysProps) {
  if (!isKnown) return <p class="note">Earlier days are not known: too many addresses have held it.</p>
  if (count === 1) return <p class="note">Nobody held it on an earlier day.</p>
  const text = start === null ? 'now' : timeInWords(start)
  return (
    <p class="row">
      <label>
        Held{' '}
        <input
          type="range"
          min={1 - count}
          max={0}
          value={-daysAgo}
          aria-valuetext={text}
          onInput={({ currentTarget }) => onMove(-Number(currentTarget.value))}
        />
      </label>{' '}
      <span>{text}</span>
    </p>
  )
}

function tellAll(isUnknown: boolean, [largest]: readonly Cluster[]): string {
  if (isUnknown) return 'Which wallets belong together is not known yet.'
  return largest ? `Largest cluster: ${tellCluster(largest)}` : 'No linked wallets were found among them.'
}

interface DetailProps {
  wallet: MapWallet
  tone: string
  cluster: Cluster | null
  /** The evidence. */
  children: readonly string[]
}

const Detail = ({ wallet, tone, cluster, children }: DetailProps) => (
  <>
    <p>
      <AddressLink address={wallet.address} />{' '}
      {wallet.classification === null ? nameOf(wallet) : <ClassName name={wallet.classification} />}{' '}
      <b>{percent(wallet.pct)}</b> of the supply.
    </p>
    {cluster && (
      <p class={cluster.isFlagged ? tone : ''}>
        Cluster {wallet.cluster}: {tellCluster(cluster)}
      </p>
    )}
    {children.length > 0 ? (
      <ul class="evidence">
        {children.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    ) : (
      <p class="faint">Nothing links it to another wallet of this token.</p>
    )}
  </>
)

const Table = ({ wallets, tell }: { wallets: readonly MapWallet[]; tell(address: string): string[] }) => (
  <Scroll label="Holders and links" tall>
    <table>
      <thead>
        <tr>
          <th scope="col" class="text">
            Wallet
          </th>
          <th scope="col" class="text">
            Class
          </th>
          <th scope="col">Share</th>
          <th scope="col">Cluster</th>
          <th scope="col" class="text">
            Links
          </th>
        </tr>
      </thead>
      <tbody>
        {wallets.map((wallet) => (
          <tr key={wallet.address}>
            <th scope="row" class="text">
              <AddressLink address={wallet.address} />
            </th>
            <td class="text">{nameOf(wallet)}</td>
            <td>{percent(wallet.pct)}</td>
            <td>{wallet.cluster ?? 'none'}</td>
            <td class="text wrap">{tell(wallet.address).join(' ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
