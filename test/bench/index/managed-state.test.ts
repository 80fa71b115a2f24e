// The generated chain with a manager of pools is as it says: half of the logs are the manager's, and most of them change nothing.
import { expect, test } from 'vitest'
import { createChainState } from './chain-state.ts'
import { MANAGER } from './managed-state.ts'

const MODIFY = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'

test('half of the logs of a generated chain with a manager are its own, and most of these change nothing', () => {
  const state = createChainState(1, true)
  const logs = Array.from({ length: 60 }, () => state.nextBlock(200)).flatMap((block) =>
    block.flatMap((each) => each.logs),
  )
  const own = logs.filter(({ address }) => address === MANAGER)
  const nothing = own.filter(({ topics, data }) => topics[0] === MODIFY && /^0+$/.test(data.slice(130, 194)))
  expect(own.length / logs.length).toBeGreaterThan(0.45)
  expect(own.length / logs.length).toBeLessThan(0.55)
  expect(nothing.length / own.length).toBeGreaterThan(0.8)
})
