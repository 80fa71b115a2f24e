// The verdict on a token. All sentences about its dangers render this one value.
import { FINDING_TOPICS } from '../../base/vocabulary.ts'
import type { RpcCall } from '../../safety/report.ts'
import { MOST_REASONS } from '../../scoring/reasons.ts'
import type { Alike } from '../../verdict/alike.ts'
import type { Unknown, Verdict, VerdictFinding } from '../../verdict/finding.ts'
import { tellAlike } from '../../verdict/tell-alike.ts'
import { MOST_UNKNOWN } from '../../verdict/unknown.ts'
import { listOf, PART, seriesOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { TokenObject } from '../schema/refs.ts'
import { ConfidenceEnum, described, ReasonKindEnum, RiskLevelEnum } from '../schema/vocabulary.ts'
import { RpcCallObject } from './safety.ts'

const FindingTopicEnum = builder.enumType('FindingTopic', {
  description: 'What a finding is about.',
  values: described(FINDING_TOPICS, {
    sale: 'Whether it can be bought and sold, and at what cost.',
    liquidity: 'The money in its pools, and who can take it.',
    owner: 'What somebody can do to its holders, or did.',
    maker: 'Who made it, and what they made before.',
    holders: 'Who owns it.',
    market: 'Who trades it, and how.',
    age: 'How long it has existed, and how much is known.',
  }),
})

interface ShownFinding extends VerdictFinding {
  tokenId: number
}

const VerdictFindingObject = builder.objectRef<ShownFinding>('VerdictFinding').implement({
  extensions: PART,
  description: 'One fact about a token.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: ReasonKindEnum,
      description: 'Its kind. A danger means a level of at least `high`; below it what could harm is a caution.',
    }),
    topic: t.expose('topic', { type: FindingTopicEnum, description: 'What it is about.' }),
    name: t.exposeString('name', {
      description:
        'The word of the fact: a finding of the score, or a subject of its reasons. Text, because the set is open.',
    }),
    severity: t.exposeFloat('severity', {
      description: 'The least risk that the fact alone implies, 0-100 points.',
    }),
    text: t.exposeString('text', { description: 'The fact with the measured size.' }),
    points: t.exposeFloat('points', {
      description: 'How many points the fact adds to the risk score, to two digits; negative if it lowers the score.',
    }),
    since: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a check saw it; null: it is as of the block of the score.',
      resolve: ({ since }) => (since === null ? null : new Date(since * 1_000)),
    }),
    block: t.exposeInt('block', {
      nullable: true,
      description: 'The block at which a check saw it; null: the block of the score.',
    }),
    evidence: t.field({
      type: RpcCallObject,
      nullable: true,
      description: 'The call that shows it; null for what follows from indexed rows.',
      resolve: async ({ tokenId, name, block }, _, { loaders }): Promise<RpcCall | null> => {
        if (block === null) return null
        const report = (await loaders.safety.load(tokenId))?.report
        return report?.findings.find((finding) => finding.name === name)?.call ?? null
      },
    }),
  }),
})

const UnknownObject = builder.objectRef<Unknown>('VerdictUnknown').implement({
  extensions: PART,
  description: 'Something that nobody knows about a token. It never speaks for it.',
  fields: (t) => ({
    topic: t.expose('topic', { type: FindingTopicEnum, description: 'What it is about.' }),
    text: t.exposeString('text', { description: 'What is unknown: "Who can withdraw its liquidity".' }),
  }),
})

export const AlikeObject = builder.objectRef<Alike>('AlikeTokens').implement({
  extensions: PART,
  description:
    'What became of labelled tokens of the same level, at about the same age, in the nearest market: how many were pulled, or fell by 90 % in a day, within 30 days.',
  fields: (t) => ({
    text: t.string({ description: 'The same in one sentence.', resolve: tellAlike }),
    tokenCount: t.exposeInt('tokens', { description: 'How many such tokens were judged.' }),
    pulledCount: t.exposeInt('pulled', {
      description: 'How many of them were pulled, or fell by 90 % in a day, within 30 days.',
    }),
    pulledShare: t.exposeFloat('share', { description: 'The share of them that was pulled or fell so, 0-1.' }),
    leastShare: t.exposeFloat('from', {
      description: 'The least true share, 0-1, with a certainty of 95 % together with the largest.',
    }),
    mostShare: t.exposeFloat('to', { description: 'The largest true share, 0-1.' }),
    proven: t.exposeBoolean('proven', {
      description: 'Whether both lie within 15 points. A level that is not proven promises nothing.',
    }),
    ageHours: t.exposeFloat('ageHours', { description: 'Their age when they were judged, in hours.' }),
  }),
})

const VerdictObject = builder.objectRef<Verdict & { tokenId: number; alike: Alike | null }>('Verdict').implement({
  extensions: PART,
  description: 'The verdict on a token. Reasons, summary, messages and pages render it.',
  fields: (t) => ({
    level: t.expose('level', { type: RiskLevelEnum, description: 'The level of the risk.' }),
    headline: t.exposeString('headline', {
      description: 'One sentence, 90 characters at most. It concludes, and repeats no finding.',
    }),
    findings: t.field({
      type: [VerdictFindingObject],
      args: limitArgs(MOST_REASONS, MOST_REASONS),
      extensions: seriesOf('limit', MOST_REASONS),
      description: 'The facts, those that matter most first: dangers, and what happened before what may happen.',
      resolve: ({ findings, tokenId }, { limit }) =>
        findings.slice(0, readLimit(limit, MOST_REASONS, MOST_REASONS)).map((finding) => ({ ...finding, tokenId })),
    }),
    unknown: t.expose('unknown', {
      type: [UnknownObject],
      extensions: listOf(MOST_UNKNOWN),
      description: 'What nobody knows, the gravest first.',
    }),
    alike: t.expose('alike', {
      type: AlikeObject,
      nullable: true,
      description:
        'What became of tokens like it. Null: no such token was labelled, it never had liquidity, it was pulled already, or nobody judges it.',
    }),
    confidence: t.expose('confidence', { type: ConfidenceEnum, description: 'How sure the verdict is.' }),
    checkedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time of the contract check that it rests on; null without one.',
      resolve: ({ checkedAt }) => (checkedAt === null ? null : new Date(checkedAt * 1_000)),
    }),
  }),
})

builder.prismaObjectField(TokenObject, 'verdict', (t) =>
  t.field({
    type: VerdictObject,
    nullable: true,
    description: 'The verdict on it, of its newest score; null before the first score.',
    resolve: async ({ id }, _, { loaders }) => {
      const { verdict } = await loaders.verdict.load(id)
      return verdict && { ...verdict, tokenId: id }
    },
  }),
)
