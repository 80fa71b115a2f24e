// The builder of the schema: which scalars there are, what the context is, and that a field is never null unless it says so.
// Hot types stand on flat rows of the ledger (object refs with plain default resolvers); the account's own things
// (alerts, usage) stand on Prisma's models.
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { Address } from '../base/address.ts'
import type PrismaTypes from '../database/generated/pothos.ts'
import { getDatamodel } from '../database/generated/pothos.ts'
import type { GraphContext } from './context.ts'

/** The one builder; the files of the nouns add their types to it, `schema.ts` makes the schema of them. */
export const builder = new SchemaBuilder<{
  Context: GraphContext
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    Address: { Input: Address; Output: string }
    DateTime: { Input: Date; Output: Date }
    ID: { Input: string; Output: string }
  }
}>({
  plugins: [PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
  },
})

builder.queryType({ description: 'What can be read. Every answer reflects one block of the chain.' })
builder.mutationType({ description: 'What can be changed: the alerts of the key that asks.' })
