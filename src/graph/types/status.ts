// The waiting work of this installation: counts for people who wonder why a score or a mail is late. No names, no
// addresses.
import { WAIT_KINDS, WAIT_SENTENCES, type Wait } from '../../base/wait.ts'
import { type Backlog, COUNTED } from '../../ledger/backlog.ts'
import { SELL_METHODS } from '../../safety/report.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { MethodEnum } from './safety.ts'

const toSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const WaitKindEnum = builder.enumType('IndexWaitKind', {
  description: 'Why the index waits.',
  values: Object.fromEntries(WAIT_KINDS.map((kind) => [kind, { description: `${toSentence(WAIT_SENTENCES[kind])}.` }])),
})

const WaitObject = builder.objectRef<Wait>('IndexWait').implement({
  extensions: PART,
  description: 'What the index waits for. Everything that is indexed is served meanwhile.',
  fields: (t) => ({
    kind: t.expose('kind', { type: WaitKindEnum, description: 'Why it waits.' }),
    sentence: t.exposeString('sentence', { description: 'The same in a sentence, as in the log.' }),
    block: t.exposeInt('block', {
      nullable: true,
      description: 'The block that it waits for; null: none in particular.',
    }),
    since: t.expose('since', { type: 'DateTime', description: 'When the wait began.' }),
  }),
})

const StatusObject = builder.objectRef<Backlog>('Status').implement({
  extensions: PART,
  description: `The waiting work of the installation, as it was a few seconds ago. Counts end at ${COUNTED}.`,
  fields: (t) => ({
    tokensDue: t.exposeInt('tokens', { description: 'How many tokens wait to be scored.' }),
    walletsDue: t.exposeInt('wallets', { description: 'How many wallets wait to be scored.' }),
    tokensUnchecked: t.exposeInt('unchecked', {
      nullable: true,
      description:
        'How many tokens wait for the first check of their contract: until then their risk may rise. Null: checks are off, or have not begun.',
    }),
    messagesWaiting: t.exposeInt('mails', {
      description: 'How many mails and calls of webhooks, of all accounts, wait for their first or next try.',
    }),
    oldestMessageSeconds: t.exposeFloat('oldestMailSeconds', {
      description: 'The age of the oldest of these in seconds; 0 when none waits.',
    }),
    messagesFailed: t.exposeInt('failed', {
      description: 'How many messages of the past day were given up or refused.',
    }),
    sourceSeenAt: t.expose('sourceSeenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the index last heard from the source of the chain; null before the first time.',
    }),
    indexWait: t.expose('waits', {
      type: WaitObject,
      nullable: true,
      description: 'What the index waits for; null: nothing.',
    }),
    swapsBlock: t.exposeInt('swapsBlock', {
      nullable: true,
      description: 'The newest of the blocks whose coverage was measured last; null before the first time.',
    }),
    swapsKnown: t.exposeInt('swapsKnown', {
      nullable: true,
      description: 'How many swaps of known exchanges these blocks have; null before the first time.',
    }),
    swapsRead: t.exposeInt('swapsRead', {
      nullable: true,
      description: 'How many of them the index read; null before the first time.',
    }),
    checkMethods: t.expose('checkMethods', {
      type: [MethodEnum],
      extensions: listOf(SELL_METHODS.length),
      description:
        'By which methods the node lets contracts be checked, best first. Empty: checks are off, or no contract was due yet.',
    }),
  }),
})

builder.queryField('status', (t) =>
  t.field({
    type: StatusObject,
    nullable: true,
    description: 'The waiting work of the installation; null if it cannot be read.',
    resolve: (_, __, { markUncacheable, backlog }) => {
      markUncacheable()
      return backlog()
    },
  }),
)
