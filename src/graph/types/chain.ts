// The chain that is indexed, and the block that the answer reflects.

import type { Head } from '../../ledger/head.ts'
import { type ChainRow, readChain } from '../../ledger/read/chain.ts'
import { PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'

const BlockObject = builder.objectRef<Head>('Block').implement({
  extensions: PART,
  description: 'The newest indexed block. Everything in the answer is as of this block.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'The number of the block.' }),
    hash: t.expose('hash', { type: 'Hash', description: 'The hash of the block.' }),
    time: t.expose('time', {
      type: 'DateTime',
      description: 'The time of the block. Ages and trailing windows are measured up to this time.',
    }),
  }),
})

const ChainObject = builder.objectRef<ChainRow & { head: Head }>('Chain').implement({
  description: 'The indexed chain.',
  fields: (t) => ({
    chainId: t.exposeInt('chainId', { description: 'The identifier of the chain by EIP-155.' }),
    name: t.exposeString('name', { description: 'The name of the chain.' }),
    startBlock: t.exposeInt('startBlock', { description: 'The number of the first block that was indexed.' }),
    block: t.expose('head', { type: BlockObject, description: 'The newest block that was indexed.' }),
    sourceHead: t.exposeInt('sourceHead', { description: 'The number of the newest block that the source reported.' }),
    finalizedBlock: t.exposeInt('finalized', {
      description: 'The number of the newest block that can no longer be rolled back.',
    }),
    lagBlocks: t.int({
      description: 'How many blocks the index is behind the source.',
      resolve: (chain) => Math.max(0, chain.sourceHead - chain.head.number),
    }),
    tokenCount: t.int({ description: 'How many tokens are indexed.', resolve: (chain) => chain.head.tokenCount }),
    walletCount: t.int({ description: 'How many wallets are indexed.', resolve: (chain) => chain.head.walletCount }),
    eventsSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Events before this time were deleted to save room, and no list shows or counts them. Null: all are kept.',
      resolve: (chain) => chain.head.eventsSince ?? null,
    }),
    eventCount: t.float({
      description: 'How many events are indexed.',
      resolve: (chain) => chain.head.eventCount,
    }),
  }),
})

builder.queryField('chain', (t) =>
  t.field({
    type: ChainObject,
    nullable: true,
    description: 'The indexed chain, and its newest indexed block; null before the first block.',
    resolve: async (_, __, { reading, markUncacheable }) => {
      // The source's head and the finality change between blocks too.
      markUncacheable()
      const chain = await readChain(reading)
      return chain && { ...chain, head: reading.head }
    },
  }),
)
