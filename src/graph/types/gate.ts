// The gate: whether a bot may trade a token now, with the reasons, the age of each fact and the calls that show them. A
// stale contract check is made anew before the answer. The answer is signed.
import { parseAddress } from '../../base/address.ts'
import { moveDeadline } from '../../base/deadline.ts'
import { invalid } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { GATE_ACTIONS } from '../../gate/decide.ts'
import { GATE_DECISIONS } from '../../gate/policy.ts'
import type { GraphContext } from '../context.ts'
import { asLongAs, listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { described } from '../schema/vocabulary.ts'
import { LevelRecordObject } from './accuracy.ts'
import {
  type AskedGate,
  answerGate,
  type GateAnswer,
  MOST_GATE_CALLS,
  MOST_GATE_REASONS,
  MOST_MISSING,
} from './gate-answer.ts'
import { POLICY_TEXT, RULES_TEXT, readPolicy } from './gate-policy.ts'
import { AlikeObject } from './verdict.ts'

/** The price of an answer, which may make a contract check. */
export const GATE_REQUESTS = 5
/** The longest wait for a check. */
const GATE_WITHIN_MS = 8_000
const MARGIN_MS = 7_000

const DecisionEnum = builder.enumType('GateDecision', {
  description: 'What a bot may do.',
  values: described(GATE_DECISIONS, {
    allow: 'Nothing speaks against it, and nothing is missing.',
    review: 'Somebody has to look: something is missing, or speaks against it.',
    block: 'A danger, or a rule of the policy, forbids it.',
  }),
})
const ActionEnum = builder.enumType('GateAction', {
  description: 'What a bot wants to do.',
  values: described(GATE_ACTIONS, { buy: 'It buys the token.' }),
})

const ReasonObject = builder.objectRef<GateAnswer['reasons'][number]>('GateReason').implement({
  extensions: PART,
  description: 'A rule that speaks against it.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The word of the finding, or of the rule. Text, because the set is open.',
    }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'What it leads to.' }),
    text: t.exposeString('text', { description: 'The reason with the measured size.' }),
  }),
})

const AgeObject = builder.objectRef<GateAnswer['ages'][number]>('GateAge').implement({
  extensions: PART,
  description: 'How old a fact is.',
  fields: (t) => ({
    fact: t.exposeString('fact', { description: 'The fact: `index`, `score` or `check`.' }),
    block: t.exposeInt('block', { nullable: true, description: 'The block of the fact; null: there is none.' }),
    seconds: t.exposeInt('seconds', {
      nullable: true,
      description:
        'Its age at the block of the answer, in seconds of the chain; of the index: at the time of the answer. Null: there is no such fact.',
    }),
  }),
})

const CallObject = builder.objectRef<GateAnswer['calls'][number]>('GateCall').implement({
  extensions: PART,
  description: 'A JSON-RPC call that shows a fact. Anyone can repeat it on a node with the state of its block.',
  fields: (t) => ({
    of: t.exposeString('of', { description: 'The fact: `sale`, or the name of a finding.' }),
    method: t.exposeString('method', { description: 'The method.' }),
    params: t.exposeString('params', { description: 'The parameters as JSON.' }),
    refused: t.exposeBoolean('refused', {
      nullable: true,
      description: 'Whether the contract refused it; null where the answer has the results of several steps.',
    }),
  }),
})

