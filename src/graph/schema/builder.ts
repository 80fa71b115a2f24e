// The schema builder: it declares the scalars and the context, and makes fields non-nullable by default. The nouns are
// objects over Prisma's models (refs.ts). The ledger's hand-written statements read their rows in bulk; Prisma reads
// the others.
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { Address } from '../../base/address.ts'
import type PrismaTypes from '../../database/generated/pothos.ts'
import { getDatamodel } from '../../database/generated/pothos.ts'
import type { GraphContext } from '../context.ts'
import type { ClosedSets } from './closed-sets.ts'
import { STORED_COLUMNS } from './stored-columns.ts'

/** Prisma's models. Text columns with a closed set of words have these words as their type. */
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
    Rows: { Input: never; Output: readonly Record<string, unknown>[] }
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

builder.queryType({ description: 'The queries. Every answer reflects one block of the chain.' })
builder.mutationType({ description: 'The mutations: the alerts and webhooks of your API key.' })
