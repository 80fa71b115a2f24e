// The addresses that a preset calls recorded are those that log in recordings.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readReceipts } from '../../../research/goldens/receipts/read.ts'
import { readFolder } from '../../../research/goldens/recording.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { loadPreset, PRESET_CHAIN_IDS } from '../../../src/chain/presets/presets.ts'

const FOLDER = resolve('../shared/data/exchange-goldens')
const RECEIPTS = resolve('../shared/data/receipts')
const isAbsent = !existsSync(FOLDER) || !existsSync(RECEIPTS)

describe.each(PRESET_CHAIN_IDS)('the preset of chain %i', (chainId) => {
  const preset = loadPreset(chainId)
  const { factories } = preset

  test.skipIf(isAbsent)(
    'calls recorded exactly what logs in recordings (skipped where ../shared/data is absent)',
    () => {
      const recordings = [
        ...readFolder(FOLDER).recordings.filter(({ recording }) => recording.chainId === chainId),
        ...(readReceipts(RECEIPTS).chains.get(chainId) ?? []),
      ]
      const emitters = new Set(
        recordings.flatMap(({ recording }) => recording.logs.map(({ address }) => address.toLowerCase())),
      )
      const wrong = factories.filter(({ address, seen }) => emitters.has(address) !== (seen === 'recorded'))
      expect(wrong.map(({ address }) => address)).toEqual([])
      const others = othersOf(preset)
      expect([...others].filter((address) => emitters.has(address)).sort()).toEqual(preset.recorded)
    },
  )
})

/** Every address that is no factory, manager or venue. */
function othersOf({
  wrappedNative,
  stablecoins,
  hubs = [],
  factories,
  lockers,
  feeHooks = [],
  exchanges,
}: Preset): Set<string> {
  const beside = factories.flatMap(({ positions, helper, quote }) => [positions, helper, quote])
  const named = [...lockers, ...feeHooks, ...exchanges].map(({ address }) => address)
  return new Set(
    [wrappedNative, ...stablecoins, ...hubs, ...beside, ...named].filter((address) => address !== undefined),
  )
}