const GateObject = builder.objectRef<GateAnswer>('Gate').implement({
  description: 'Whether a bot may trade a token now.',
  fields: (t) => ({
    decision: t.expose('decision', { type: DecisionEnum, description: 'What the bot may do.' }),
    token: t.expose('token', { type: 'Address', description: 'The token.' }),
    action: t.expose('action', { type: ActionEnum, description: 'What the bot wants to do.' }),
    amountUsd: t.exposeFloat('amountUsd', {
      nullable: true,
      description: 'The size of its order in USD; null: of any size.',
    }),
    policy: t.exposeString('policy', { description: 'The name of the policy.' }),
    headline: t.exposeString('headline', { description: 'The conclusion of the verdict in one sentence.' }),
    reasons: t.expose('reasons', {
      type: [ReasonObject],
      extensions: listOf(MOST_GATE_REASONS),
      description: 'What speaks against it, the gravest first.',
    }),
    missing: t.exposeStringList('missing', {
      extensions: listOf(MOST_MISSING),
      description: 'What would be needed to decide. Where anything is missing, the decision is not `allow`.',
    }),
    pullChance30dPct: t.exposeFloat('pullChance30dPct', {
      nullable: true,
      description:
        "The model's estimate of the chance of a pull within 30 days, in percent: no count of tokens, which `alike` has. Null for a base asset.",
    }),
    alike: t.expose('alike', {
      type: AlikeObject,
      nullable: true,
      description: 'What became of labelled tokens of its level and age; null: there are none.',
    }),
    trackRecord: t.expose('trackRecord', {
      type: LevelRecordObject,
      description: 'What became of tokens to which this installation gave the same level. /status has all levels.',
    }),
    blockNumber: t.exposeInt('block', { description: 'The block of the facts.' }),
    timestamp: t.expose('time', { type: 'DateTime', description: 'The time of that block.' }),
    ages: t.expose('ages', { type: [AgeObject], extensions: listOf(3), description: 'How old each fact is.' }),
    calls: t.expose('calls', {
      type: [CallObject],
      extensions: listOf(MOST_GATE_CALLS),
      description: 'The calls that show what the contract check found. `assay replay` makes them again.',
    }),
    signed: t.exposeString('signed', {
      description: 'All of this as a JWS (RFC 7515) by Ed25519; /.well-known/jwks.json has the public key.',
    }),
  }),
})

export function readAmount(amountUsd: number | null): number | null {
  if (amountUsd === null || (Number.isFinite(amountUsd) && amountUsd > 0)) return amountUsd
  throw invalid([{ location: 'argument', field: 'amountUsd', message: 'amountUsd must be a number above 0' }])
}

async function gate(asked: AskedGate, context: GraphContext): Promise<GateAnswer | null> {
  const { checks, signal } = context
  const { address, policy } = asked
  moveDeadline(signal, GATE_WITHIN_MS + MARGIN_MS)
  // Before anything is read: what the answer reads knows the new check.
  await checks?.check(address, { withinMs: GATE_WITHIN_MS, freshSeconds: policy.maxCheckAgeSeconds }, signal)
  return answerGate(asked, context)
}

builder.queryFields((t) => ({
  gate: t.field({
    type: GateObject,
    nullable: true,
    description: `Whether a bot may trade a token now: it may act, has to ask, or must leave it. A stale contract check is made anew, within ${GATE_WITHIN_MS / 1_000} s. What is missing never allows. Null if the token is not indexed. It costs ${GATE_REQUESTS} requests.`,
    args: {
      token: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }),
      action: t.arg({ type: ActionEnum, defaultValue: 'buy', description: 'What the bot wants to do.' }),
      amountUsd: t.arg.float({ description: 'The size of its order in USD; left out: of any size.' }),
      policy: t.arg.string({ defaultValue: 'standard', description: POLICY_TEXT }),
      rules: t.arg.string({ description: RULES_TEXT }),
    },
    extensions: asLongAs(GATE_REQUESTS * MAX_LIMIT),
    resolve: async (_, { token, action, amountUsd, policy, rules }, context) => {
      context.markUncacheable()
      const address = parseAddress(token)
      if (!address) return null
      const name = policy ?? 'standard'
      const order = { action: action ?? ('buy' as const), amountUsd: readAmount(amountUsd ?? null) }
      return gate({ address, order, name, policy: await readPolicy(name, rules ?? '', context) }, context)
    },
  }),
}))
