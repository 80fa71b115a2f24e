// The past of a score, of a token or a wallet.
import { builder } from './builder.ts'
import { ScorePointObject } from './refs.ts'

/** Points of a history unless asked otherwise: a quarter of a year, at one a day. */
export const HISTORY = 90

builder.prismaObjectFields(ScorePointObject, (t) => ({
  time: t.expose('time', { type: 'DateTime', description: 'The time of the block.' }),
  blockNumber: t.exposeInt('blockNumber', { description: 'The number of the block.' }),
  score: t.exposeFloat('score', { description: 'The score, 0-100.' }),
  level: t.exposeString('level', { description: 'The level of that score, such as "low" or "high".' }),
}))
