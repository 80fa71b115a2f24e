// Reads the wallets around the launches of tokens, with what each holds. It costs some rows per wallet that bought during
// the launch, so a much traded token is read once a minute.
import { float64At, int32At } from '../../base/item-at.ts'
import { defineRead, double, integer, listBy, orNull, type Reader } from '../../database/column-query.ts'
import type { LaunchHolders, LaunchReadRules } from '../launch-groups.ts'
import { launchPeople } from '../launch-people.ts'

const flag = (column: string) => integer(`coalesce(x."${column}", false)::int`)
const number = (column: string) => double(`x."${column}"::float8`)

const peopleRead = (rules: LaunchReadRules) =>
  defineRead(
    'facts launches',
    {
      tokenId: integer('x."tokenId"'),
      openedAt: number('openedAt'),
      isMoney: flag('isMoney'),
      hasFirstEvents: flag('hasFirstEvents'),
      hasDeployer: flag('hasDeployer'),
      seenSince: number('seenSince'),
      circulating: number('circulating'),
      walletId: integer('coalesce(x."walletId", 0)'),
      firstSeenAt: number('firstSeenAt'),
      funderId: number('funderId'),
      isDeveloper: flag('isDeveloper'),
      isInsider: flag('isInsider'),
      firstBuyAt: number('firstBuyAt'),
      balance: number('balance'),
    },
    (columns) => `SELECT ${columns} ${launchPeople(rules)} ORDER BY x."tokenId"`,
  )

/** A token with more events than this is much traded: its launch is not read for each of its scores. */
const MANY_EVENTS = 500
/** The greatest age of such a reading, while the token has scores. */
export const LAUNCH_AGE_SECONDS = 60

/** Takes the tokens whose launches are due for reading at a time, and notes it. */
export function takeDue(
  launches: Map<number, number>,
  tokens: readonly { id: number; eventCount: number }[],
  now: number,
): number[] {
  const isRecent = (time: number) => time <= now && time > now - LAUNCH_AGE_SECONDS
  for (const [id, time] of launches) {
    if (isRecent(time)) break
    launches.delete(id)
  }
  return tokens.flatMap(({ id, eventCount }) => {
    if (eventCount <= MANY_EVENTS) return [id]
    if (isRecent(launches.get(id) ?? Number.NEGATIVE_INFINITY)) return []
    launches.delete(id)
    launches.set(id, now)
    return [id]
  })
}

/** Returns a function that makes the wallets around a token's launch when they are needed; null: it was not read. */
export async function readLaunchHolders(
  client: Reader,
  tokenIds: readonly number[],
  rules: LaunchReadRules,
): Promise<(tokenId: number) => LaunchHolders | null> {
  const rows = await peopleRead(rules)(client, [tokenIds, rules.events, rules.seconds])
  const placesOf = listBy(rows.tokenId, (at) => at)
  const toWallet = (at: number) => ({
    walletId: int32At(rows.walletId, at),
    firstSeenAt: float64At(rows.firstSeenAt, at),
    funderId: orNull(rows.funderId[at]),
    isDeveloper: rows.isDeveloper[at] === 1,
    isInsider: rows.isInsider[at] === 1,
    firstBuyAt: orNull(rows.firstBuyAt[at]),
    balance: float64At(rows.balance, at),
  })
  return (tokenId) => {
    const places = placesOf(tokenId)
    const [first] = places
    if (first === undefined) return null
    return {
      tokenId,
      openedAt: orNull(rows.openedAt[first]),
      isMoney: rows.isMoney[first] === 1,
      hasFirstEvents: rows.hasFirstEvents[first] === 1,
      hasDeployer: rows.hasDeployer[first] === 1,
      seenSince: orNull(rows.seenSince[first]),
      circulating: orNull(rows.circulating[first]),
      // A token without such a wallet has one row with 0 in its place.
      wallets: places.filter((at) => rows.walletId[at] !== 0).map(toWallet),
    }
  }
}
