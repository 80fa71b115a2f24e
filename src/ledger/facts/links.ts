// Finds the wallets of a token that sent to each other, or to the same third wallet. Services connect nobody: known
// ones, and addresses with more links than `FactRules.hubLinks`. At most one link more than that is read per wallet.

import { int32At, numberAt } from '../../base/item-at.ts'
import { pushTo } from '../../base/push-to.ts'
import { LINK_KIND_ID } from '../../base/vocabulary.ts'
import { defineRead, integer, type Reader } from '../../database/column-query.ts'
import { whereCrowded, wherePaid, whereService } from '../roles.ts'
import type { FactRules, LinkFacts } from './facts.ts'
import { findJoiningFunders } from './funders.ts'
import type { Marks } from './marks.ts'
import type { LinkRole, Memory } from './memory.ts'
import { type ListStore, recall } from './store.ts'
import type { TraderStore } from './traders.ts'

const NONE: readonly number[] = []

/** Ids of the wallets that a wallet sent tokens to; a negative number means it sent native coin. Plain numbers, because a run reads hundreds of thousands. */
type Links = readonly number[]

const linksRead = ({ hubLinks }: FactRules) =>
  defineRead(
    'facts links',
    {
      fromId: integer('w.id'),
      link: integer(`CASE l.kind WHEN ${LINK_KIND_ID.native} THEN -l.to_id ELSE l.to_id END`),
    },
    (columns) => `SELECT ${columns} FROM unnest($1::int[]) AS w(id)
      CROSS JOIN LATERAL (SELECT to_id, kind FROM link WHERE from_id = w.id ORDER BY to_id, kind LIMIT ${hubLinks + 1}) l`,
  )

const rolesRead = ({ hubLinks, crowdLinks }: FactRules) =>
  defineRead(
    'facts roles',
    {
      id: integer('w.id'),
      isService: integer(`${whereService(hubLinks)}::int`),
      isCrowded: integer(`${whereCrowded(crowdLinks)}::int`),
      swapCount: integer('w.swap_count'),
    },
    (columns) => `SELECT ${columns} FROM wallet w WHERE w.id = ANY($1::int[])`,
  )

/** The wallets that the funder beside them sent native coin. */
const readPaid = defineRead(
  'facts paid',
  { walletId: integer('v.wallet_id') },
  (columns) => `SELECT ${columns} FROM unnest($1::int[], $2::int[]) AS v(funder_id, wallet_id)
    WHERE ${wherePaid('v.funder_id', 'v.wallet_id')}`,
)

/** The links of tokens' wallets. */
export interface KnownLinks {
  linksOf(tokenId: number): LinkFacts[]
  /** Whether a wallet's first funder may connect it to other wallets. */
  isFundedBy(walletId: number, funderId: number): boolean
}

/** Reads the links of the tokens' wallets. `walletsOf` returns a token's wallet ids. */
export async function readLinks(
  client: Reader,
  { tokenIds, walletsOf }: { tokenIds: readonly number[]; walletsOf: (tokenId: number) => readonly number[] },
  known: TraderStore,
  memory: Memory,
): Promise<KnownLinks> {
  const lists = tokenIds.map((tokenId) => [tokenId, walletsOf(tokenId)] as const)
  const accounts: number[] = []
  for (const [, wallets] of lists) for (const id of wallets) if (known.isAccount(id)) accounts.push(id)
  const outgoing = await readOutgoing(client, accounts, memory)
  const asked: number[] = []
  const joined = new Map<number, Joined[]>()
  for (const [tokenId, wallets] of lists) {
    const links = joinWallets(wallets, outgoing, memory.marks)
    joined.set(tokenId, links)
    for (const { fromId, toId } of links) asked.push(fromId, toId)
    for (const id of findJoiningFunders(wallets, wallets.map(known.funderOf))) asked.push(id)
  }
  const roles = await readRoles(client, asked, memory)
  const isCrowded = (id: number) => roles.get(id)?.crowded === true
  const crowded = new Map<number, number>()
  for (const [, wallets] of lists)
    for (const id of wallets) {
      const funderId = known.funderOf(id)
      if (funderId !== null && isCrowded(funderId)) crowded.set(id, funderId)
    }
  const paid = new Set((await readPaid(client, [[...crowded.values()], [...crowded.keys()]])).walletId)
  return {
    linksOf: (tokenId) =>
      (joined.get(tokenId) ?? [])
        .filter((link) => joins(link, roles.get(link.toId)) && (link.via === 'native' || !isCrowded(link.fromId)))
        .map(toLink),
    isFundedBy: (walletId, funderId) =>
      roles.get(funderId)?.service !== true && (!isCrowded(funderId) || paid.has(walletId)),
  }
}

