// What a mutation answers: an object of its own, so that it can tell more than the thing that it made or changed.
import type { ObjectRef } from '@pothos/core'
import { builder } from './builder.ts'
import { PART } from './list-size.ts'
import { type Shown, shownSecretOf } from './saved-filter.ts'

/** Why a mutation that answers the thing itself is deprecated. */
export const insteadOf = (mutation: string) => `Use ${mutation}, whose answer has room for more.`

type Types = typeof builder.$inferSchemaTypes

/** The answer of a mutation of a saved filter. `shown`: it made a secret, or may have. */
export function declarePayload(
  name: string,
  noun: { field: string; type: ObjectRef<Types, unknown>; text: string },
  shown: boolean,
) {
  return builder.objectRef<Shown>(name).implement({
    extensions: PART,
    description: `The answer of the mutation ${name[0]?.toLowerCase()}${name.slice(1, -'Payload'.length)}.`,
    fields: (t) => ({
      [noun.field]: t.field({ type: noun.type, description: `${noun.text}.`, resolve: (saved) => saved }),
      ...(shown && {
        secret: t.string({
          nullable: true,
          description: 'What signs the messages of its webhook, told here only; null without a webhook.',
          resolve: shownSecretOf,
        }),
      }),
    }),
  })
}

/** The answer of a mutation that deletes. */
export const declareDeletePayload = (name: string, noun: string) =>
  builder.objectRef<string>(name).implement({
    extensions: PART,
    description: `The answer of the mutation ${name[0]?.toLowerCase()}${name.slice(1, -'Payload'.length)}.`,
    fields: (t) => ({
      deletedId: t.id({ description: `The identifier of the ${noun} that is gone.`, resolve: (id) => id }),
    }),
  })
