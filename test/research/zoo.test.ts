// The zoo in short: a few of its tokens through the whole program. `npm run research -- zoo` has all of them.
import { expect, test } from 'vitest'
import { CASES } from '../../research/zoo/cases.ts'
import { isFound } from '../../research/zoo/goals.ts'
import { CALLS, headOf, openMarket, openZoo, tell } from '../../research/zoo/market.ts'
import { startProgram } from '../../research/zoo/program.ts'
import { createWorld } from '../../research/zoo/world.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { faultsOf } from '../support/conforms.ts'

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
const PATHS = ROUTES.filter(({ method, path }) => method === 'GET' && /\/tokens?\/:address/.test(path)).map(
  ({ path }) => path,
)
const title = `closed traps are high or critical and named, honest tokens at most medium, each answer as described${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

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
    for (const path of PATHS) {
      const asked = path.replace(':address', animal.stage.token)
      const answer = await program.get(asked)
      expect([one.name, path, answer.status]).toEqual([one.name, path, 200])
      expect([one.name, path, ...faultsOf({ method: 'GET', path: `/v1${asked}` }, answer)]).toEqual([one.name, path])
    }
  }
  await program.stop()
  await world.stop()
})
