// Whole recorded blocks of three chains: every log is read or has a reason, and blooms hold. A removed or altered log is
// noticed.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { keccakOfHex } from '../../../src/chain/keccak.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { SWAP_TOPICS } from '../../../src/chain/logs/swap-topics.ts'
import { loadPreset, PRESET_CHAIN_IDS } from '../../../src/chain/presets/presets.ts'
import type { RawLog } from '../../../src/chain/raw.ts'
import { type RawReceipt, rootOf } from '../../../src/chain/source/receipts-root.ts'
import { createLogDecode } from '../../support/decode.ts'

const FOLDER = resolve('../shared/data/receipts/blocks')
const isAbsent = !existsSync(FOLDER)

interface Recorded {
  header: { logsBloom: string; receiptsRoot: string; number: string }
  receipts: (RawReceipt & { logsBloom: string; logs: RawLog[] })[]
}

function read(name: string): Recorded {
  const parse = (part: string) => {
    const value = JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}-${part}.json.gz`))).toString())
    return value.result ?? value
  }
  return { header: parse('block'), receipts: parse('receipts') }
}

/** Chains, their wrapped native coin where no preset has it, how many logs are read, and how many are of other events. */
const BLOCKS: [name: string, chainId: number, wrapped: string | null, logs: number][] = [
  ['ethereum-18000000', 1, null, 291],
  ['arbitrum-150000000', 42161, null, 18],
  ['cronos-11446765', 25, '0x5c7f8a570d578ed84e63fdfa7b1ee72deae1ae23', 35],
  ['cronos-68215', 25, '0x5c7f8a570d578ed84e63fdfa7b1ee72deae1ae23', 43],
]

const presetOf = (chainId: number, wrappedNative: string | null) =>
  PRESET_CHAIN_IDS.includes(chainId)
    ? loadPreset(chainId)
    : loadPreset(
        chainId,
        JSON.stringify({
          wrappedNative,
          factories: [{ address: `0x${'1'.repeat(40)}`, kind: 'v2', launchpad: 'any' }],
        }),
      )

const KNOWN = new Map<string, string>(Object.entries(TOPICS).map(([name, topic]) => [topic, name]))

/** Why a log is not read; null: no reason. */
function reasonOf({ topics, address, data }: RawLog, wrapped: string): string | null {
  const name = KNOWN.get(topics[0] ?? '')
  if (name === undefined) return 'an event that is not read'
  if (name === 'transfer') return topics.length === 4 ? 'an ERC-721 token' : data === '0x' ? 'an odd transfer' : null
  if (name === 'deposit' || name === 'withdrawal') return address === wrapped ? null : 'not the wrapped native coin'
  return `a log of ${name} by a contract that is none of its exchange`
}

/** The bloom of addresses and topics, as a number. (Yellow paper, section 4.3.1.) */
function bloomOf(logs: readonly RawLog[]): bigint {
  let bloom = 0n
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = BigInt(keccakOfHex(value.slice(2)))
    for (const shift of [208n, 224n, 240n].map((bits) => bits)) bloom |= 1n << ((hash >> shift) & 0x7ffn)
  }
  return bloom
}

describe('a whole recorded block (skipped where ../shared/data is absent)', () => {
  it.skipIf(isAbsent).each(BLOCKS)('%s has every log read or explained', (name, chainId, wrapped, count) => {
    const { receipts } = read(name)
    const preset = presetOf(chainId, wrapped)
    const decode = createLogDecode(preset)
    const logs = receipts.flatMap((receipt) => receipt.logs)
    expect(logs).toHaveLength(count)
    const unread = logs.filter((log) => decode(log) === null)
    expect(unread.filter((log) => reasonOf(log, preset.wrappedNative) === null)).toEqual([])
    expect(unread.length).toBeLessThan(count)
  })

  it.skipIf(isAbsent).each(BLOCKS)('%s has the blooms of its logs, and misses a removed one', (name) => {
    const { header, receipts } = read(name)
    for (const receipt of receipts) expect(BigInt(receipt.logsBloom)).toBe(bloomOf(receipt.logs))
    const all = receipts.flatMap((receipt) => receipt.logs)
    const sum = bloomOf(all)
    // Cronos gives its blocks a bloom of its own.
    if (!name.startsWith('cronos')) expect(BigInt(header.logsBloom)).toBe(sum)
    const rare = all.findIndex((_, at) => bloomOf(all.filter((__, other) => other !== at)) !== sum)
    expect(rare).toBeGreaterThanOrEqual(0)
  })

  it.skipIf(isAbsent).each([
    ['ethereum-18000000', 1, 29],
    ['arbitrum-150000000', 42161, 2],
  ] as const)('%s has every swap of a known exchange decoded', (name, chainId, swaps) => {
    const decode = createLogDecode(loadPreset(chainId))
    const logs = read(name).receipts.flatMap((receipt) => receipt.logs)
    const known = logs.filter(({ topics }) => SWAP_TOPICS.has(topics[0] ?? ''))
    expect(known).toHaveLength(swaps)
    expect(known.filter((log) => decode(log) === null)).toEqual([])
  })

  it.skipIf(isAbsent)('proves its receipts by the root of the header, and an altered or removed log breaks it', () => {
    const { header, receipts } = read('ethereum-18000000')
    expect(rootOf(receipts)).toBe(header.receiptsRoot)
    const at = receipts.findIndex(({ logs }) => logs.length > 1)
    const [first] = receipts[at]?.logs ?? []
    if (!first) throw new Error('a block without logs')
    const change = (logs: RawLog[]) => receipts.map((receipt, index) => (index === at ? { ...receipt, logs } : receipt))
    const others = receipts[at]?.logs.slice(1) ?? []
    expect(rootOf(change(others))).not.toBe(header.receiptsRoot)
    const altered = { ...first, data: `${first.data.slice(0, -1)}${first.data.endsWith('1') ? '2' : '1'}` as const }
    expect(rootOf(change([altered as RawLog, ...others]))).not.toBe(header.receiptsRoot)
  })
})
