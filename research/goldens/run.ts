// `npm run research -- goldens FOLDER`: runs recorded transactions through the decoder and prints, for each exchange and event,
// how many amounts agree with other sources. Exits with 1 when one differs, or an amount of a source is missing. A log
// of an exchange that was not read without a reason, or a recording of an unknown form, exits with 1 too. A folder of
// receipts is indexed instead, and the swaps in it are judged. It exits with 1 when one is given to the wrong trader.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findDatabase } from '../../test/bench/database.ts'
import { type Judged, judge, type Tally } from './judge.ts'
import { reasonOf } from './left-out.ts'
import { RECEIPTS_FILE } from './receipts/read.ts'
import { toReport } from './receipts/report.ts'
import { judgeReceipts } from './receipts/run.ts'
import { type Recording, readFolder } from './recording.ts'

const [folder] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)
if (!folder) {
  say('Give the folder of the recordings: npm run research -- goldens FOLDER')
  process.exit(64)
}

if (existsSync(join(folder, RECEIPTS_FILE))) {
  const ends: (() => unknown)[] = []
  try {
    const { lines, isRight } = toReport(await judgeReceipts(folder, await findDatabase(undefined, ends)))
    for (const line of lines) say(line)
    process.exitCode = isRight ? 0 : 1
  } finally {
    for (const end of ends) await end()
  }
  process.exit()
}

const { recordings, others, unread: unreadable } = readFolder(folder)
const sum = new Map<string, Tally>()
const [missing, differences]: [string[], string[]] = [[], []]
let [found, unlogged, silent] = [0, 0, 0]
for (const { file, recording } of recordings) {
  const judged = judgeSafely(file, recording)
  if (!judged) continue
  if (judged.tallies.size === 0 && judged.found + judged.missing.length + judged.unlogged === 0) silent += 1
  found += judged.found
  unlogged += judged.unlogged
  missing.push(...judged.missing)
  differences.push(...judged.differences)
  for (const [name, tally] of judged.tallies) {
    const so = sum.get(name) ?? { logs: 0, read: 0, others: 0, agree: 0, differ: 0, unstated: 0 }
    for (const key of ['logs', 'read', 'others', 'agree', 'differ', 'unstated'] as const) so[key] += tally[key]
    sum.set(name, so)
  }
}

say(
  `${'exchange and event'.padEnd(34)}${['logs', 'read', 'left out', 'agree', 'differ', 'unstated'].map((word) => word.padStart(9)).join('')}`,
)
let unread = 0
for (const [name, tally] of [...sum].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const { logs, read, others, agree, differ, unstated } = tally
  const isUnread = read + others < logs
  if (isUnread) unread += 1
  const reason = others > 0 ? (reasonOf(name) ?? 'changes of zero, or logs of another contract') : ''
  const numbers = [logs, read, others, agree, differ, unstated].map((n) => `${n}`.padStart(9)).join('')
  say(`${name.padEnd(34)}${numbers}  ${isUnread ? 'not read' : reason}`.trimEnd())
}
say(
  `${recordings.length} recordings: of the amounts that their sources state ${found} are found, ${missing.length} are not, ` +
    `${unlogged} are of the native coin, which no log tells`,
)
if (silent > 0)
  say(`${silent} recordings name no event and state no amount, so nothing of them was held against anything`)
for (const line of unreadable) say(`  not in the form of a recording: ${line}`)
for (const line of [...differences, ...missing.map((text) => `not found: ${text}`)]) say(`  ${line}`)
for (const file of others) say(`${file} has no logs, so nothing of it was decoded`)
const faults = differences.length + missing.length + unread + unreadable.length
process.exit(faults > 0 || recordings.length === 0 ? 1 : 0)

/** Null, and named as unreadable, where its numbers are none. */
function judgeSafely(file: string, recording: Recording): Judged | null {
  try {
    return judge(recording)
  } catch (error) {
    unreadable.push(`${file}, ${recording.txHash}: ${(error as Error).message}`)
    return null
  }
}
