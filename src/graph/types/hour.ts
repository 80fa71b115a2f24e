// Hours in which a token traded.
import { builder } from '../schema/builder.ts'
import { HourObject } from '../schema/refs.ts'

builder.prismaObjectFields(HourObject, (t) => ({
  start: t.field({ type: 'DateTime', description: 'When the hour begins.', resolve: (hour) => hour.start }),
  openUsd: t.exposeFloat('openUsd'),
  highUsd: t.exposeFloat('highUsd'),
  lowUsd: t.exposeFloat('lowUsd'),
  closeUsd: t.exposeFloat('closeUsd'),
  volumeUsd: t.float({ description: 'The volume of the hour in USD.', resolve: (hour) => hour.volumeUsd }),
  buyCount: t.exposeInt('buyCount'),
  sellCount: t.exposeInt('sellCount'),
  liquidityUsd: t.exposeFloat('liquidityUsd'),
  holderCount: t.exposeInt('holderCount'),
}))
