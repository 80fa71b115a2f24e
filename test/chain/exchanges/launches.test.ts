// Logs of launch venues: the token, its creator, and what a sale logs of a trade.
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { NEVER } from '../../../src/base/time.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createLogDecode } from '../../support/decode.ts'
import { RECEIVER, SENDER, TOKEN, word } from '../../support/fake-chain.ts'
import { rawLog, topicOf } from '../../support/raw-log.ts'

const [base, bsc] = [createLogDecode(loadPreset(8453)), createLogDecode(loadPreset(56))]
const ZORA = '0x777777751622c0d3258f214f9df38e35bf45baf3'
const CLANKER = '0xe85a59c628f7d27878aceb4bf3b35733630083a9'
const DOPPLER = '0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12'
const FLAUNCH = '0x51bba15255406cfe7099a42183302640ba7dafdc'
const LIQUID = '0x04f1a284168743759be6554f607a10cebdb77760'
const FOUR_MEME = '0x5c952063c7fc8610ffdb798152d69f0b9550762b'
const FLAP = '0xe2ce6ab80874fa9fa2aae65d277dd6b8e65c9de0'
const [token, creator, other] = [TOKEN, SENDER as `0x${string}`, RECEIVER as `0x${string}`]
const log = (address: string, topics: string[], data: string) => rawLog(topics, data, address)
const zero = `0x${'0'.repeat(64)}` as const
const KEEPER = `0x${'4e'.repeat(20)}` as const
const POOL_ID = `0x${'9d'.repeat(32)}` as const
const DOPPLER_LOCKER = '0xce3212e6536f33cd6fbfee265224131353ca3d47'
const key = [token, other, 30_000, 200, KEEPER] as const

const zoraData = encodeAbiParameters(
  parseAbiParameters(
    'address, string, string, string, address, (address, address, uint24, int24, address), bytes32, string',
  ),
  [other, 'ipfs://a', 'Coin', 'COIN', token, key, zero, '2'],
)
const trendData = encodeAbiParameters(
  parseAbiParameters('string, address, (address, address, uint24, int24, address), bytes32, bytes, string'),
  ['COIN', token, key, zero, '0x', '2'],
)
const clankerData = encodeAbiParameters(
  parseAbiParameters(
    'address, string, string, string, string, string, int24, address, bytes32, address, address, address, uint256, address[]',
  ),
  [other, '', 'Coin', 'COIN', '', '', -230_400, other, zero, other, KEEPER, other, 0n, []],
)
const clankerOldData = encodeAbiParameters(
  parseAbiParameters('address, address, uint256, string, string, int24, string, uint256, uint256, uint8, address'),
  [other, other, 1n, 'Coin', 'COIN', -230_400, '', 0n, 0n, 0, other],
)
const asked = { name: 'Coin', symbol: 'COIN', tokenUri: 'ipfs://a', creator }
/** The fee of the launch stands before what the creator asked for, which has one to three numbers before the creator. */
const flaunchData = (numbers: number) =>
  encodeAbiParameters(
    [
      ...parseAbiParameters('address, address, uint256, bool, uint256'),
      {
        type: 'tuple',
        components: parseAbiParameters(
          `string name, string symbol, string tokenUri, ${Array.from({ length: numbers }, (_, at) => `uint256 n${at}, `).join('')}address creator, uint24 share, uint256 at, bytes price, bytes fee`,
        ),
      },
    ],
    [
      token,
      other,
      9n,
      true,
      1000n,
      { ...asked, n0: 1n, n1: 2n, n2: 3n, share: 5000, at: 4n, price: '0x', fee: '0x' },
    ] as never,
  )

it.each([
  [8453, 'Bonker', '0xd850dace6c3e3b3cf09abb92342fab681013c8cb', 'clanker', 'bonker'],
  [130, 'Flaunch', '0x5cf8e499c7c466c7e2cf127bdf129f57151e65dc', 'flaunch', 'flaunch'],
])(
  'on chain %i a factory of %s, which one source names, is read once CHAIN_CONFIG names it',
  (...[chainId, , ...of]) => {
    const [address, kind, launchpad] = of
    const named = JSON.stringify({ factories: [{ address, kind, launchpad }] })
    const launched = (override?: string) =>
      createLogDecode(loadPreset(chainId, override))(
        kind === 'clanker'
          ? log(address, [TOPICS.clanker_v4, topicOf(token), topicOf(creator)], clankerData)
          : log(address, [TOPICS.flaunched_v13, zero], flaunchData(1)),
      )
    expect(launched()).toBeNull()
    expect(launched(named)).toMatchObject({ kind: 'launched', token, creator })
  },
)

it.each([1, 4663])('the manager of Flaunch is read on chain %i', (chainId) => {
  const manager = '0x5cf8e499c7c466c7e2cf127bdf129f57151e65dc'
  const decoded = createLogDecode(loadPreset(chainId))(log(manager, [TOPICS.flaunched_v13, zero], flaunchData(1)))
  expect(decoded).toMatchObject({ kind: 'launched', token, creator })
})

