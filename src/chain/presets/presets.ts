// The preset of a chain id with a CHAIN_CONFIG merged in: lists are extended, single values replaced. Input: JSON.
// Output: a checked preset with lower-case addresses, or a `StartupError` that names every invalid field.
import { z } from 'zod'
import { type Address, parseAddress, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { StartupError } from '../../base/errors.ts'
import { SEEN } from '../exchanges/exchange.ts'
import { deployedOn, VENUES } from '../exchanges/venues.ts'
import arbitrum from './arbitrum.json' with { type: 'json' }
import arc from './arc.json' with { type: 'json' }
import base from './base.json' with { type: 'json' }
import bsc from './bsc.json' with { type: 'json' }
import demo from './demo.json' with { type: 'json' }
import ethereum from './ethereum.json' with { type: 'json' }
import hyperevm from './hyperevm.json' with { type: 'json' }
import ink from './ink.json' with { type: 'json' }
import megaeth from './megaeth.json' with { type: 'json' }
import monad from './monad.json' with { type: 'json' }
import plasma from './plasma.json' with { type: 'json' }
import polygon from './polygon.json' with { type: 'json' }
import { type Factory, LOCKER_KINDS, type Preset } from './preset.ts'
import robinhood from './robinhood.json' with { type: 'json' }
import sonic from './sonic.json' with { type: 'json' }
import unichain from './unichain.json' with { type: 'json' }
import world from './world.json' with { type: 'json' }

const address = z.string().transform((text, context): Address => {
  const parsed = parseAddress(text)
  if (parsed) return parsed
  context.addIssue({ code: 'custom', message: 'must be an address: 0x and 40 hex digits' })
  return z.NEVER
})
/**
 * Stands for the wrapped coin of a chain that has none. Exchanges name the native coin so, and no contract is there: such
 * a pool's coin has no name and no price.
 */
const NO_CONTRACT = toAddress('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')
const label = z.string().regex(/^[a-z0-9_]+$/, 'must be snake_case: a-z, 0-9 and _')
const named = z.strictObject({ address, name: z.string().min(1) })
const whole = z.int().min(0)

const SCHEMA = z.strictObject({
  chainId: z.int().min(1),
  name: z.string().min(1),
  wrappedNative: address.nullable().transform((wrapped) => wrapped ?? NO_CONTRACT),
  nativeToken: z.strictObject({ address, decimals: z.int().min(0).max(18) }).optional(),
  nativeLogs: z.array(address).optional(),
  feeCollectors: z.array(address).optional(),
  nativeSymbol: z.string().min(1),
  stablecoins: z.array(address),
  hubs: z.array(address).optional(),
  factories: z.array(
    z.strictObject({
      address,
      kind: z.enum(VENUES),
      launchpad: label,
      positions: address.optional(),
      fromBlock: whole.optional(),
      helper: address.optional(),
      quote: address.optional(),
      seen: z.enum(SEEN).optional(),
    }),
  ),
  burnAddresses: z.array(address),
  lockers: z.array(named.extend({ kind: z.enum(LOCKER_KINDS).optional(), permanent: z.literal(true).optional() })),
  feeHooks: z.array(named).optional(),
  exchanges: z.array(named),
  forwarders: z.array(address).optional(),
  recorded: z.array(address).optional(),
  finalityDepth: whole.optional(),
  finalitySeconds: whole.optional(),
  minPoolDepthUsd: z.number().min(0),
  sectors: z.record(address, label),
  startBlock: whole,
})

/** Defaults for a chain that has no preset. */
const defaultsOf = (chainId: number): Partial<Preset> => ({
  chainId,
  name: `chain ${chainId}`,
  nativeSymbol: 'ETH',
  stablecoins: [],
  burnAddresses: [ZERO_ADDRESS, toAddress('0x000000000000000000000000000000000000dead')],
  lockers: [],
  exchanges: [],
  finalitySeconds: 360,
  minPoolDepthUsd: 1000,
  sectors: {},
  startBlock: 0,
})

const PRESETS = [
  ethereum,
  base,
  arbitrum,
  polygon,
  bsc,
  robinhood,
  monad,
  megaeth,
  hyperevm,
  unichain,
  world,
  ink,
  sonic,
  plasma,
  arc,
]

/** Ids of the chains that have a preset. */
export const PRESET_CHAIN_IDS: readonly number[] = PRESETS.map(({ chainId }) => chainId)

/** The factories of the chain's preset that only one source names, and that no CHAIN_CONFIG has turned on. */
export const listDoubtful = (chainId: number, override?: string): Factory[] =>
  mergePreset(chainId, override).factories.filter(isDoubtful)

const isDoubtful = ({ seen }: Factory): boolean => seen === 'one_source'

/** The dollars of all presets. Some have the same address on several chains. */
export const listStablecoins = (): Address[] => [
  ...new Set(PRESETS.flatMap(({ stablecoins }) => stablecoins.map(toAddress))),
]

/** The preset of the chain, with the JSON text of a CHAIN_CONFIG merged in. */
export function loadPreset(chainId: number, override?: string): Preset {
  const merged = mergePreset(chainId, override)
  return { ...merged, factories: merged.factories.filter((factory) => !isDoubtful(factory)) }
}

function mergePreset(chainId: number, override: string | undefined): Preset {
  const found = [...PRESETS, demo].find((preset) => preset.chainId === chainId)
  const known = found && { ...found, factories: [...found.factories, ...deployedOn(chainId)] }
  if (!known && override === undefined) {
    throw new StartupError(
      `There is no preset for chain ${chainId} (there is one for ${PRESET_CHAIN_IDS.join(', ')}). Set CHAIN_CONFIG to a JSON ` +
        'file with at least wrappedNative and factories, and with stablecoins: without them nothing has a price.',
      78,
    )
  }
  const over = override === undefined ? {} : parseOverride(override)
  const parsed = SCHEMA.safeParse(merge(known ?? defaultsOf(chainId), over))
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`)
    throw new StartupError(`CHAIN_CONFIG is invalid for chain ${chainId}:\n${problems.join('\n')}`, 78)
  }
  if (parsed.data.chainId !== chainId) {
    throw new StartupError(`CHAIN_CONFIG is for chain ${parsed.data.chainId}, but RPC_URL serves chain ${chainId}.`, 78)
  }
  return parsed.data
}

function parseOverride(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw new StartupError('CHAIN_CONFIG must be a JSON object', 78)
}

/** Lists and `sectors` are extended (an entry replaces the one with the same address); other values are replaced. */
function merge(under: object, over: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const old = merged[key]
    if (Array.isArray(old) && Array.isArray(value)) merged[key] = mergeList(old, value)
    else if (key === 'sectors' && isObject(old) && isObject(value)) merged[key] = { ...old, ...value }
    else merged[key] = value
  }
  // Whichever the file names replaces the other.
  if ('finalityDepth' in over) delete merged.finalitySeconds
  else if ('finalitySeconds' in over) delete merged.finalityDepth
  return merged
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function mergeList(old: readonly unknown[], added: readonly unknown[]): unknown[] {
  const keyOf = (entry: unknown) => {
    const key = isObject(entry) && 'address' in entry ? entry.address : entry
    return typeof key === 'string' ? key.toLowerCase() : key
  }
  const byKey = new Map(old.map((entry) => [keyOf(entry), entry]))
  for (const entry of added) byKey.set(keyOf(entry), entry)
  return [...byKey.values()]
}
