// Writes each link of the map as a sentence: the payment on the chain, and its time.
import { duration, percent, secondsBetween, shortAddress, timeInWords, whole } from '../format.ts'
import type { Cluster, Link } from './query.ts'

/** The sentences about a wallet. */
export const tellLinks = (address: string, links: readonly Link[]): string[] =>
  links.filter(({ from, to }) => from === address || to === address).map((link) => tellLink(link, links))

function tellLink(link: Link, links: readonly Link[]): string {
  const [from, to] = [shortAddress(link.from), shortAddress(link.to)]
  const at = link.blockNumber === null ? '' : `, first in block ${whole(link.blockNumber)}`
  if (link.kind === 'native') return `${from} sent native coin to ${to}${at}.`
  if (link.kind === 'token') return `${from} sent tokens to ${to}${at}.`
  if (link.kind === 'shared_target') return `${from} sent to ${to}, as at least three other wallets of the token did.`
  if (link.kind === 'fresh_buys')
    return `${from} and ${to} were less than a day old, and bought nearly the same amount within ten minutes.`
  return `${from} was funded first by ${to}, on ${timeInWords(link.paidAt)}${tellOthers(link, links)}.`
}

/** The same funder's other payments, and the time that they lie within. */
function tellOthers({ to }: Link, links: readonly Link[]): string {
  const same = links.filter((one) => one.kind === 'funder' && one.to === to)
  const times = same.flatMap(({ paidAt }) => paidAt ?? []).sort()
  const span = secondsBetween(times[0], times.at(-1))
  if (same.length < 2 || span === null) return ''
  const within = span === 0 ? 'in the same block' : `within ${duration(span, 'long')}`
  return `, as ${whole(same.length - 1)} more of the cluster, all ${within}`
}

export const tellCluster = ({ walletCount, heldPct, outsidePct }: Cluster): string =>
  `${whole(walletCount)} linked wallets hold ${percent(heldPct)} of the supply, ${percent(outsidePct)} of what lies outside pools.`
