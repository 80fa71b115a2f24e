// What this installation said of tokens, and what became of them.
import { RISK_LEVELS } from '../../base/vocabulary.ts'
import { readTrackRecord, type TrackRecord } from '../../ledger/read/track-record.ts'
import {
  HORIZONS,
  JUDGED_AGES,
  type LevelRecord,
  RECORD_WEEKS,
  type RecordCell,
  tellMoves,
  toRecordCells,
} from '../../verdict/track-record.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { RiskLevelEnum } from '../schema/vocabulary.ts'
import { AlikeObject } from './verdict.ts'

const MOST_CELLS = HORIZONS.length * JUDGED_AGES.length * RISK_LEVELS.length

const RecordCellObject = builder.objectRef<RecordCell>('RecordCell').implement({
  extensions: PART,
  description: 'What became of the tokens of one level at one age, within one horizon.',
  fields: (t) => ({
    horizonDays: t.exposeInt('horizonDays', { description: 'How many days after the level was said.' }),
    ageHours: t.exposeInt('ageHours', { description: 'Their age then, in hours since their first liquidity.' }),
    level: t.expose('level', { type: RiskLevelEnum, description: 'The level that was said.' }),
    tokenCount: t.exposeInt('tokens', { description: 'How many tokens were judged.' }),
    pulledCount: t.exposeInt('pulled', {
      description: 'How many of them were pulled by then. Those pulled before are not judged.',
    }),
    pulledShare: t.exposeFloat('share', { description: 'The share of them that was pulled, 0-1.' }),
    leastShare: t.exposeFloat('from', {
      description: 'The least true share, 0-1, with a certainty of 95 % together with the largest.',
    }),
    mostShare: t.exposeFloat('to', { description: 'The largest true share, 0-1.' }),
    proven: t.exposeBoolean('proven', { description: 'Whether both lie within 15 points.' }),
    pricedCount: t.exposeInt('priced', { description: 'How many of them had a price when the level was said.' }),
    lostCount: t.exposeInt('lost', { description: 'How many of the priced ones had lost 90 % of it by then.' }),
    sellableCount: t.exposeInt('sellable', {
      description: 'How many of them a contract check had found sellable when the level was said.',
    }),
    unsellableCount: t.exposeInt('unsellable', {
      description: 'How many of the sellable ones a later check, by then, found unsellable.',
    }),
    expected: t.expose('expected', {
      type: AlikeObject,
      nullable: true,
      description: 'What the exam had. Null: it judged after 30 days alone, or had no such token.',
    }),
    moved: t.exposeBoolean('isMoved', {
      description: 'Whether the interval does not touch that of the exam: the market has moved away from the fit.',
    }),
  }),
})

export const LevelRecordObject = builder.objectRef<LevelRecord>('LevelRecord').implement({
  extensions: PART,
  description: 'What became of tokens of one level and age in this installation; `accuracy` has all of them.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The same in one sentence, or why nobody knows.' }),
    tokenCount: t.int({ description: 'How many tokens were judged.', resolve: ({ cell }) => cell?.tokens ?? 0 }),
    pulledCount: t.int({
      description: 'How many of them were pulled by then.',
      resolve: ({ cell }) => cell?.pulled ?? 0,
    }),
    pulledShare: t.float({
      nullable: true,
      description: 'The share of them that was pulled, 0-1; null: no token was judged.',
      resolve: ({ cell }) => cell?.share ?? null,
    }),
    horizonDays: t.int({
      nullable: true,
      description: 'How many days after the level was said; null: no token was judged.',
      resolve: ({ cell }) => cell?.horizonDays ?? null,
    }),
  }),
})

const AccuracyObject = builder.objectRef<TrackRecord & { cells: RecordCell[] }>('Accuracy').implement({
  extensions: PART,
  description: `What this installation said of tokens, and what became of them, over the newest ${RECORD_WEEKS} weeks that are over.`,
  fields: (t) => ({
    judgedUntil: t.expose('judgedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'The end of the newest week that was judged, a Monday at 00:00 UTC; null: none was.',
    }),
    cells: t.expose('cells', {
      type: [RecordCellObject],
      extensions: listOf(MOST_CELLS),
      description: 'By horizon and age, the lowest level first. Cells without a token are left out.',
    }),
    moves: t.stringList({
      extensions: listOf(MOST_CELLS),
      description: 'Where the market has moved away from the fit, a sentence each.',
      resolve: ({ cells }) => tellMoves(cells),
    }),
  }),
})

builder.queryField('accuracy', (t) =>
  t.field({
    type: AccuracyObject,
    description: 'What this installation said of tokens, and what became of them. docs/accuracy.md defines it.',
    resolve: async (_, __, { reading, loaders, markUncacheable }) => {
      markUncacheable()
      const [chain, record] = await Promise.all([loaders.chain.load(0), readTrackRecord(reading)])
      return { ...record, cells: chain ? toRecordCells(chain.chainId, record.sums) : [] }
    },
  }),
)
