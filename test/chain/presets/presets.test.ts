import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../src/base/address.ts'
import { loadPreset, PRESET_CHAIN_IDS } from '../../../src/chain/presets/presets.ts'

const A = `0x${'a'.repeat(40)}`
const B = `0x${'B'.repeat(40)}`

describe('chain presets', () => {
  it.each(PRESET_CHAIN_IDS)('the preset of chain %i is complete, in lower case, and without duplicates', (chainId) => {
    const preset = loadPreset(chainId)
    const { wrappedNative, stablecoins, factories, burnAddresses, lockers, feeHooks = [], exchanges } = preset
    const named = [...factories, ...lockers, ...feeHooks, ...exchanges].map(({ address }) => address)
    const all = [wrappedNative, ...stablecoins, ...burnAddresses, ...named]
    expect(all.every((address) => parseAddress(address) === address)).toBe(true)
    expect(new Set(all).size).toBe(all.length)
    expect(preset.chainId).toBe(chainId)
    expect(stablecoins.length).toBeGreaterThanOrEqual(1)
    expect(factories.length).toBeGreaterThanOrEqual(1)
  })

  it.each([1, 8453, 42161, 137, 56])(
    'the preset of chain %i has all three of Uniswap, and three dollars',
    (chainId) => {
      const { stablecoins, factories } = loadPreset(chainId)
      expect(stablecoins.length).toBeGreaterThanOrEqual(3)
      expect(factories.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['v2', 'v3', 'v4']))
    },
  )
})

describe('CHAIN_CONFIG', () => {
  it('CHAIN_CONFIG extends lists and replaces single values', () => {
    const plain = loadPreset(1)
    const preset = loadPreset(
      1,
      JSON.stringify({
        name: 'Fork',
        stablecoins: [B],
        factories: [
          { address: A, kind: 'v2', launchpad: 'my_dex' },
          { ...plain.factories[0], launchpad: 'renamed' },
        ],
        sectors: { [B]: 'meme' },
        finalityDepth: 3,
      }),
    )
    expect(preset.name).toBe('Fork')
    expect(preset.finalityDepth).toBe(3)
    expect(preset.stablecoins).toEqual([...plain.stablecoins, B.toLowerCase()])
    expect(preset.factories).toHaveLength(plain.factories.length + 1)
    expect(preset.factories[0]?.launchpad).toBe('renamed')
    expect(preset.sectors).toEqual({ [B.toLowerCase()]: 'meme' })
    expect(preset.exchanges).toEqual(plain.exchanges)
  })

  it('CHAIN_CONFIG adds lockers, with or without a known log format', () => {
    const lockers = [
      { address: A, name: 'Own' },
      { address: B, name: 'Fork of UNCX', kind: 'uncx' },
    ]
    const preset = loadPreset(1, JSON.stringify({ lockers }))
    expect(preset.lockers.slice(0, -2)).toEqual(loadPreset(1).lockers)
    expect(preset.lockers.slice(-2)).toEqual([lockers[0], { ...lockers[1], address: B.toLowerCase() }])
  })

  it('CHAIN_CONFIG is enough for a chain without a preset', () => {
    const given = { chainId: 5, name: 'Own', wrappedNative: A, nativeSymbol: 'OWN', factories: [], stablecoins: [B] }
    expect(loadPreset(5, JSON.stringify(given))).toMatchObject({
      chainId: 5,
      startBlock: 0,
      lockers: [],
      finalitySeconds: 360,
    })
  })

  it.each([
    [undefined, /no preset for chain 5 .*CHAIN_CONFIG.*wrappedNative and factories/],
    ['{', /must be a JSON object/],
    ['[]', /must be a JSON object/],
    ['{"chainId":5}', /wrappedNative[\s\S]*factories/],
    [
      JSON.stringify({ chainId: 6, name: 'x', wrappedNative: A, nativeSymbol: 'X', factories: [] }),
      /is for chain 6, but RPC_URL serves chain 5/,
    ],
    [
      JSON.stringify({
        chainId: 5,
        name: 'x',
        wrappedNative: '0x1',
        nativeSymbol: 'X',
        factories: [{ address: A, kind: 'v5', launchpad: 'A b' }],
        lockers: [{ address: A, name: 'x', kind: 'vault' }],
        extra: 1,
      }),
      /wrappedNative: must be an address[\s\S]*factories\.0\.kind[\s\S]*factories\.0\.launchpad: must be snake_case[\s\S]*lockers\.0\.kind[\s\S]*extra/,
    ],
  ])('an invalid CHAIN_CONFIG (%s) stops the program and lists every fault', (text, message) => {
    expect(() => loadPreset(5, text)).toThrow(message)
  })
})
