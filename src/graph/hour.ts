// Hours: when a token traded.
import { builder } from './builder.ts'
import { HourObject } from './refs.ts'

builder.prismaObjectFields(HourObject, (t) => ({
  start: t.field({ type: 'DateTime', description: 'The first moment of the hour.', resolve: (hour) => hour.start }),
  openUsd: t.exposeFloat('openUsd', { description: 'The first price in USD.' }),
  highUsd: t.exposeFloat('highUsd', { description: 'The highest price in USD.' }),
  lowUsd: t.exposeFloat('lowUsd', { description: 'The lowest price in USD.' }),
  closeUsd: t.exposeFloat('closeUsd', { description: 'The last price in USD.' }),
  volumeUsd: t.float({ description: 'The volume in USD.', resolve: (hour) => hour.volumeUsd }),
  buyCount: t.exposeInt('buyCount', { description: 'How many swaps bought it.' }),
  sellCount: t.exposeInt('sellCount', { description: 'How many swaps sold it.' }),
  liquidityUsd: t.exposeFloat('liquidityUsd', { description: 'The liquidity at the close in USD.' }),
  holderCount: t.exposeInt('holderCount', { description: 'The number of holders at the close.' }),
}))
