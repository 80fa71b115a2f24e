// `npm run research -- zoo [--only TEXT] [--held-out | --sealed | --forms] [--write | --serve]`: the zoo's tokens on one chain, indexed by the
// program over JSON-RPC, with checks of contracts and without. Prints a table of what each token was told to be before
// and after its trap closed. With --write it puts the table into docs/safety.md. With --held-out it does so for the
// tokens of held-out.ts, with --sealed for those of sealed.ts, with --forms for those of forms.ts. With --serve it
// prints the address of each closed token's page instead, and serves the pages until it is stopped. Exits with 1 where a
// goal is missed.
import { parseArgs } from 'node:util'
import { CASES } from './cases.ts'
import { writeTable } from './docs-table.ts'
import { FORM_CASES, ROUTER_CASES } from './forms.ts'
import { isFound, missedGoals, type Row, toTable } from './goals.ts'
import { HELD_OUT } from './held-out.ts'
import { type Animal, CALLS, headOf, openMarket, openZoo, tell, trade } from './market.ts'
import { type Program, startProgram } from './program.ts'
import { SEALED } from './sealed.ts'
import { createWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'held-out': { type: 'boolean', default: false },
    sealed: { type: 'boolean', default: false },
    forms: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
  },
})
const LISTS = {
  zoo: CASES,
  'zoo-held-out': HELD_OUT,
  'zoo-sealed': SEALED,
  'zoo-forms': [...FORM_CASES, ...ROUTER_CASES],
}
const chosen = (
  [
    ['held-out', 'zoo-held-out'],
    ['sealed', 'zoo-sealed'],
    ['forms', 'zoo-forms'],
  ] as const
).find(([option]) => values[option])
const listed = chosen?.[1] ?? 'zoo'
const say = (line: string) => process.stdout.write(`${line}\n`)
/** After a trap has closed: so many blocks a minute apart, or fewer if everything is found. */
const MOST_BLOCKS = 90
const BLOCKS_AT_ONCE = 5

const callsOf = async (program: Program, { stage }: Animal): Promise<number> => {
  const [row] = await program.rows<{ report: string }>(
    `SELECT s.report FROM token_safety s JOIN token t ON t.id = s.token_id WHERE t.address = '${stage.token}'`,
  )
  return row ? (JSON.parse(row.report) as { calls: number }).calls : 0
}

const world = await createWorld()
const preset = await openMarket(world)
const animals = await openZoo(
  world,
  LISTS[listed].filter(({ name }) => name.includes(values.only)),
)
say(`${animals.length} tokens on ${await headOf(world)} blocks`)

const program = await startProgram(world.anvil.url, preset, CALLS)
const nudge = () => world.mine(1)
await program.settle(await headOf(world), nudge)
const open = await Promise.all(animals.map((animal) => tell(program, animal)))
const openCalls = await Promise.all(animals.map((animal) => callsOf(program, animal)))

for (const { one, stage } of animals) await one.spring?.(stage)
await world.mine()
const closedAt = await headOf(world)
const foundAt = new Map<string, number>()
const traps = animals.filter(({ one }) => one.trap !== null)
for (let blocks = 1; blocks <= MOST_BLOCKS && foundAt.size < traps.length; blocks++) {
  await trade(world, animals, 100 + blocks)
  if (blocks % BLOCKS_AT_ONCE !== 0) continue
  await program.settle(await headOf(world), nudge)
  for (const animal of traps) {
    if (isFound(animal.one, await tell(program, animal)))
      foundAt.set(animal.one.name, foundAt.get(animal.one.name) ?? (await headOf(world)) - closedAt)
  }
}
await program.settle(await headOf(world), nudge)
if (values.serve) {
  say(`key ${program.key}`)
  for (const { one, stage } of animals) say(`${program.url}/token/${stage.token} ${one.trap ?? 'honest'}: ${one.name}`)
  await new Promise(() => setInterval(() => {}, 2 ** 30))
}
const closed = await Promise.all(animals.map((animal) => tell(program, animal)))
const closedCalls = await Promise.all(animals.map((animal) => callsOf(program, animal)))
await program.stop()

const plain = await startProgram(world.anvil.url, preset, { CONTRACT_CHECKS: 'off' })
await plain.settle(await headOf(world))
const unchecked = await Promise.all(animals.map((animal) => tell(plain, animal)))
await plain.stop()
await world.stop()

const rows = animals.flatMap(({ one }, at): Row[] => {
  const [before, after, without] = [open[at], closed[at], unchecked[at]]
  if (!before || !after || !without) return []
  const calls = [openCalls[at] ?? 0, closedCalls[at] ?? 0] as const
  return [{ one, open: before, closed: after, unchecked: without, blocks: foundAt.get(one.name) ?? null, calls }]
})
const table = toTable(rows)
for (const line of table) say(line)
if (values.write) writeTable(listed, table)
const missed = rows.flatMap(missedGoals)
for (const line of missed) say(`missed: ${line}`)
process.exit(missed.length > 0 ? 1 : 0)
