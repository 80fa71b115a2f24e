// What the gate would have said of the past month's new tokens, beside what became of them.
import { createGateBacktest, type PastDecision } from '../../alerts/gate-backtest.ts'
import { invalid } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import type { GatePolicy } from '../../gate/policy.ts'
import { untestedRules } from '../../gate/rules.ts'
import { BEFORE_HISTORY, HISTORY_DAYS, readHistoryRows } from '../../ledger/alerts/history.ts'
import { readPulled } from '../../ledger/alerts/outcomes.ts'
import { readNamedTokens } from '../../ledger/alerts/trades.ts'
import type { GraphContext } from '../context.ts'
import { asLongAs, listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { BACKTEST_REQUESTS } from './backtest.ts'
import { readAmount } from './gate.ts'
import { POLICY_TEXT, RULES_TEXT, readPolicy } from './gate-policy.ts'

const HOUR_MS = 3_600_000
export const MOST_AGE_HOURS = 24
const MOST_MS = (HISTORY_DAYS - 1) * 24 * HOUR_MS

/** What no past block has; the rules that need it are added. */
const NOT_KEPT = [
  'How grave a finding was, so no caution by its severity and no rule by topic or kind',
  'Findings that are neither a risk flag nor the sale of the contract check',
  'What nobody knew of the token',
  'Whether a check that was made anew would have said otherwise',
] as const
const MOST_UNTESTED = 50

interface Counts {
  tokens: number
  blocked: number
  reviewed: number
  undecided: number
}

interface Answer {
  from: Date
  to: Date
  ageHours: number
  sinceMs: number | null
  exactSinceMs: number | null
  pulled: Counts
  others: Counts
  pulledBefore: number
  tooYoung: number
  untested: string[]
}

const count = (decisions: readonly PastDecision[]): Counts => {
  const of = (asked: PastDecision) => decisions.filter((decision) => decision === asked).length
  return { tokens: decisions.length, blocked: of('block'), reviewed: of('review'), undecided: of(null) }
}

const tell = ({ tokens, blocked, reviewed, undecided }: Counts, what: string): string =>
  `of ${tokens} that ${what}, it blocks ${blocked}, reviews ${reviewed} and leaves ${undecided} undecided`

function summarise({ sinceMs, ageHours, pulled, others }: Answer): string {
  if (sinceMs === null) return 'Nothing is known yet: no facts of past blocks are kept.'
  const at = `Asked at an age of ${ageHours} h: `
  return `${at}${tell(pulled, 'were pulled since')}; ${tell(others, 'were not')}.`
}

const CountsObject = builder.objectRef<Counts>('GateCounts').implement({
  extensions: PART,
  description: 'How many tokens a policy would have stopped.',
  fields: (t) => ({
    tokens: t.exposeInt('tokens', { description: 'How many tokens.' }),
    blocked: t.exposeInt('blocked', { description: 'How many it would have blocked.' }),
    reviewed: t.exposeInt('reviewed', {
      description: 'How many it would have reviewed, those without a contract check by then included.',
    }),
    undecided: t.exposeInt('undecided', {
      description: 'How many no kept fact speaks against. Others are not kept, so none of them counts as allowed.',
    }),
  }),
})

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const BacktestObject = builder.objectRef<Answer>('GateBacktest').implement({
  extensions: PART,
  description: "What the gate would have said of the past month's new tokens, beside what became of them.",
  fields: (t) => ({
    summary: t.string({ description: 'The conclusion in one sentence.', resolve: summarise }),
    from: t.expose('from', { type: 'DateTime', description: 'The beginning: tokens that were made from then on.' }),
    to: t.expose('to', { type: 'DateTime', description: 'The end: tokens that were made up to then.' }),
    ageHours: t.exposeInt('ageHours', { description: 'The age in hours at which each token is asked about.' }),
    keptSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time from which the facts of tokens are kept; null when there are none yet.',
      resolve: ({ sinceMs }) => toDate(sinceMs),
    }),
    exactSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The time from which the facts are kept at each block; null when never. Before it, a token is asked about at the end of a day.',
      resolve: ({ exactSinceMs }) => toDate(exactSinceMs),
    }),
    pulled: t.expose('pulled', { type: CountsObject, description: 'Tokens that were pulled since.' }),
    others: t.expose('others', { type: CountsObject, description: 'Tokens that were not pulled so far.' }),
    pulledBeforeCount: t.exposeInt('pulledBefore', {
      description: 'How many were pulled before they were asked about. They are in no count.',
    }),
    tooYoungCount: t.exposeInt('tooYoung', { description: 'How many have not reached the age. They are in no count.' }),
    untested: t.exposeStringList('untested', {
      extensions: listOf(MOST_UNTESTED),
      description: 'What cannot be tested in the past: it may have stopped more tokens.',
    }),
  }),
})

interface Question {
  policy: GatePolicy
  amountUsd: number | null
  ageHours: number
}

async function run({ policy, amountUsd, ageHours }: Question, { reading }: GraphContext): Promise<Answer> {
  const nowMs = reading.head.time.getTime()
  const [fromMs, toMs] = [nowMs - MOST_MS, nowMs]
  const addresses = await readNamedTokens(reading.queryPrimary, policy.conditions.tokens ?? [])
  const backtest = createGateBacktest({ policy, amountUsd, fromMs, toMs, ageMs: ageHours * HOUR_MS, addresses })
  for (let after = BEFORE_HISTORY; ; ) {
    const rows = await readHistoryRows(reading.queryPrimary, after, toMs)
    for (const row of rows) backtest.add(row)
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  const { answers, ...rest } = backtest.result(nowMs)
  const pulled = await readPulled(
    reading.queryPrimary,
    answers.map(({ tokenId }) => tokenId),
  )
  const decisionsOf = (isPulled: boolean) =>
    answers.filter(({ tokenId }) => pulled.get(tokenId) === isPulled).map(({ decision }) => decision)
  return {
    ...rest,
    from: new Date(fromMs),
    to: new Date(toMs),
    ageHours,
    pulled: count(decisionsOf(true)),
    others: count(decisionsOf(false)),
    untested: [...NOT_KEPT, ...untestedRules(policy.findings)],
  }
}

function readAge(ageHours: number): number {
  if (ageHours >= 1 && ageHours <= MOST_AGE_HOURS) return ageHours
  const message = `ageHours must be an integer from 1 to ${MOST_AGE_HOURS}`
  throw invalid([{ location: 'argument', field: 'ageHours', message }])
}

builder.queryFields((t) => ({
  gateBacktest: t.field({
    type: BacktestObject,
    description: `What the gate would have said of the past month's new tokens, each asked about once at an age, beside what became of them. Costs ${BACKTEST_REQUESTS} requests.`,
    args: {
      amountUsd: t.arg.float({ description: 'The size of each order in USD; left out: of any size.' }),
      policy: t.arg.string({ defaultValue: 'standard', description: POLICY_TEXT }),
      rules: t.arg.string({ description: RULES_TEXT }),
      ageHours: t.arg.int({
        defaultValue: 1,
        description: `The age in hours at which each token is asked about, 1 to ${MOST_AGE_HOURS}.`,
      }),
    },
    extensions: asLongAs(BACKTEST_REQUESTS * MAX_LIMIT),
    resolve: async (_, { amountUsd, policy, rules, ageHours }, context) => {
      context.markUncacheable()
      const question = {
        policy: await readPolicy(policy ?? 'standard', rules ?? '', context),
        amountUsd: readAmount(amountUsd ?? null),
        ageHours: readAge(ageHours ?? 1),
      }
      return context.backtests(() => run(question, context))
    },
  }),
}))
