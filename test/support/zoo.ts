// A check of contracts over the zoo on a real EVM, for the tests of one file.
import { afterAll, beforeAll, describe } from 'vitest'
import { createWorld, type World } from '../../research/zoo/world.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety, SAFETY_ENDPOINT, type Safety } from '../../src/safety/check/safety.ts'
import { ANVIL_MISSING, anvilBinary } from './anvil.ts'

/** The world and its check, opened before the first test. */
export interface Zoo {
  world: World
  safety: Safety
}

/** The tests are skipped, and say why, on a system without the EVM. */
export function describeZoo(title: string, tests: (zoo: Zoo) => void): void {
  describe.skipIf(!anvilBinary)(`${title}${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`, () => {
    const zoo = {} as Zoo
    beforeAll(async () => {
      zoo.world = await createWorld()
      const rpc = createRpc({ urls: [zoo.world.anvil.url], clock: systemClock, ...SAFETY_ENDPOINT })
      zoo.safety = createSafety({ rpc })
    })
    afterAll(() => zoo.world?.stop())
    tests(zoo)
  })
}
