// Logs of gauges and farms: each names the owner of the shares and the amount in an order of its own.
import { expect, test } from 'vitest'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createLogDecode } from '../../support/decode.ts'
import { rawLog, topicOf } from '../../support/raw-log.ts'

const [OWNER, OTHER] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const decode = createLogDecode(loadPreset(1))

test.each<[name: keyof typeof TOPICS, kind: string, ...topics: (bigint | string)[]]>([
  ['gauge_deposit', 'shares_staked', OTHER, OWNER],
  ['gauge_withdraw', 'shares_unstaked', OWNER],
  ['curve_gauge_deposit', 'shares_staked', OWNER],
  ['synthetix_staked', 'shares_staked', OWNER],
  ['synthetix_withdrawn', 'shares_unstaked', OWNER],
  ['chef_deposit', 'shares_staked', OWNER, 7n],
  ['chef_withdraw', 'shares_unstaked', OWNER, 7n],
  ['chef_leave', 'shares_unstaked', OWNER, 7n],
  ['chef_deposit_v2', 'shares_staked', OTHER, 7n, OWNER],
  ['chef_withdraw_v2', 'shares_unstaked', OWNER, 7n, OTHER],
  ['chef_leave_v2', 'shares_unstaked', OWNER, 7n, OTHER],
])('%s is %s of its owner', (name, kind, ...topics) => {
  expect(decode(rawLog([TOPICS[name], ...topics.map(topicOf)], [500n]))).toMatchObject({
    kind,
    owner: OWNER,
    amount: 500n,
  })
})
