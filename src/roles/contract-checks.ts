// Wires the job that checks contracts, with its own client: contracts decide the answers that this client gets.
import type { Preset } from '../chain/presets/preset.ts'
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

const quotesOf = ({ stablecoins, wrappedNative }: Preset) => [...stablecoins, wrappedNative]

/** Whether and which contracts are checked, as every process says it. */
export const toCheckSetting = (
  { RPC_URL: urls, CONTRACT_CHECKS: setting }: Pick<AppOptions['config'], 'RPC_URL' | 'CONTRACT_CHECKS'>,
  preset: Preset,
): CheckSetting => ({
  off: urls ? (setting === 'off' ? 'checks_off' : null) : 'no_code',
  exempt: quotesOf(preset),
})

interface Parts {
  database: Database
  preset: Preset
  signal: AbortSignal
  metrics: Metrics
}

/** Undefined where checks are turned off, and for the demo chain, whose recording has no contracts to ask. */
export async function chooseContractChecks(
  { config, clock, log }: AppOptions,
  { database, preset, signal, metrics }: Parts,
): Promise<ContractChecks | undefined> {
  const { RPC_URL: urls, CONTRACT_CHECKS: setting, CONTRACT_CALLS_PER_MINUTE: callsPerMinute } = config
  if (setting === 'off' || !urls) {
    await saveCheckMethods(database.writePool, [])
    return undefined
  }
  const safety = createSafety({
    rpc: createRpc({ urls, clock, signal, ...SAFETY_ENDPOINT }),
    onCapabilities: (can) => {
      log.info(describeCapabilities(can))
      // A new finding reports it again; the status only shows it.
      saveCheckMethods(database.writePool, methodsOf(can)).catch((error) =>
        log.warn({ err: error }, 'the abilities of the node could not be stored'),
      )
    },
  })
  const { wrappedNative, factories } = preset
  return createContractChecks({
    database,
    check: safety.check,
    rules: { wrappedNative, venues: new Map(factories.map(({ address, kind }) => [address, kind])) },
    quotes: quotesOf(preset),
    everySeconds: EVERY_SECONDS,
    callsPerMinute,
    clock,
    log,
    metrics,
  })
}
