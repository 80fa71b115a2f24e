// Tells subscribers which share of its position a wallet sold or moved away. A sweep calls it once its matches are
// written, because a purchase may be reported in the sweep of its sale.
import { type ExitEntry, moveExits, writeExits } from '../ledger/alerts/exit-notice.ts'
import { readMoves, readReports } from '../ledger/alerts/moves.ts'
import { cancelNotices, moveNotices, type OrphanedNotice, readOrphans, retractSent } from '../ledger/alerts/notice.ts'
import type { SweepClient, SweepState } from '../ledger/alerts/sweep.ts'
import { findExits, keyOfExit } from './exits.ts'
import type { RosterAlert } from './roster.ts'
import { type SweepMemory, toEntry } from './transitions.ts'

/** The most exits of a wallet in a sweep: the newest ones. */
const MOST_EXITS = 100
const WRITTEN_AT_ONCE = 5_000

/** The blocks whose exits a sweep tells. */
interface NewBlocks {
  /** The newest block whose exits are all told; null: there is none. */
  since: number | null
  /** After a reorganisation: the newest block that stayed. */
  fork: number | null
  now: Date
}

/** Writes what the wallets of mirroring alerts sold or moved away. Returns how many notices. */
export async function mirrorSales(
  client: SweepClient,
  known: SweepMemory,
  state: SweepState,
  { since, fork, now }: NewBlocks,
): Promise<number> {
  if (since === null || known.roster.mirrors.size === 0) return 0
  const found = await findEntries(client, known, state, since)
  const entries = fork === null ? found : await settleExits(client, { known, state, fork, found, now })
  let written = 0
  for (let at = 0; at < entries.length; at += WRITTEN_AT_ONCE)
    written += await writeExits(client, state.head, entries.slice(at, at + WRITTEN_AT_ONCE))
  return written
}

/** The exits of wallets, the newest ones of each. */
async function readExits(client: SweepClient, since: number, wallets: readonly string[]) {
  const exits = findExits(await readMoves(client, since, wallets)).sort((a, b) => b.exit.block - a.exit.block)
  const counts = new Map<string, number>()
  return exits
    .filter(({ exit: { wallet } }) => {
      const count = (counts.get(wallet) ?? 0) + 1
      counts.set(wallet, count)
      return count <= MOST_EXITS
    })
    .toReversed()
}

async function findEntries(
  client: SweepClient,
  { roster: { mirrors }, baseline }: SweepMemory,
  { head }: SweepState,
  since: number,
): Promise<ExitEntry[]> {
  const exits = await readExits(client, since, [...mirrors.keys()])
  if (exits.length === 0) return []
  const alerts = new Set(exits.flatMap(({ exit }) => mirrors.get(exit.wallet) ?? []))
  const reports = await readReports(
    client,
    [...alerts].map(({ id }) => id),
    [...new Set(exits.map(({ tokenId }) => tokenId))],
  )
  const nameOf = (alertId: string, tokenId: number, wallet: string) => `${alertId} ${tokenId} ${wallet}`
  const reported = new Map(reports.map((one) => [nameOf(one.alertId, one.tokenId, one.wallet), one.block]))
  return exits.flatMap(({ tokenId, exit }) => {
    const row = baseline.get(tokenId)
    const isTold = ({ id, filter }: RosterAlert) =>
      filter.mirrorUnreported || (reported.get(nameOf(id, tokenId, exit.wallet)) ?? Infinity) <= exit.block
    if (!row) return []
    return (mirrors.get(exit.wallet) ?? []).filter(isTold).map((alert): ExitEntry => {
      const { facts, ...entry } = toEntry(alert, { row, moment: head }, null)
      return { ...entry, facts: { ...facts, exit }, exitKey: keyOfExit(exit), exitBlock: exit.block }
    })
  })
}

interface Settled {
  known: SweepMemory
  state: SweepState
  fork: number
  found: readonly ExitEntry[]
  now: Date
}

/**
 * After a reorganisation: an exit that is on the new chain too stays told, and one that is gone is taken back. Returns
 * the exits that are new.
 */
async function settleExits(client: SweepClient, { known, state, fork, found, now }: Settled): Promise<ExitEntry[]> {
  const nameOf = ({ alertId, tokenId, exitKey }: Pick<ExitEntry, 'alertId' | 'tokenId' | 'exitKey'>) =>
    `${alertId} ${tokenId} ${exitKey}`
  const again = new Map(found.map((entry) => [nameOf(entry), entry]))
  const mirroring = new Set([...known.roster.mirrors.values()].flat().map(({ id }) => id))
  const orphans = (await readOrphans(client, now)).filter(({ exitKey }) => exitKey !== '')
  const isLost = (told: OrphanedNotice) =>
    (told.exitBlock ?? 0) > fork && mirroring.has(told.alertId) && !again.has(nameOf(told))
  const lost = orphans.filter(isLost)
  const kept = orphans.filter((told) => !isLost(told))
  const idsOf = (notices: readonly OrphanedNotice[]) => notices.map(({ id }) => id)
  await cancelNotices(client, idsOf(lost.filter(({ isSent }) => !isSent)), now)
  await retractSent(client, idsOf(lost.filter(({ isSent }) => isSent)), now)
  await moveNotices(client, state.head, idsOf(kept))
  const moved = kept.flatMap((told) => {
    const { exitBlock } = again.get(nameOf(told)) ?? {}
    return exitBlock === undefined ? [] : [{ id: told.id, exitBlock }]
  })
  await moveExits(client, moved)
  const told = new Set(kept.map(nameOf))
  return found.filter((entry) => !told.has(nameOf(entry)))
}
