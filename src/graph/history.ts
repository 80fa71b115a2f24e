// The past of a score, of a token or a wallet.
import { builder } from './builder.ts'
import { ScorePointObject } from './refs.ts'

/** Points of a history unless asked otherwise: a quarter of a year, at one a day. */
export const HISTORY = 90

builder.prismaObjectFields(ScorePointObject, (t) => ({
  time: t.expose('time', { type: 'DateTime' }),
  blockNumber: t.exposeInt('blockNumber'),
  score: t.exposeFloat('score'),
  level: t.exposeString('level'),
}))
