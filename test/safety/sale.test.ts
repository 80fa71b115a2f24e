// Whether a token can be sold, tried on a real EVM against the zoo: closed traps are found, honest tokens are not accused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety, SAFETY_ENDPOINT, type Safety } from '../../src/safety/check/safety.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { CASES } from '../zoo/cases.ts'
import { contractOf, openStage } from '../zoo/stage.ts'
import { createWorld, type World } from '../zoo/world.ts'

const title = `the check of a sale${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`
const signal = new AbortController().signal

describe.skipIf(!anvilBinary)(title, () => {
  let world: World
  let safety: Safety

  beforeAll(async () => {
    contractOf('Plain')
    world = await createWorld()
    safety = createSafety({ rpc: createRpc({ urls: [world.anvil.url], clock: systemClock, ...SAFETY_ENDPOINT }) })
  })
  afterAll(() => world?.stop())

  const traps = CASES.filter(({ trap }) => trap !== null && trap !== 'hidden_power')
  test.each(traps)('a closed trap is found: $name', async ({ name, make, spread = 'buy', spring, trap }) => {
    const stage = await openStage(world, name, make, spread)
    await spring?.(stage)
    await world.mine()
    const report = await safety.check(await stage.target(`sale of ${name}`), signal)
    expect(report.findings.map((finding) => finding.name)).toContain(trap)
    expect(report.sellCheck).toMatchObject({ status: 'checked', method: 'simulation' })
  })

  test.each(CASES.filter(({ trap }) => trap === null))('an honest token can be sold: $name', async (one) => {
    const { name, make, most = 0 } = one
    const stage = await openStage(world, name, make, 'buy')
    const report = await safety.check(await stage.target(`sale of ${name}`), signal)
    expect(report.sellCheck).toMatchObject({ status: 'checked', sellable: true, buyable: true, method: 'simulation' })
    expect(report.findings.filter(({ strength }) => strength > most).map((finding) => finding.name)).toEqual([])
    expect(report.complete).toBe(true)
  })
})
