import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Node loads graphql's `main`, vite its `module`: two copies that refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/setup.ts'],
    // One process reads a module once for all of its files: graph, Prisma and the rest take a second of processor time.
    pool: 'forks',
    isolate: false,
    // A third one works while others wait for PostgreSQL, an EVM or a clock, which is a third of their time.
    maxWorkers: 3,
    // Nothing is measured by these: they end what hangs, also on a machine that has other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
