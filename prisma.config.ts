import { defineConfig } from 'prisma/config'

// `prisma generate` wants to download a schema engine that it does not use: any path stops that.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } })
