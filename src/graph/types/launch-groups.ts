// The groups of wallets around the launch of a token: what each holds, held at its peak, sold, and earned.
import { toGain } from '../../base/amount.ts'
import { LAUNCH_GROUPS } from '../../ledger/launch-groups.ts'
import {
  LAUNCH_DEFINITIONS,
  LAUNCH_UNKNOWNS,
  type LaunchGroup,
  type LaunchGroups,
  type LaunchMember,
} from '../../scoring/launch-groups.ts'
import { asLongAs, CONNECTION, listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, connectionRef, implementConnection, readPlaced } from '../schema/connection.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'
import { described } from '../schema/vocabulary.ts'

/** A token's groups take as long as so many items: two statements over its first events. */
const ITEMS = 100

const dateOf = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1_000))

const LaunchGroupNameEnum = builder.enumType('LaunchGroupName', {
  description: 'A group of wallets around a launch. A wallet can be in several of them.',
  values: described(LAUNCH_GROUPS, LAUNCH_DEFINITIONS),
})

const LaunchUnknownEnum = builder.enumType('LaunchUnknown', {
  description: 'The reason why a group, or its peak and the share that it sold, are unknown.',
  values: described(LAUNCH_UNKNOWNS, {
    money: 'The token is money of the chain, which was not launched.',
    opening_unknown: 'No log shows the first liquidity, or it may be older than the index.',
    events_removed: 'The first events of the token are no longer in the database.',
    deployer_unknown: 'No log names the deployer.',
    wallet_ages_unknown: 'The token opened less than a day after the index begins, so no wallet is known to be old.',
    supply_unknown: 'The supply is unknown.',
    too_many_events: 'A wallet of the group has events beyond those that are read, the first of the token.',
    events_differ: 'The events of a wallet do not add up to its holding, as with a tax on transfers.',
    supply_shrank: 'The group held more than there is today: tokens were burned since.',
  }),
})

const LaunchWalletObject = builder.objectRef<LaunchMember>('LaunchWallet').implement({
  description: 'A wallet of a launch group.',
  fields: (t) => ({
    address: t.field({ type: 'Address', description: 'The address.', resolve: ({ wallet }) => wallet.address }),
    firstBuyAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it first bought the token; null if it did not buy during the launch.',
      resolve: ({ wallet }) => dateOf(wallet.firstBuyAt),
    }),
    heldPct: t.exposeFloat('heldPct', {
      nullable: true,
      description: 'Its share of the supply without burned tokens, in percent; null if the supply is unknown.',
    }),
    boughtUsd: t.float({
      description: 'The money spent on the token, in USD.',
      resolve: ({ wallet }) => wallet.boughtUsd,
    }),
    soldUsd: t.float({ description: 'The proceeds of its sales, in USD.', resolve: ({ wallet }) => wallet.soldUsd }),
    realisedUsd: t.float({
      nullable: true,
      description: 'The profit of its sales with a known cost, in USD; null if it sold, and no sale has a known cost.',
      resolve: ({ realisedUsd }) => realisedUsd && toGain(realisedUsd),
    }),
    wallet: t.field({
      type: WalletObject,
      description: 'The wallet behind the address.',
      resolve: ({ wallet }, _, { loaders }) => loaders.walletById.load(wallet.walletId),
    }),
  }),
})

const LaunchWalletConnection = connectionRef<LaunchMember>('LaunchWallet')
implementConnection(LaunchWalletConnection, LaunchWalletObject, { one: 'A wallet of a group', many: 'wallets' })

const LaunchGroupObject = builder.objectRef<LaunchGroup>('LaunchGroup').implement({
  description: 'A group of wallets around the launch of a token. A number is null where it cannot be known.',
  extensions: PART,
  fields: (t) => ({
    name: t.expose('name', { type: LaunchGroupNameEnum, description: 'The group.' }),
    definition: t.string({ description: 'Who belongs to it.', resolve: ({ name }) => LAUNCH_DEFINITIONS[name] }),
    unknown: t.expose('unknown', {
      type: [LaunchUnknownEnum],
      extensions: listOf(LAUNCH_UNKNOWNS.length),
      description: 'Why the group, or its peak and the share that it sold, are unknown; empty if all is known.',
    }),
    walletCount: t.int({
      nullable: true,
      description: 'How many wallets it has; null if unknown.',
      resolve: ({ members }) => members?.length ?? null,
    }),
    heldPct: t.exposeFloat('heldPct', {
      nullable: true,
      description: 'The share of the supply without burned tokens that it holds, in percent; null if unknown.',
    }),
    peakPct: t.exposeFloat('peakPct', {
      nullable: true,
      description:
        "The largest share that it held together at the end of a block, from the opening on, in percent of today's supply without burned tokens; null if unknown.",
    }),
    peakAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it first held that; null if unknown, and if it never held any.',
      resolve: ({ peakAt }) => dateOf(peakAt),
    }),
    soldPct: t.exposeFloat('soldPct', {
      nullable: true,
      description:
        "What it sold, in percent of today's supply without burned tokens; above 100 if it sold tokens again; null if unknown.",
    }),
    soldUsd: t.exposeFloat('soldUsd', {
      nullable: true,
      description: 'The proceeds of its sales, in USD; null if its wallets are unknown.',
    }),
    realisedUsd: t.float({
      nullable: true,
      description:
        'The profit of its sales with a known cost, in USD; null if its wallets are unknown, and if no sale has a known cost.',
      resolve: ({ realisedUsd }) => realisedUsd && toGain(realisedUsd),
    }),
    coverage: t.exposeFloat('coverage', {
      nullable: true,
      description:
        'The share of its proceeds with a known cost, 0-1; 1 without sales; null if its wallets are unknown.',
    }),
  }),
})

builder.objectFields(LaunchGroupObject, (t) => ({
  wallets: t.field({
    type: LaunchWalletConnection,
    args: connectionArgs,
    extensions: CONNECTION,
    description: 'Its wallets: the largest holders first, then those that sold the most; empty if unknown.',
    resolve: ({ members }, asked) =>
      readPlaced(asked, async ({ offset, limit }) => ({
        items: members?.slice(offset, offset + limit) ?? [],
        total: members?.length ?? 0,
      })),
  }),
}))

const LaunchGroupsObject = builder.objectRef<LaunchGroups>('TokenLaunchGroups').implement({
  description: 'The groups of wallets around the launch of a token.',
  extensions: PART,
  fields: (t) => ({
    openedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time of the first liquidity, from which the groups count; null if unknown.',
      resolve: ({ openedAt }) => dateOf(openedAt),
    }),
    groups: t.expose('groups', {
      type: [LaunchGroupObject],
      extensions: listOf(LAUNCH_GROUPS.length),
      description: 'The groups, always all of them.',
    }),
  }),
})

builder.prismaObjectField(TokenObject, 'launchGroups', (t) =>
  t.field({
    type: LaunchGroupsObject,
    extensions: asLongAs(ITEMS),
    description:
      'Who was there when it opened: snipers, bundlers, insiders, the developer, fresh wallets; what they hold, and what they sold.',
    resolve: (token, _, { loaders }) => loaders.launchGroups.load(token.id),
  }),
)
