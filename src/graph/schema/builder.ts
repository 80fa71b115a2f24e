// The schema builder: it declares the scalars, the context, and that fields are not nullable unless they say so. The nouns are
// objects over Prisma's models (refs.ts). Their rows come from the hand-written statements of the ledger where many are read
// at once, and from Prisma elsewhere.
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { Address } from '../../base/address.ts'
import type PrismaTypes from '../../database/generated/pothos.ts'
import { getDatamodel } from '../../database/generated/pothos.ts'
import type { GraphContext } from '../context.ts'
import type { ClosedSets } from './closed-sets.ts'
import { STORED_COLUMNS } from './stored-columns.ts'

/** Prisma's models, in which text columns that have a closed set of words are typed with these words. */
type Models = {
  [M in keyof PrismaTypes]: M extends keyof ClosedSets
    ? Omit<PrismaTypes[M], 'Shape'> & { Shape: Omit<PrismaTypes[M]['Shape'], keyof ClosedSets[M]> & ClosedSets[M] }
    : PrismaTypes[M]
}

/** The only builder. The nouns' files add their types to it, and `schema.ts` makes the schema. */
export const builder = new SchemaBuilder<{
  Context: GraphContext
  PrismaTypes: Models
  DefaultFieldNullability: false
  Scalars: {
    Address: { Input: Address; Output: string }
    DateTime: { Input: Date; Output: Date }
    Hash: { Input: string; Output: string }
    BigInt: { Input: bigint; Output: bigint }
    Date: { Input: Date; Output: Date }
    ID: { Input: string; Output: string }
  }
}>({
  // Pothos calls the last plugin first.
  plugins: [STORED_COLUMNS, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
    // The description of an exposed column is its comment in schema.prisma.
    exposeDescriptions: { fields: true, models: false },
  },
})

builder.queryType({ description: 'What can be read. Every answer reflects one block of the chain.' })
builder.mutationType({ description: 'What can be changed: the alerts of your API key.' })
