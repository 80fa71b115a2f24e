// How a score was computed, with all values that a recomputation needs.
import { CONFIDENCE_GAPS } from '../../base/vocabulary.ts'
import { MOST_REASONS } from '../../scoring/reasons.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import {
  ContributionObject,
  DimensionObject,
  ExplanationObject,
  FloorObject,
  InputObject,
  ReasonObject,
} from '../schema/refs.ts'
import {
  ConfidenceGapEnum,
  described,
  ReasonKindEnum,
  RiskDimensionEnum,
  ScoreFindingEnum,
} from '../schema/vocabulary.ts'

/** The words in the order of the set. */
const toGaps = (words: readonly string[]) => CONFIDENCE_GAPS.filter((gap) => words.includes(gap))

/** How many parts of each kind an explanation has at most. A test checks this for all scores. */
export const MOST_PARTS = { dimensions: 9, inputs: 13, contributions: 8, floors: 35, confidenceReasons: 16 }

builder.objectType(InputObject, {
  description: 'One measured input of a dimension.',
  extensions: PART,
  fields: (t) => ({
    name: t.exposeString('name', {
      description:
        'The measured input; docs/scores.md lists the words. Text, because the set is open: a newly fitted model measures other inputs, and a score keeps the words of its model.',
    }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'The measured value, to six digits, in the unit that docs/scores.md names; null if unknown.',
    }),
    points: t.exposeFloat('points', {
      description: 'The points for the value, 0-100; neutral points for an unknown value.',
    }),
    weight: t.exposeFloat('weight', { description: 'The weight of the input in its dimension.' }),
    contribution: t.exposeFloat('contribution', { description: 'The points times the weight.' }),
  }),
})

builder.objectType(DimensionObject, {
  description: 'A subject of a score.',
  extensions: PART,
  fields: (t) => ({
    name: t.exposeString('name', {
      description:
        'The name of the dimension. Text, because the set is open: tokens and wallets have other dimensions, and a score keeps those of its model.',
    }),
    value: t.exposeFloat('value', {
      description:
        'The sum of the contributions, 0-100: for a token 100 is the most risk, for a wallet 100 is the best.',
    }),
    inputs: t.expose('inputs', {
      type: [InputObject],
      extensions: listOf(MOST_PARTS.inputs),
      description: 'The inputs, in the order in which their contributions are added.',
    }),
  }),
})

builder.objectType(ContributionObject, {
  description: 'One summand of the composite.',
  extensions: PART,
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The dimension that is added, by its `name`, which is text for the same reason.',
    }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'The value of the dimension in points, 0-100; null if unknown.',
    }),
    weight: t.exposeFloat('weight', { description: 'The weight of the dimension.' }),
    contribution: t.exposeFloat('contribution', {
      description: 'The points that the dimension adds to the composite.',
    }),
  }),
})

builder.objectType(ReasonObject, {
  description: 'A reason for a risk score: one fact in plain words.',
  extensions: PART,
  fields: (t) => ({
    kind: t.expose('kind', { type: ReasonKindEnum, description: 'The kind of the fact.' }),
    text: t.exposeString('text', {
      description: 'The fact, with the measured size: "Liquidity $7.1k, unlocked: 0xa932...51d7 can withdraw 100 %".',
    }),
    points: t.exposeFloat('points', {
      description: 'How many points the fact adds to the risk score, to two digits; negative if it lowers the score.',
    }),
    dimension: t.expose('dimension', {
      type: RiskDimensionEnum,
      description: 'The dimension of `score { explanation }` that the reason belongs to.',
    }),
  }),
})

builder.objectType(FloorObject, {
  description: 'A finding that keeps the score from falling below a number.',
  extensions: PART,
  fields: (t) => ({
    finding: t.expose('reason', { type: ScoreFindingEnum, description: 'What was found.' }),
    atLeast: t.exposeFloat('atLeast', { description: 'The number, 0-100.' }),
  }),
})

const LinkFunctionEnum = builder.enumType('LinkFunction', {
  description: 'How a sum of points becomes a composite of 0-100.',
  values: described(['identity', 'logistic'], {
    identity: 'The sum, kept within 0-100.',
    logistic: 'The logistic function: 100 / (1 + e^-sum).',
  }),
})

builder.objectType(ExplanationObject, {
  extensions: PART,
  description:
    'How a score was computed: composite = clamp(intercept + sum of contributions, 0, 100), or with the link "logistic" 100 / (1 + e^-(that sum)). A floor lifts a composite below the end of its level, which is 30, 50, 65 or 100. The lifted score is floor + (end - floor) x composite / end. The highest of all is the score, rounded to 2 digits.',
  fields: (t) => ({
    block: t.exposeInt('block', { description: 'The number of the block of the facts.' }),
    measuredAt: t.field({
      type: 'DateTime',
      description:
        'The time of that block floored to the hour. Ages and windows of several days are measured from here.',
      resolve: ({ hour }) => new Date(hour),
    }),
    dimensions: t.expose('dimensions', {
      type: [DimensionObject],
      extensions: listOf(MOST_PARTS.dimensions),
      description: 'The dimensions with their inputs.',
    }),
    link: t.expose('link', { type: LinkFunctionEnum, description: 'How the sum becomes the composite.' }),
    intercept: t.exposeFloat('intercept', { description: 'The start value of the sum, in points.' }),
    contributions: t.expose('contributions', {
      type: [ContributionObject],
      extensions: listOf(MOST_PARTS.contributions),
      description: 'The summands of the composite, in the order in which they are added.',
    }),
    composite: t.exposeFloat('composite', {
      description: 'The weighted composite, 0-100, before the floors lift it.',
    }),
    evidence: t.exposeFloat('evidence', {
      description:
        'The number of pieces of evidence: for a token, its swaps without wash trades, additions and removals.',
    }),
  }),
})

// The floors, the reasons and the result.
builder.objectFields(ExplanationObject, (t) => ({
  floors: t.field({
    type: [FloorObject],
    extensions: listOf(MOST_PARTS.floors),
    description: 'The floors that apply. The one that lifts the most counts.',
    resolve: (explanation) => explanation.floors,
  }),
  base: t.exposeFloat('base', {
    nullable: true,
    description:
      'The score of a token without any known fact. With the points of all reasons it makes the score exactly. Null for a wallet.',
  }),
  reasons: t.field({
    type: [ReasonObject],
    extensions: listOf(MOST_REASONS),
    description:
      'The reasons why the score differs from `base`, one fact each, dangers first. The last line sums the small ones. Empty for a wallet.',
    resolve: (explanation) => explanation.reasons,
  }),
  pullChance30dPct: t.exposeFloat('pullChance30dPct', {
    nullable: true,
    description:
      "The model's estimate of the chance of a pull within 30 days, in percent: no count of tokens, which `verdict { alike }` has. Null for a base asset and for a wallet.",
  }),
  score: t.exposeFloat('score', { description: 'The resulting score, 0-100.' }),
  confidenceGaps: t.field({
    type: [ConfidenceGapEnum],
    extensions: listOf(MOST_PARTS.confidenceReasons),
    description: 'The gaps in the evidence; closing them raises the confidence.',
    resolve: ({ confidenceReasons }) => toGaps(confidenceReasons),
  }),
}))
