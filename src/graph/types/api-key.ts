// The API keys of the caller's account: list, make, rename, rotate, revoke. A secret is shown only by the answer that
// made it. Keys of other accounts are treated as missing.
import { ROTATION_OVERLAP_HOURS } from '../../access/keyring.ts'
import { MAX_KEYS, MAX_KEYS_A_DAY, type ShownKey } from '../../access/own-keys.ts'
import { checkName } from '../../base/alert.ts'
import { invalid } from '../../base/errors.ts'
import type { OwnKey } from '../../ledger/account/own-key.ts'
import { CONNECTION, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, connectionRef, implementConnection, readPlaced } from '../schema/connection.ts'
import { inputFault, NAME_TEXT } from './saved-filter.ts'

/** How long an old secret may keep working. */
export const MAX_OVERLAP_HOURS = 168

const ApiKeyObject = builder.objectRef<OwnKey>('ApiKey').implement({
  description: 'An API key of your account that works. Its secret cannot be read again.',
  fields: (t) => ({
    id: t.id({ description: 'The identifier, which a rotation keeps.', resolve: ({ id }) => String(id) }),
    name: t.exposeString('name', { description: 'The label that the owner chose.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of its newest secret.' }),
    lastFour: t.exposeString('lastFour', { description: 'The last four characters of its newest secret.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, exact to a minute; null if it never was.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends by itself, as the key of a sign-in does; null if it does not.',
    }),
    isCurrent: t.boolean({
      description: 'Whether it is the key of this request.',
      resolve: ({ id }, _, { caller }) => id === caller.keyId,
    }),
  }),
})

const ApiKeyConnection = connectionRef<OwnKey>('ApiKey')
implementConnection(ApiKeyConnection, ApiKeyObject, { one: 'An API key', many: 'API keys' })

const nameField = { required: true, description: NAME_TEXT } as const
const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A new API key.',
  fields: (t) => ({ name: t.string(nameField) }),
})
const UpdateApiKeyInput = builder.inputType('UpdateApiKeyInput', {
  description: 'A change of an API key.',
  fields: (t) => ({ name: t.string(nameField) }),
})
const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'A rotation of an API key.',
  fields: (t) => ({
    overlapHours: t.int({
      defaultValue: ROTATION_OVERLAP_HOURS,
      description: `How many hours the old secret keeps working, from 0 to ${MAX_OVERLAP_HOURS}. With 0 it stops at once.`,
    }),
  }),
})

/** The answer of a mutation that makes a secret. */
const declareShown = (name: 'ApiKeyCreatePayload' | 'ApiKeyRotatePayload', mutation: string) =>
  builder.objectRef<ShownKey>(name).implement({
    extensions: PART,
    description: `The answer of the mutation ${mutation}.`,
    fields: (t) => ({
      apiKey: t.expose('key', { type: ApiKeyObject, description: 'The API key.' }),
      key: t.exposeString('secret', { description: 'The secret to send as API key. Only this answer shows it.' }),
    }),
  })

const UpdatePayload = builder.objectRef<OwnKey>('ApiKeyUpdatePayload').implement({
  extensions: PART,
  description: 'The answer of the mutation apiKeyUpdate.',
  fields: (t) => ({
    apiKey: t.field({ type: ApiKeyObject, description: 'The API key.', resolve: (key) => key }),
  }),
})

const RevokePayload = builder.objectRef<string>('ApiKeyRevokePayload').implement({
  extensions: PART,
  description: 'The answer of the mutation apiKeyRevoke.',
  fields: (t) => ({
    revokedId: t.id({ description: 'The identifier of the revoked API key.', resolve: (id) => id }),
  }),
})

function readName(given: string): string {
  const checked = checkName(given)
  if ('fault' in checked) throw invalid([inputFault('name', checked.fault)])
  return checked.name
}

function readOverlap(given: number | null | undefined): number {
  const hours = given ?? ROTATION_OVERLAP_HOURS
  if (hours < 0 || hours > MAX_OVERLAP_HOURS)
    throw invalid([inputFault('overlapHours', `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)])
  return hours
}

const ID_TEXT = 'The identifier of the API key.'

builder.queryFields((t) => ({
  apiKeys: t.field({
    type: ApiKeyConnection,
    description: 'The API keys of your account that work, newest first.',
    args: connectionArgs,
    extensions: CONNECTION,
    resolve: (_, asked, { ownKeys, caller }) => readPlaced(asked, (page) => ownKeys.list(caller.accountId, page)),
  }),
  apiKey: t.field({
    type: ApiKeyObject,
    nullable: true,
    description: 'One API key of your account; null if the account has no key with this identifier that works.',
    args: { id: t.arg.id({ required: true, description: ID_TEXT }) },
    resolve: (_, { id }, { ownKeys, caller }) => ownKeys.find(caller.accountId, id),
  }),
}))

builder.mutationFields((t) => {
  const id = { id: t.arg.id({ required: true, description: ID_TEXT }) }
  return {
    apiKeyCreate: t.field({
      type: declareShown('ApiKeyCreatePayload', 'apiKeyCreate'),
      description: `Makes an API key for your account, on its plan. Fails with FORBIDDEN if the account has ${MAX_KEYS} keys, or made ${MAX_KEYS_A_DAY} in 24 hours.`,
      args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The API key.' }) },
      resolve: (_, { input }, { ownKeys, caller }) => ownKeys.create(caller.accountId, readName(input.name)),
    }),
    apiKeyUpdate: t.field({
      type: UpdatePayload,
      description: 'Renames an API key of your account. Fails with NOT_FOUND if the account has no such key.',
      args: { ...id, input: t.arg({ type: UpdateApiKeyInput, required: true, description: 'What to change.' }) },
      resolve: (_, { id: key, input }, { ownKeys, caller }) =>
        ownKeys.rename(caller.accountId, key, readName(input.name)),
    }),
    apiKeyRotate: t.field({
      type: declareShown('ApiKeyRotatePayload', 'apiKeyRotate'),
      description:
        'Gives an API key a new secret under the same identifier, so its alerts stay. Fails with NOT_FOUND if the account has no such key, and with FORBIDDEN if the key ends by itself.',
      args: { ...id, input: t.arg({ type: RotateApiKeyInput, required: true, description: 'How to rotate it.' }) },
      resolve: (_, { id: key, input }, { ownKeys, caller }) =>
        ownKeys.rotate(caller.accountId, key, readOverlap(input.overlapHours)),
    }),
    apiKeyRevoke: t.field({
      type: RevokePayload,
      description:
        'Revokes an API key of your account for good; every process refuses it within seconds. Its alerts are paused, and go to the next key that the account makes: rotate it instead to keep them active. Fails with NOT_FOUND if the account has no such key.',
      args: id,
      resolve: async (_, { id: key }, { ownKeys, caller }) => {
        await ownKeys.revoke(caller.accountId, key)
        return key
      },
    }),
  }
})
