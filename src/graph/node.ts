// Things by their identifiers, whatever they are: for clients that keep what they have read.
import { type Address, parseAddress } from '../base/address.ts'
import { invalid } from '../base/errors.ts'
import { builder } from './builder.ts'
import { listOf } from './list-size.ts'
import type { Loaders } from './loaders.ts'
import { NodeInterface } from './refs.ts'

/** Identifiers that one field can be asked for. */
const MOST_IDS = 100

/** The thing with the identifier; null for what is none, or names nothing that is indexed. */
async function findNode(id: string, loaders: Loaders) {
  const [kind = '', text = ''] = id.split(':', 2)
  const address: Address | null = parseAddress(text)
  if (address === null) return null
  if (kind === 'token') return loaders.tokenByAddress.load(address)
  return kind === 'wallet' ? loaders.walletByAddress.load(address) : null
}

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description: 'The token or wallet with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier, as its field `id` says.' }) },
    resolve: (_, { id }, { loaders }) => findNode(id, loaders),
  }),
  nodes: t.field({
    type: [NodeInterface],
    nullable: { list: false, items: true },
    description: 'The tokens and wallets with these identifiers, in their order; null for one that names nothing.',
    args: { ids: t.arg.idList({ required: true, description: `The identifiers, ${MOST_IDS} at most.` }) },
    extensions: listOf(MOST_IDS),
    resolve: (_, { ids }, { loaders }) => {
      if (ids.length > MOST_IDS)
        throw invalid([{ location: 'argument', field: 'ids', message: `ids must have ${MOST_IDS} items at most` }])
      return Promise.all(ids.map((id) => findNode(id, loaders)))
    },
  }),
}))