it('the locker of Bonker is permanent, and its hooks only take a fee', () => {
  const { lockers, feeHooks = [] } = loadPreset(8453)
  expect(lockers.filter(({ name, permanent }) => name === 'Bonker' && permanent)).toHaveLength(1)
  expect(feeHooks.filter(({ name }) => name.startsWith('Bonker'))).toHaveLength(2)
})

describe('a launch venue names the token and its creator', () => {
  it.each([
    ['Zora', log(ZORA, [TOPICS.zora_coin, topicOf(other), topicOf(creator), topicOf(other)], zoraData)],
    ['Zora, a creator', log(ZORA, [TOPICS.zora_creator_coin, topicOf(other), topicOf(creator), zero], zoraData)],
    ['Clanker v4', log(CLANKER, [TOPICS.clanker_v4, topicOf(token), topicOf(creator)], clankerData)],
    ['Clanker v3.1', log(CLANKER, [TOPICS.clanker_v31, topicOf(token), topicOf(creator), zero], clankerOldData)],
    ['Liquid, a fork of Clanker', log(LIQUID, [TOPICS.clanker_v4, topicOf(token), topicOf(creator)], clankerData)],
    ['Flaunch, the first manager', log(FLAUNCH, [TOPICS.flaunched_v1, zero], flaunchData(2))],
    ['Flaunch, the second to the fourth', log(FLAUNCH, [TOPICS.flaunched_v11, zero], flaunchData(3))],
    ['Flaunch, the fifth', log(FLAUNCH, [TOPICS.flaunched_v13, zero], flaunchData(1))],
  ])('%s', (_, raw) => {
    expect(base(raw)).toMatchObject({ kind: 'launched', token, creator })
  })

  it('the topics are those that the sources print', () => {
    expect(TOPICS.zora_coin).toBe('0x2de436107c2096e039c98bbcc3c5a2560583738ce15c234557eecb4d3221aa81')
    expect(TOPICS.flaunched_v1).toBe('0xe9a023154a0e1bd430ba68aafea07b09c78a0e5406c3696fb3c0dd631fa53b64')
    expect(TOPICS.flaunched_v11).toBe('0x54976b48704e67457d6a85a2db51d6e760bbeddf6151f9206512108adce80b42')
    expect(TOPICS.flaunched_v13).toBe('0x88f75d7341103964abd68b657439ace486e110bfda589da9374fe9d69213c7c8')
    expect(TOPICS.clanker_v4).toBe('0x9299d1d1a88d8e1abdc591ae7a167a6bc63a8f17d695804e9091ee33aa89fb67')
    expect(TOPICS.doppler_created).toBe('0x68ff1cfcdcf76864161555fc0de1878d8f83ec6949bf351df74d8a4a1a2679ab')
  })

  it('Doppler names the token, and the contract that placed its liquidity', () => {
    const data = `0x${[token, KEEPER, other].map(word).join('')}`
    const created = { kind: 'launched', token, creator: null, keeper: KEEPER }
    expect(base(log(DOPPLER, [TOPICS.doppler_created, zero], data))).toMatchObject(created)
  })

  it.each([
    ['Zora', log(ZORA, [TOPICS.zora_coin, topicOf(other), topicOf(creator), topicOf(other)], zoraData)],
    ['Zora, a trend', log(ZORA, [TOPICS.zora_trend_coin, topicOf(other)], trendData)],
    ['Clanker v4', log(CLANKER, [TOPICS.clanker_v4, topicOf(token), topicOf(creator)], clankerData)],
  ])('%s names who holds the liquidity', (_, raw) => {
    expect(base(raw)).toMatchObject({ kind: 'launched', token, keeper: KEEPER })
  })

  it('a coin of Zora’s tells the pool that it moves to', () => {
    const data = encodeAbiParameters(
      parseAbiParameters(
        '(address, address, uint24, int24, address), bytes32, (address, address, uint24, int24, address), bytes32',
      ),
      [[token, other, 30_000, 200, other], zero, key, POOL_ID],
    )
    const moved = { kind: 'launch_moved', address: token, pool: POOL_ID, keeper: KEEPER }
    expect(base(log(token, [TOPICS.zora_moved], data))).toMatchObject(moved)
    expect(bsc(log(token, [TOPICS.zora_moved], data))).toBeNull()
  })

  it('Doppler’s contracts log the pools that they keep, and the end', () => {
    const beneficiaries = [[creator, 10n ** 18n]] as const
    const kept = encodeAbiParameters(parseAbiParameters('(address, uint96)[]'), [beneficiaries])
    expect(base(log(other, [TOPICS.doppler_kept, topicOf(token)], kept))).toMatchObject({
      kind: 'launch_locked',
      of: token,
      endsAt: NEVER,
    })
    const until = (end: bigint) =>
      log(
        DOPPLER_LOCKER,
        [TOPICS.doppler_locked, POOL_ID],
        encodeAbiParameters(parseAbiParameters('(address, uint96)[], uint256'), [beneficiaries, end]),
      )
    expect(base(until(1_800_000_000n))).toMatchObject({ kind: 'launch_locked', of: POOL_ID, endsAt: 1_800_000_000 })
    expect(base(until(0n))).toMatchObject({ of: POOL_ID, endsAt: NEVER })
    expect(base({ ...until(0n), address: other })).toBeNull()
  })

  it('nobody else can', () => {
    expect(base(log(other, [TOPICS.clanker_v4, topicOf(token), topicOf(creator)], clankerData))).toBeNull()
    const short = flaunchData(3).slice(0, 2 + 64 * 10)
    expect(base(log(FLAUNCH, [TOPICS.flaunched_v11, zero], short))).toBeNull()
  })
})

