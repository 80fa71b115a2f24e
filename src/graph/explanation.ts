// How a score came about: everything that is needed to compute it again.
import { builder } from './builder.ts'
import { listOf, PART } from './list-size.ts'
import {
  ContributionObject,
  DimensionObject,
  ExplanationObject,
  FloorObject,
  InputObject,
  ReasonObject,
} from './refs.ts'

/** Most of each part of an explanation; a test holds the scores to it. */
export const MOST_PARTS = { dimensions: 8, inputs: 8, contributions: 8, floors: 10, confidenceReasons: 16 }

builder.objectType(InputObject, {
  description: 'One measured input of a dimension.',
  extensions: PART,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What was measured.' }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'The measurement, to six digits, in the unit that docs/scores.md names; null when it is not known.',
    }),
    points: t.exposeFloat('points', {
      description: 'The points for it, 0-100; when it is not known, those that say nothing.',
    }),
    weight: t.exposeFloat('weight', { description: 'The weight of the input in its dimension.' }),
    contribution: t.exposeFloat('contribution', { description: 'The points times the weight.' }),
  }),
})

builder.objectType(DimensionObject, {
  description: 'A subject of a score.',
  extensions: PART,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The subject.' }),
    value: t.exposeFloat('value', {
      description:
        'The sum of the contributions, 0-100: for a token 100 is the most risk, for a wallet 100 is the best.',
    }),
    inputs: t.field({
      type: [InputObject],
      extensions: listOf(MOST_PARTS.inputs),
      description: 'The inputs, in the order in which they are added.',
      resolve: (dimension) => dimension.inputs,
    }),
  }),
})

builder.objectType(ContributionObject, {
  description: 'One summand of the composite.',
  extensions: PART,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The dimension that is added.' }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'Its value in points, 0-100; null when it is not known.',
    }),
    weight: t.exposeFloat('weight', { description: 'Its weight.' }),
    contribution: t.exposeFloat('contribution', { description: 'What it adds to the composite.' }),
  }),
})

builder.objectType(ReasonObject, {
  description: 'Why a risk is what it is, for people.',
  extensions: PART,
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'Plain words with the size of what was measured: "one wallet can withdraw 94 % of the liquidity".',
    }),
    points: t.exposeInt('points', { description: 'How many points it adds to the risk score; below 0 it takes away.' }),
    dimension: t.exposeString('dimension', {
      description: 'The dimension of `score { explanation }` that it belongs to, such as "liquidity" or "activity".',
    }),
  }),
})

builder.objectType(FloorObject, {
  description: 'A finding that does not let the score fall below a number.',
  extensions: PART,
  fields: (t) => ({
    reason: t.exposeString('reason', { description: 'The finding.' }),
    atLeast: t.exposeFloat('atLeast', { description: 'The number, 0-100.' }),
  }),
})

builder.objectType(ExplanationObject, {
  extensions: PART,
  description:
    'How a score came about: score = round(max(floors, prior + (composite - prior) x evidence / (evidence + evidenceHalf)), 2 digits), where composite = clamp(intercept + sum of contributions, 0, 100), or with the link "logistic" 100 / (1 + e^-(that sum)).',
  fields: (t) => ({
    block: t.exposeInt('block', { description: 'The number of the block that the facts are of.' }),
    hour: t.exposeString('hour', {
      description: 'The time of that block floored to the hour, ISO 8601: what every age and window is measured from.',
    }),
    dimensions: t.field({
      type: [DimensionObject],
      extensions: listOf(MOST_PARTS.dimensions),
      description: 'The dimensions with their inputs.',
      resolve: (explanation) => explanation.dimensions,
    }),
    link: t.exposeString('link', { description: 'How the sum becomes the composite: "identity" or "logistic".' }),
    intercept: t.exposeFloat('intercept', { description: 'What the sum starts from, in points.' }),
    contributions: t.field({
      type: [ContributionObject],
      extensions: listOf(MOST_PARTS.contributions),
      description: 'The summands of the composite, in the order in which they are added.',
      resolve: (explanation) => explanation.contributions,
    }),
    composite: t.exposeFloat('composite', {
      description: 'The weighted composite, 0-100, before the evidence counts.',
    }),
    prior: t.exposeFloat('prior', { description: 'What a score without any evidence is, 0-100.' }),
    evidence: t.exposeFloat('evidence', {
      description: 'How much evidence there is; of a token its swaps without wash, additions and removals.',
    }),
    evidenceHalf: t.exposeFloat('evidenceHalf', {
      description: 'How much evidence is worth as much as the prior; 0 when the score is not shrunk.',
    }),
    floors: t.field({
      type: [FloorObject],
      extensions: listOf(MOST_PARTS.floors),
      description: 'The floors that apply; the highest counts.',
      resolve: (explanation) => explanation.floors,
    }),
    score: t.exposeFloat('score', { description: 'The score that comes out, 0-100.' }),
    confidenceReasons: t.exposeStringList('confidenceReasons', {
      extensions: listOf(MOST_PARTS.confidenceReasons),
      description: 'Why the confidence is what it is, such as "few_trades" or "transfers_without_cost".',
    }),
  }),
})
