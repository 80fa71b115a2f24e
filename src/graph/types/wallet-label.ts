// Labels of a wallet: what lists say of its address, beside what the index found.
import { type LabelRow, MOST_LABELS } from '../../ledger/read/label.ts'
import { listOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { WalletObject } from '../schema/refs.ts'
import { LabelKindEnum } from '../schema/vocabulary.ts'

const WalletLabelObject = builder.objectRef<LabelRow>('WalletLabel').implement({
  description: 'What a list says of an address. The operator imported it; the index did not find it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LabelKindEnum, description: 'What the address is.' }),
    name: t.exposeString('name', { description: 'The name in the list.' }),
    source: t.exposeString('source', { description: 'The list.' }),
    licence: t.exposeString('licence', { description: 'The licence of the list.' }),
    confidence: t.exposeFloat('confidence', { description: 'The confidence of the list, 0-1.' }),
    datedAt: t.expose('dated', { type: 'DateTime', description: 'The day of the list.' }),
  }),
})

builder.prismaObjectFields(WalletObject, (t) => ({
  labels: t.field({
    type: [WalletLabelObject],
    description:
      'What lists say of the address, the most confident first. They change neither its class nor its scores.',
    args: limitArgs(MOST_LABELS, MOST_LABELS),
    extensions: listOf('limit', MOST_LABELS),
    resolve: async ({ address }, { limit }, { loaders }) =>
      (await loaders.walletLabels.load(address)).slice(0, readLimit(limit, MOST_LABELS, MOST_LABELS)),
  }),
}))
