import { createRequire } from 'node:module'
import { configDefaults, defineConfig } from 'vitest/config'
import { CORE } from './test/core.ts'
import { startOthersFromBundle } from './test/support/build.ts'
import { PATIENCE_MS } from './test/support/patience.ts'

/** `npm test` runs the core, `npm run test:all` the rest; without a mode any file may be named. */
const FILES: Readonly<Record<string, { include?: string[]; exclude?: string[] }>> = {
  core: { include: [...CORE] },
  rest: { exclude: [...configDefaults.exclude, ...CORE] },
}

export default defineConfig(({ mode }) => ({
  // Node loads graphql's `main`, vite its `module`: two copies that refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  plugins: [startOthersFromBundle],
  test: {
    include: ['test/**/*.test.ts'],
    ...FILES[mode],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/setup.ts'],
    // One process reads a module once for all of its files: graph, Prisma and the rest take a second of processor time.
    pool: 'forks',
    isolate: false,
    // A third one works while others wait for PostgreSQL, an EVM or a clock, which is a third of their time.
    maxWorkers: 3,
    // Nothing is measured by these, and no test has its own: they end what hangs, also on a machine that has other work.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
}))
