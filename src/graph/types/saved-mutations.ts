// The mutations of saved filters, and their payloads: objects of their own, so that they can have more fields than the
// saved filter.
import type { InputRef, ObjectRef } from '@pothos/core'
import type { GraphContext } from '../context.ts'
import { PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { type Shown, type savedResolvers, shownSecretOf } from './saved-filter.ts'

type Types = typeof builder.$inferSchemaTypes

/** The answer of a mutation of a saved filter. `shown`: the mutation may make a secret. */
function declarePayload(
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
          description: 'The secret that signs the messages of its webhook, shown only here; null without a webhook.',
          resolve: shownSecretOf,
        }),
      }),
    }),
  })
}

/** The answer of a mutation that deletes. */
const declareDeletePayload = (name: string, noun: string) =>
  builder.objectRef<string>(name).implement({
    extensions: PART,
    description: `The answer of the mutation ${name[0]?.toLowerCase()}${name.slice(1, -'Payload'.length)}.`,
    fields: (t) => ({
      deletedId: t.id({ description: `The identifier of the deleted ${noun}.`, resolve: (id) => id }),
    }),
  })

type Resolve<Args, Answer> = (root: unknown, args: Args, context: GraphContext) => Promise<Answer>

interface Saved<Create, Update> {
  /** The type, after which the mutations are named. */
  name: 'Alert' | 'EventWebhook'
  object: ObjectRef<Types, unknown>
  /** The noun in texts. */
  noun: string
  inputs: { create: InputRef<Create>; update: InputRef<Update> }
  texts: Record<'create' | 'update' | 'rotate' | 'remove', string>
  resolvers: {
    create: Resolve<{ input: Create }, Shown>
    update: Resolve<{ id: string; input: Update }, Shown>
  }
  saved: Pick<ReturnType<typeof savedResolvers>, 'rotateSecret' | 'remove'>
}

/** Declares the mutations. */
export function declareMutations<Create, Update>(given: Saved<Create, Update>): void {
  const { name, object, noun, inputs, texts, resolvers, saved } = given
  const field = `${name[0]?.toLowerCase()}${name.slice(1)}`
  const shown = { field, type: object, text: `The ${noun}` }
  builder.mutationFields((t) => {
    const named = { id: t.arg.id({ required: true, description: `The identifier of the ${noun}.` }) }
    const inputOf = (type: InputRef<unknown>, description: string) => ({
      input: t.arg({ type: type as never, required: true, description }),
    })
    return {
      [`${field}Create`]: t.field({
        type: declarePayload(`${name}CreatePayload`, shown, true),
        description: texts.create,
        args: inputOf(inputs.create, `The ${noun}.`),
        resolve: resolvers.create as never,
      }),
      [`${field}Update`]: t.field({
        type: declarePayload(`${name}UpdatePayload`, shown, false),
        description: texts.update,
        args: { ...named, ...inputOf(inputs.update, 'What to change.') },
        resolve: resolvers.update as never,
      }),
      [`${field}SecretRotate`]: t.field({
        type: declarePayload(`${name}SecretRotatePayload`, shown, true),
        description: texts.rotate,
        args: named,
        resolve: ((_, { id }, context) => saved.rotateSecret(id, context)) satisfies Resolve<
          { id: string },
          Shown
        > as never,
      }),
      [`${field}Delete`]: t.field({
        type: declareDeletePayload(`${name}DeletePayload`, noun),
        description: texts.remove,
        args: named,
        resolve: ((_, { id }, context) => saved.remove(id, context)) satisfies Resolve<{ id: string }, string> as never,
      }),
    }
  })
}
