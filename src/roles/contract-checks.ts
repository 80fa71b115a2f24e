// Wires the job that checks contracts, with its own client: contracts decide the answers that this client gets.
import { randomBytes } from 'node:crypto'
import type { Address } from '../base/address.ts'
import { isOwnNode } from '../base/own-node.ts'
import type { Preset } from '../chain/presets/preset.ts'
import type { Endpoint } from '../chain/rpc/endpoint.ts'
import { createRpc } from '../chain/rpc/rpc.ts'
import type { AppOptions } from '../cli/context.ts'
import type { Database } from '../database/client.ts'
import { type ContractChecks, createContractChecks } from '../indexing/contract-checks.ts'
import type { CheckSetting } from '../ledger/first-check.ts'
import { saveCheckMethods } from '../ledger/safety/methods.ts'
import { createSafety, SAFETY_ENDPOINT } from '../safety/check/safety.ts'
import { describeCapabilities, methodsOf } from '../safety/node/capabilities.ts'
import type { Metrics } from '../telemetry/metrics.ts'

const EVERY_SECONDS = 3_600
/** To a provider. Nobody counts the calls to a node of one's own, nor to the demo, which answers in process. */
const PROVIDER_CALLS = 600

/** Unforeseeable, because contracts are hostile. */
const randomSeed = (): string => randomBytes(16).toString('hex')
/** A recording is not hostile, and everybody sees the same checks of it. */
const demoSeed = (token: Address, block: number): string => `${token} ${block}`

const quotesOf = ({ stablecoins, wrappedNative }: Preset) => [...stablecoins, wrappedNative]

/** Whether and which contracts are checked, as every process says it. */
export const toCheckSetting = (
  { CONTRACT_CHECKS: setting }: Pick<AppOptions['config'], 'CONTRACT_CHECKS'>,
  preset: Preset,
): CheckSetting => ({
  off: setting === 'off' ? 'checks_off' : null,
  exempt: quotesOf(preset),
})

interface Parts {
  database: Database
  preset: Preset
  signal: AbortSignal
  metrics: Metrics
  /** See `Connected`. */
  demo: Endpoint | null
}

type Setting = Pick<AppOptions, 'clock' | 'log'> & {
  config: Pick<AppOptions['config'], 'RPC_URL' | 'CONTRACT_CHECKS' | 'CONTRACT_CALLS_PER_MINUTE'>
}

const defaultCalls = (urls: readonly string[]): number =>
  urls.every(isOwnNode) ? Number.POSITIVE_INFINITY : PROVIDER_CALLS

/** Undefined where checks are turned off. */
export async function chooseContractChecks(
  { config, clock, log }: Setting,
  { database, preset, signal, metrics, demo }: Parts,
): Promise<ContractChecks | undefined> {
  const { RPC_URL: urls, CONTRACT_CHECKS: setting, CONTRACT_CALLS_PER_MINUTE: callsPerMinute } = config
  if (setting === 'off') {
    await saveCheckMethods(database.writePool, [])
    return undefined
  }
  const safety = createSafety({
    rpc: createRpc({
      ...(demo ? { endpoints: [demo] } : { urls: urls ?? [] }),
      clock,
      signal,
      onSent: metrics.noteSent,
      onTrouble: ({ kind }) => {
        if (kind === 'rate') checks.slow()
      },
      ...SAFETY_ENDPOINT,
    }),
    onCapabilities: (can) => {
      log.info(describeCapabilities(can))
      // A new finding reports it again; the status only shows it.
      saveCheckMethods(database.writePool, methodsOf(can)).catch((error) =>
        log.warn({ err: error }, 'the abilities of the node could not be stored'),
      )
    },
  })
  const { wrappedNative, factories } = preset
  const checks = createContractChecks({
    database,
    check: safety.check,
    rules: { wrappedNative, venues: new Map(factories.map(({ address, kind }) => [address, kind])) },
    quotes: quotesOf(preset),
    everySeconds: EVERY_SECONDS,
    callsPerMinute: demo ? Number.POSITIVE_INFINITY : (callsPerMinute ?? defaultCalls(urls ?? [])),
    seedOf: demo ? demoSeed : randomSeed,
    clock,
    log,
    metrics,
  })
  return checks
}
