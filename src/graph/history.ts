// Earlier scores of a token or wallet.
import { builder } from './builder.ts'
import { ScorePointObject } from './refs.ts'

/** How many earlier scores are listed by default: a quarter of a year, with one a day. */
export const HISTORY = 90

builder.prismaObjectFields(ScorePointObject, (t) => ({
  time: t.expose('time', { type: 'DateTime' }),
  blockNumber: t.exposeInt('blockNumber'),
  score: t.exposeFloat('score'),
  level: t.exposeString('level'),
}))
