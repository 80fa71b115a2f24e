// The zoo in short: a few of its tokens through the whole program. `npm run zoo` has all of them.
import { expect, test } from 'vitest'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { CASES } from './cases.ts'
import { isFound } from './goals.ts'
import { CALLS, headOf, openMarket, openZoo, tell } from './market.ts'
import { startProgram } from './program.ts'
import { createWorld } from './world.ts'

const CHOSEN = [
  'only the owner sells',
  'buyers are blacklisted later',
  'balances are rewritten',
  'a time bomb',
  'a second contract mints',
  "OpenZeppelin's",
  'a fixed fee of 5 %',
  'ten minutes between trades',
]
const title = `closed traps are high or critical and named, honest tokens at most medium${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

test.skipIf(!anvilBinary)(title, async () => {
  const world = await createWorld()
  const preset = await openMarket(world)
  const animals = await openZoo(
    world,
    CASES.filter(({ name }) => CHOSEN.includes(name)),
  )
  expect(animals).toHaveLength(CHOSEN.length)
  for (const { one, stage } of animals) await one.spring?.(stage)
  await world.mine()
  const program = await startProgram(world.anvil.url, preset, CALLS)
  await program.settle(await headOf(world), () => world.mine(1))
  for (const animal of animals) {
    const told = await tell(program, animal)
    const { one } = animal
    if (one.trap !== null) expect(isFound(one, told), `${one.name}: ${JSON.stringify(told)}`).toBe(true)
    else expect(['low', 'medium'], `${one.name}: ${JSON.stringify(told)}`).toContain(told.riskLevel)
    expect(told.sellCheck.status, one.name).toBe('checked')
  }
  await program.stop()
  await world.stop()
})
