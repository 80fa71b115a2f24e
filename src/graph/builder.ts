// The builder of the schema: which scalars there are, what the context is, and that a field is never null unless it says so.
// Nouns stand on Prisma's models (refs.ts). Their rows come from the flat statements of the ledger where many are asked for at
// once, and from Prisma elsewhere.
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { Address } from '../base/address.ts'
import type PrismaTypes from '../database/generated/pothos.ts'
import { getDatamodel } from '../database/generated/pothos.ts'
import type { ClosedSets } from './closed-sets.ts'
import type { GraphContext } from './context.ts'
import { STORED_COLUMNS } from './stored-columns.ts'

/** Prisma's models with the words of the closed sets instead of any text. */
type Models = {
  [M in keyof PrismaTypes]: M extends keyof ClosedSets
    ? Omit<PrismaTypes[M], 'Shape'> & { Shape: Omit<PrismaTypes[M]['Shape'], keyof ClosedSets[M]> & ClosedSets[M] }
    : PrismaTypes[M]
}

/** The one builder; the files of the nouns add their types to it, `schema.ts` makes the schema of them. */
export const builder = new SchemaBuilder<{
  Context: GraphContext
  PrismaTypes: Models
  DefaultFieldNullability: false
  Scalars: {
    Address: { Input: Address; Output: string }
    DateTime: { Input: Date; Output: Date }
    ID: { Input: string; Output: string }
  }
}>({
  // The last one looks at a field first.
  plugins: [STORED_COLUMNS, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
    // A column that is shown as it is stored is described where it is declared.
    exposeDescriptions: { fields: true, models: false },
  },
})

builder.queryType({ description: 'What can be read. Every answer reflects one block of the chain.' })
builder.mutationType({ description: 'What can be changed: the alerts of the key that asks.' })