describe('Virtuals', () => {
  type Name = 'virtuals_launched' | 'virtuals_prelaunched' | 'virtuals_prelaunched_v2'
  const topics = (name: Name) => [TOPICS[name], topicOf(token), topicOf(other)]

  it.each([
    ['the first bonding contract', '0xf66dea7b3e897cd44a5a231c61b6b4423d613259', 'virtuals_launched', 1],
    ['the second', '0xc3538ddd84619e761b4c03caf2f785f79889958d', 'virtuals_prelaunched_v2', 2],
    ['the third', '0xacb04ab3a1076f4e38de1bac1e19e1c60ff343aa', 'virtuals_prelaunched_v2', 2],
    ['the fourth', '0xa31bd6a0edbc4da307b8fa92bd6cf39e0fae262c', 'virtuals_prelaunched_v2', 2],
    ['the fifth', '0x1a540088125d00dd3990f9da45ca0859af4d3b01', 'virtuals_prelaunched', 7],
  ] as const)('%s tells the pair of a token', (_, venue, name, count) => {
    const data = `0x${word(1).repeat(count)}`
    const opened = { kind: 'pair_launched', address: venue, token, pool: other }
    expect(base(log(venue, topics(name), data))).toMatchObject(opened)
    expect(base(log(other, topics(name), data))).toBeNull()
    expect(base(log(venue, topics(name), `${data}${word(1)}`))).toBeNull()
  })
})

describe('a sale', () => {
  const words = (...values: (number | bigint | string)[]) => `0x${values.map(word).join('')}`

  it('of Four.meme have the remaining tokens and the raised amount', () => {
    const data = words(token, creator, 12, 500, 7, 1, 800, 9)
    const trade = {
      kind: 'curve_swap',
      token,
      trader: creator,
      amount: 500n,
      paid: 7n,
      price: 12n,
      left: 800n,
      raised: 9n,
    }
    expect(bsc(log(FOUR_MEME, [TOPICS.four_meme_bought], data))).toMatchObject({ ...trade, isBuy: true })
    expect(bsc(log(FOUR_MEME, [TOPICS.four_meme_sold], data))).toMatchObject({ ...trade, isBuy: false })
    expect(bsc(log(other, [TOPICS.four_meme_sold], data))).toBeNull()
    expect(bsc(log(FOUR_MEME, [TOPICS.four_meme_graduated], words(token, 1, other, 2)))).toMatchObject({
      kind: 'curve_closed',
      token,
    })
  })

  it('of Flap tells the price after it', () => {
    const data = words(1_760_000_000, token, creator, 500, 7, 1, 12)
    expect(bsc(log(FLAP, [TOPICS.flap_bought], data))).toMatchObject({
      kind: 'curve_swap',
      token,
      trader: creator,
      amount: 500n,
      paid: 7n,
      price: 12n,
      left: null,
    })
    expect(bsc(log(FLAP, [TOPICS.flap_graduated], words(token, other, 1, 2)))).toMatchObject({ kind: 'curve_closed' })
  })

  it('begins with a log that names the creator', () => {
    const four = encodeAbiParameters(
      parseAbiParameters('address, address, uint256, string, string, uint256, uint256, uint256'),
      [creator, token, 1n, 'Coin', 'COIN', 2n, 3n, 4n],
    )
    const flap = encodeAbiParameters(parseAbiParameters('uint256, address, uint256, address, string, string, string'), [
      1n,
      creator,
      2n,
      token,
      'Coin',
      'COIN',
      'ipfs://a',
    ])
    expect(bsc(log(FOUR_MEME, [TOPICS.four_meme_created], four))).toMatchObject({
      kind: 'curve_opened',
      token,
      creator,
    })
    expect(bsc(log(FLAP, [TOPICS.flap_created], flap))).toMatchObject({ kind: 'curve_opened', token, creator })
  })
})