const readOutgoing = (client: Reader, accounts: readonly number[], memory: Memory) =>
  recall(memory.links, [accounts], async (missing) => {
    const { hubLinks, crowdLinks } = memory.rules
    const { fromId, link } = await linksRead(memory.rules)(client, [missing])
    const outgoing = new Map<number, number[]>()
    for (let at = 0; at < fromId.length; at += 1) pushTo(outgoing, int32At(fromId, at), int32At(link, at))
    return new Map<number, Links>(
      missing.map((id) => {
        const list = outgoing.get(id) ?? NONE
        if (list.length > hubLinks) return [id, NONE]
        const crowd = list.filter((link) => link > 0).length > crowdLinks
        return [id, crowd ? list.filter((link) => link < 0) : list]
      }),
    )
  })

const readRoles = (client: Reader, ids: readonly number[], memory: Memory) =>
  recall(memory.roles, [ids], async (missing) => {
    const { id: found, isService, isCrowded, swapCount } = await rolesRead(memory.rules)(client, [missing])
    const roles = new Map<number, LinkRole>()
    for (const [at, id] of found.entries())
      roles.set(id, { service: isService[at] === 1, crowded: isCrowded[at] === 1, trades: swapCount[at] !== 0 })
    return roles
  })

/** A link, with its kind of transfer. */
interface Joined extends LinkFacts {
  via: 'native' | 'token'
}

const toLink = ({ fromId, toId, kind }: Joined): LinkFacts => ({ fromId, toId, kind })

/** Whether a link shows that both ends have one owner. A shared target that never trades is a treasury, not an owner's collecting wallet. */
function joins({ kind, via }: Joined, to: LinkRole | undefined): boolean {
  if (!to || to.service) return false
  return via === 'native' || (!to.crowded && (kind !== 'sharedTarget' || to.trades))
}

/** The mark of the token's own wallets. Other wallets are marked with how many links lead to them: 0, 1, or 2 for more. */
const INSIDE = 3

/** Links among the wallets, and links to other wallets with at least two links. */
function joinWallets(wallets: readonly number[], outgoing: Pick<ListStore, 'appendTo'>, marks: Marks): Joined[] {
  for (const id of wallets) marks.set(id, INSIDE)
  /** The links of all wallets one after another; `ends` has where those of each wallet end. */
  const flat: number[] = []
  const ends = wallets.map((id) => outgoing.appendTo(flat, id))
  for (const link of flat) {
    const toId = Math.abs(link)
    const mark = marks.of(toId)
    if (mark < 2) marks.set(toId, mark + 1)
  }
  const shared = new Map<number, Joined[]>()
  const links: Joined[] = []
  let from = 0
  for (let at = 0; at < flat.length; at += 1) {
    while (at >= numberAt(ends, from)) from += 1
    const link = numberAt(flat, at)
    const toId = Math.abs(link)
    const mark = marks.of(toId)
    if (mark < 2) continue
    const via = link < 0 ? 'native' : 'token'
    const fromId = numberAt(wallets, from)
    if (mark === INSIDE) links.push({ fromId, toId, kind: via, via })
    else pushTo(shared, toId, { fromId, toId, kind: 'sharedTarget', via })
  }
  for (const id of wallets) marks.set(id, 0)
  for (const link of flat) marks.set(Math.abs(link), 0)
  for (const list of shared.values()) links.push(...list)
  return links
}
