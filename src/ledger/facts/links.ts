// Which of a token's wallets a transfer joined, or sent to the same third. Services (known ones, and whoever is linked to
// more than 200) join nobody. Bounded: 201 links a wallet.
import type { LinkFacts, TraderFacts } from '../facts.ts'
import { type Link, type Memory, recall } from './memory.ts'
import { pushTo, type Reader, readRows } from './query.ts'

/** Links above which an address is a service; as many plus one are read. */
const HUB = 200

const NONE: readonly Link[] = []

const LINKS = `SELECT w.id, l.to_id, l.kind FROM unnest($1::int[]) AS w(id)
CROSS JOIN LATERAL (SELECT to_id, kind FROM link WHERE from_id = w.id ORDER BY to_id, kind LIMIT ${HUB + 1}) l`

const SERVICES = `SELECT w.id FROM wallet w WHERE w.id = ANY($1::int[]) AND (
  w.kind <> 'account'
  OR (SELECT count(*) FROM (SELECT FROM link WHERE to_id = w.id LIMIT ${HUB + 1}) i) > ${HUB}
  OR (SELECT count(*) FROM (SELECT FROM wallet WHERE first_funder_id = w.id LIMIT ${HUB + 1}) f) > ${HUB})`

/** Links by token; funders that are services are taken out of the wallets themselves. */
export async function readLinks(
  client: Reader,
  wallets: ReadonlyMap<number, readonly TraderFacts[]>,
  memory: Memory,
): Promise<Map<number, LinkFacts[]>> {
  const accounts = new Set<number>()
  for (const list of wallets.values()) {
    for (const wallet of list) {
      if (wallet.kind === 'account') accounts.add(wallet.id)
    }
  }
  const outgoing = await readOutgoing(client, accounts, memory)
  const joined = new Map([...wallets].map(([tokenId, list]) => [tokenId, joinWallets(list, outgoing)]))
  const asked = new Set<number>()
  for (const list of joined.values()) for (const link of list) asked.add(link.toId)
  for (const list of wallets.values()) for (const id of findJoiningFunders(list)) asked.add(id)
  const services = await readServices(client, asked, memory)
  const links = new Map<number, LinkFacts[]>()
  for (const [tokenId, list] of wallets) {
    links.set(
      tokenId,
      (joined.get(tokenId) ?? []).filter((link) => !services.get(link.toId)),
    )
    for (const wallet of list) {
      if (wallet.firstFunderId !== null && services.get(wallet.firstFunderId)) wallet.firstFunderId = null
    }
  }
  return links
}

const readOutgoing = (client: Reader, accounts: ReadonlySet<number>, memory: Memory) =>
  recall(memory.links, accounts, async (missing) => {
    const rows = await readRows<[number, number, number]>(client, 'facts links', LINKS, [missing])
    const outgoing = new Map<number, Link[]>()
    for (const [id, toId, kind] of rows) pushTo(outgoing, id, { toId, kind: kind === 1 ? 'native' : 'token' })
    return new Map(
      missing.map((id) => {
        const list = outgoing.get(id) ?? NONE
        return [id, list.length > HUB ? NONE : list]
      }),
    )
  })

const readServices = (client: Reader, ids: ReadonlySet<number>, memory: Memory) =>
  recall(memory.services, ids, async (missing) => {
    const rows = await readRows<[number]>(client, 'facts services', SERVICES, [missing])
    const services = new Set(rows.map(([id]) => id))
    return new Map(missing.map((id) => [id, services.has(id)]))
  })

/** Direct links among the wallets, and links to targets that at least two of them share. */
function joinWallets(wallets: readonly TraderFacts[], outgoing: ReadonlyMap<number, readonly Link[]>): LinkFacts[] {
  const inside = new Set(wallets.map((wallet) => wallet.id))
  const senders = new Map<number, Set<number>>()
  const links: LinkFacts[] = []
  for (const { id } of wallets) {
    for (const { toId, kind } of outgoing.get(id) ?? []) {
      if (inside.has(toId)) links.push({ fromId: id, toId, kind })
      else senders.set(toId, (senders.get(toId) ?? new Set()).add(id))
    }
  }
  for (const [toId, from] of senders) {
    if (from.size > 1) for (const fromId of from) links.push({ fromId, toId, kind: 'sharedTarget' })
  }
  return links
}

/** Funders that are among the wallets, or funded at least two of them. */
function findJoiningFunders(wallets: readonly TraderFacts[]): Set<number> {
  const seen = new Set(wallets.map((wallet) => wallet.id))
  const joining = new Set<number>()
  for (const { firstFunderId } of wallets) {
    if (firstFunderId === null) continue
    if (seen.has(firstFunderId)) joining.add(firstFunderId)
    seen.add(firstFunderId)
  }
  return joining
}
