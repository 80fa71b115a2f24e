// Makes the schema. Importing the nouns' files adds their types to the builder.
import './scalars.ts'
import './explanation.ts'
import './token.ts'
import './token-supply.ts'
import './token-price.ts'
import './holder.ts'
import './wallet.ts'
import './position.ts'
import './hour.ts'
import './pool.ts'
import './token-lock.ts'
import './event.ts'
import './event-list.ts'
import './candle.ts'
import './history.ts'
import './score-series.ts'
import './token-score.ts'
import './wallet-score.ts'
import './search.ts'
import './node.ts'
import './token-connection.ts'
import './wallet-list.ts'
import './position-list.ts'
import './alert.ts'
import './account.ts'
import './chain.ts'
import './subscription.ts'
import { type GraphQLSchema, lexicographicSortSchema, printSchema as print } from 'graphql'
import { builder } from './builder.ts'
import { addNotes } from './field-notes.ts'

/** The schema, made once. */
export const schema: GraphQLSchema = addNotes(builder.toSchema({ sortSchema: false }))

/** The schema as text, with types and fields sorted by name: the content of `schema.graphql`. */
export const printSchema = (): string => `${print(lexicographicSortSchema(schema))}\n`
