// Nouns by their identifiers, for clients that cache them. Only an API key itself finds its own alerts, webhooks and
// deliveries.
import { parseAddress } from '../../base/address.ts'
import { invalid } from '../../base/errors.ts'
import { parseEventId } from '../../base/event-id.ts'
import { readDelivery } from '../../ledger/alerts/fired.ts'
import type { GraphContext } from '../context.ts'
import { listOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { asNode, NodeInterface } from '../schema/refs.ts'

/** The most identifiers in one field. */
const MOST_IDS = 100

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const POOL = /^0x([0-9a-f]{40}|[0-9a-f]{64})(-[0-9a-fx]{1,42}-[0-9a-fx]{1,42})?$/

/** An alert or a webhook of the caller's key, or a message of one. */
async function findPrivate(id: string, context: GraphContext): Promise<object | null> {
  const { alerts, caller, database, eventWebhooks } = context
  const alert = asNode('Alert', await alerts.find(caller.keyId, id))
  if (alert) return alert
  return (
    asNode('EventWebhook', await eventWebhooks.find(caller.keyId, id)) ??
    asNode('AlertDelivery', await readDelivery(database, caller.keyId, id))
  )
}

/** The noun with the identifier; null for a malformed or unknown identifier. */
async function findNode(id: string, context: GraphContext): Promise<object | null> {
  const { loaders } = context
  if (parseEventId(id)) return asNode('Event', await loaders.eventById.load(id))
  if (UUID.test(id)) return findPrivate(id, context)
  const [kind = '', first = '', second = ''] = id.split(':', 3)
  if (kind === 'pool' && POOL.test(first)) return asNode('Pool', await loaders.poolByAddress.load(first))
  const address = parseAddress(first)
  if (address === null) return null
  if (kind === 'token') return asNode('Token', await loaders.tokenByAddress.load(address))
  if (kind === 'wallet') return asNode('Wallet', await loaders.walletByAddress.load(address))
  if (kind === 'tokenscore') return asNode('TokenScore', await loaders.tokenScoreByAddress.load(address))
  if (kind === 'walletscore') return asNode('WalletScore', await loaders.walletScoreByAddress.load(address))
  const wallet = kind === 'position' ? parseAddress(second) : null
  return wallet && asNode('Position', await loaders.position.load(`${address}:${wallet}`))
}

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description:
      'The object with this identifier: a token, wallet, score, pool, position or event, or an alert, webhook or delivery of your key. Null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier: the value of its field `id`.' }) },
    resolve: (_, { id }, context) => findNode(id, context),
  }),
  nodes: t.field({
    type: [NodeInterface],
    nullable: { list: false, items: true },
    description: 'The objects with these identifiers, in their order; null for an unknown one.',
    args: { ids: t.arg.idList({ required: true, description: `The identifiers, ${MOST_IDS} at most.` }) },
    extensions: listOf(MOST_IDS),
    resolve: (_, { ids }, context) => {
      if (ids.length > MOST_IDS)
        throw invalid([{ location: 'argument', field: 'ids', message: `ids must have ${MOST_IDS} items at most` }])
      return Promise.all(ids.map((id) => findNode(id, context)))
    },
  }),
}))
