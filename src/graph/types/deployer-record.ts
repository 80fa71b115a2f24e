// The earlier tokens of the deployer of a token, and their outcome.
import { MOST_DEPLOYED } from '../../ledger/deployer-record.ts'
import type { DeployerRecordRow, EarlierTokenRow } from '../../ledger/read/deployer-record.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { TokenObject } from '../schema/refs.ts'

/** How many earlier tokens a record lists by default. */
const EARLIER = 10

const EarlierTokenObject = builder.objectRef<EarlierTokenRow>('EarlierToken').implement({
  description: 'An earlier token of the deployer of a token.',
  fields: (t) => ({
    pulled: t.exposeBoolean('pulled', {
      description: 'Whether the deployer, or the opener of a pool, pulled its liquidity for good.',
    }),
    token: t.field({
      type: TokenObject,
      nullable: true,
      description: 'The token; null if it is no longer indexed.',
      resolve: ({ id }, _, { loaders }) => loaders.tokenById.load(id),
    }),
  }),
})

const DeployerRecordObject = builder.objectRef<DeployerRecordRow>('DeployerRecord').implement({
  description: 'The outcome of the earlier tokens of a deployer, its newest 50.',
  extensions: PART,
  fields: (t) => ({
    tokens: t.exposeInt('tokens', { description: 'How many tokens there are.' }),
    pulled: t.exposeInt('pulled', {
      description:
        'How many of them lost their liquidity for good: the deployer, or the opener of a pool, pulled it within a day.',
    }),
    funderTokens: t.exposeInt('funderTokens', {
      description:
        "How many earlier tokens, the newest 50, are of the deployer's first funder or of other wallets that it funded first. 0 if the funder is unknown, a service, or funded more than 20 wallets.",
    }),
    funderPulled: t.exposeInt('funderPulled', { description: 'How many of these lost their liquidity for good.' }),
    earlier: t.field({
      type: [EarlierTokenObject],
      description: 'Those tokens: pulled ones first, then the newest.',
      args: limitArgs(EARLIER, MOST_DEPLOYED),
      extensions: listOf('limit', MOST_DEPLOYED),
      resolve: ({ id }, { limit }, { lists }) =>
        lists.earlierTokens.load({ id, limit: readLimit(limit, EARLIER, MOST_DEPLOYED) }),
    }),
  }),
})

builder.prismaObjectField(TokenObject, 'deployerRecord', (t) =>
  t.field({
    type: DeployerRecordObject,
    nullable: true,
    description: 'The outcome of the earlier tokens of its deployer; null if the deployer is unknown.',
    resolve: (token, _, { loaders }) => loaders.deployerRecord.load(token.id),
  }),
)
