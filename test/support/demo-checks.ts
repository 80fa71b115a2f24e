// Contract checks of the demo, as its indexer runs them. Input: a database, and the demo's newest block. Output: the job.
import { systemClock } from '../../src/base/clock.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import type { Database } from '../../src/database/client.ts'
import { type ContractChecks, createContractChecks } from '../../src/indexing/contract-checks.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { demoRecording } from './demo.ts'

const quiet = { info: () => {}, warn: () => {}, debug: () => {} }

export interface DemoChecks extends Pick<ContractChecks, 'note'> {
  /** Checks the due tokens, and stores the reports. */
  run(): Promise<void>
}

export function createDemoChecks(database: Database, head?: () => number): DemoChecks {
  const { wrappedNative, factories, stablecoins } = loadPreset(DEMO_CHAIN_ID)
  const replay = createReplay(demoRecording(), head ? { head } : {})
  const safety = createSafety({ rpc: createRpc({ endpoints: [replay], clock: systemClock }) })
  const checks = createContractChecks({
    ...{ database, check: safety.check, clock: systemClock, log: quiet, metrics: createMetrics() },
    rules: { wrappedNative, venues: new Map(factories.map(({ address, kind }) => [address, kind])) },
    ...{ quotes: [...stablecoins, wrappedNative], everySeconds: 3_600, callsPerMinute: 1_000_000 },
    seedOf: (token, block) => `${token} ${block}`,
  })
  const signal = new AbortController().signal
  return {
    note: checks.note,
    run: async () => {
      await checks.drain(60_000, signal)
      await checks.store()
    },
  }
}
