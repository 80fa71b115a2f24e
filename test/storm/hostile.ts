// `npm run storm -- hostile [--only WORDS] [--list]`: attacks the built program with 512 MB of heap while an honest
// client uses it. Prints a line per attack and exits with 1 if one did harm.
import { parseArgs } from 'node:util'
import { removeFolders } from '../support/folder.ts'
import { ATTACKS } from './hostile/all.ts'
import { toMb } from './hostile/judge.ts'
import { setStage } from './hostile/stage.ts'
import { type Row, runStorm } from './hostile/storm.ts'
import { LONG } from './hostile/terms.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] }, list: { type: 'boolean', default: false } },
})
const chosen = ATTACKS.filter(
  ({ name, setting = 'plain' }) =>
    values.only.length === 0 || values.only.some((words) => name.includes(words) || setting === words),
)
const say = (line: string) => process.stdout.write(`${line}\n`)
const WIDTH = 46

const lineOf = ({ name, honest, memory, seen, faults }: Row) =>
  [
    name.padEnd(WIDTH),
    `${[honest.p50Ms, honest.p99Ms, honest.maxMs].map((ms) => ms.toFixed(0)).join('/')} ms`.padStart(20),
    `${[memory.before, memory.peak, memory.after].map(toMb).join('/')} MB`.padStart(18),
    ` ${faults.length > 0 ? 'FAILED' : 'held  '} ${seen}`,
    ...faults.map((fault) => `\n    ${fault}`),
  ].join('')

if (values.list) {
  for (const { name, setting = 'plain' } of chosen) say(`${setting.padEnd(10)}${name}`)
  process.exit(0)
}
const stage = await setStage({ isBuilt: true })
let failed = 0
// Leave no database behind when interrupted.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stage.close().finally(() => process.exit(1)))
try {
  say(`${'attack'.padEnd(WIDTH)}${'honest p50/p99/max'.padStart(20)}${'before/peak/after'.padStart(18)} verdict`)
  await runStorm(stage, chosen, LONG, (row) => {
    if (row.faults.length > 0) failed += 1
    say(lineOf(row))
  })
} finally {
  await stage.close()
  removeFolders()
}
say(`${chosen.length} attacks, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
