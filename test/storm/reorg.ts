// `npm run storm -- reorg [--scripts N] [--reorgs N] [--seed N]`: runs the reorganisation tests in full: N random
// scripts of blocks and reorganisations against an undisturbed run, and N reorganisations of a live EVM. Exits with the
// status of the tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '200' },
    reorgs: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1e6)) },
  },
})
process.stdout.write(`${values.scripts} scripts, ${values.reorgs} live reorganisations, seed ${values.seed}\n`)
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const files = ['test/ledger/write/reorg.test.ts', 'test/story/reorg.test.ts', 'test/story/doctor.test.ts']
const child = spawn(process.execPath, [vitest, 'run', ...files], {
  stdio: 'inherit',
  env: { ...process.env, REORG_RUNS: values.scripts, REORG_STORM: values.reorgs, REORG_SEED: values.seed },
})
const [code] = (await once(child, 'exit')) as [number | null]
process.exit(code ?? 1)
