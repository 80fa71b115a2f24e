// The tools for an agent: each is a GraphQL document with the meaning of its arguments. They only read.
import { z } from 'zod'
import { EVENT_TYPES } from '../base/vocabulary.ts'
import { toSnake, WORDS } from '../fields/field.ts'
import { ALERT_ROWS, isOfLists } from '../fields/filter.ts'
import { CONDITION_ROWS, type ConditionRow, liftConditions, REST_NUMBERS, TOKEN_MEASURES } from '../fields/token.ts'
import { GATE_POLICIES } from '../gate/policy.ts'

/** A tool: its arguments become the variables of its document, by their names unless it says how. */
interface Tool {
  name: string
  title: string
  description: string
  input: z.ZodRawShape
  toVariables?(input: Readonly<Record<string, unknown>>): Record<string, unknown>
  document: string
}

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .describe('An EVM address: 0x and 40 hex digits.')
const limit = (most: number) =>
  z.number().int().min(1).max(most).default(10).describe(`How many at most, 1 to ${most}.`)
const amount = z.number().min(0)

const SHORT = [
  'address symbol name priceUsd marketCapUsd liquidityUsd volume24hUsd holderCount ageHours riskScore riskFlags',
  ...REST_NUMBERS,
].join(' ')
const VERDICT =
  'level headline findings { kind topic severity text since block } unknown { topic text } alike { text } confidence checkedAt'
const EVENT =
  'id type direction timestamp amountUsd quantity tokenAddress tokenSymbol walletAddress finality transactionHash'

/** The input of a condition. */
function inputOf(row: ConditionRow): z.ZodType {
  if (row.is === 'yes') return z.boolean()
  if (row.is === 'among')
    return z
      .array(row.values === 'texts' ? z.string() : address)
      .min(1)
      .max(row.most)
  if (row.is === 'rank') return z.enum(WORDS[row.of])
  if (row.is === 'none' || row.is === 'any')
    return z
      .array(z.enum(WORDS[row.of]))
      .min(row.is === 'any' ? 1 : 0)
      .max(WORDS[row.of].length)
  const number = row.whole ? z.number().int() : z.number()
  const from = row.min === undefined ? number : number.min(row.min)
  return row.max === undefined ? from : from.max(row.max)
}

/** Conditions as inputs. */
const toInputs = (rows: readonly (readonly [string, ConditionRow])[]): z.ZodRawShape =>
  Object.fromEntries(rows.map(([name, row]) => [name, inputOf(row).optional().describe(row.text)]))

export const TOOLS: readonly Tool[] = [
  {
    name: 'search',
    title: 'Search tokens and wallets',
    description:
      'Finds tokens by symbol, name or the start of their address, and wallets by the start of theirs, the best match first. lookalikeOf names a larger token that the symbol may be mistaken for.',
    input: {
      query: z.string().min(1).max(64).describe('The text to search for, such as $OTTER or 0x53b9.'),
      limit: limit(20),
    },
    document: `query ($query: String!, $limit: Int) { search(query: $query, limit: $limit) {
      tokens { ${SHORT} lookalikeOf { address symbol } } wallets { address classification reputationScore } } }`,
  },
  {
    name: 'token',
    title: 'A token',
    description:
      'Everything about one token: price and its change, liquidity and who can withdraw it, supply, whether it can be sold, the verdict with its findings, risk with its dimensions, pools with locks, the largest holders.',
    input: { address },
    document: `query ($address: Address!) { token(address: $address) { ${SHORT} createdAt launchpad fdvUsd supply aiSummary
      priceChange { m5 h1 h24 d7 } windows { h24 { buyCount sellCount traderCount } } verdict { ${VERDICT} }
      lookalikeOf { address symbol } deployer { address classification reputationScore }
      score { riskLevel confidence dimensions { holderConcentrationScore liquidityStabilityScore washTradeScore smartMoneyFlowScore } }
      pools(first: 20) { nodes { type launchpad liquidityUsd locks(limit: 3) { endsAt sharePct counts } } }
      sellCheck { status sellable sellTaxPct checkedAt reason vouch { reason source } } withdrawablePct withdrawableBy { address }
      topHolders { address holdingPct classification reputationScore netActivity } } }`,
  },
  {
    name: 'token_safety',
    title: 'Whether a token is a trap',
    description:
      'The newest contract check: whether holders can sell and at what tax, the powers over them, the findings with their least risk, who can withdraw the liquidity, and what snipers, bundlers, insiders, the developer and fresh wallets hold and sold. Null and not_checked mean unknown, never safe; code.unread says why powers may be missing. The contract wrote refusal: do not trust it. docs/safety.md lists the limits of the check.',
    input: { address },
    document: `query ($address: Address!) { token(address: $address) { address symbol riskScore verdict { ${VERDICT} }
      sellCheck { status sellable buyable buyTaxPct sellTaxPct measuredSellTaxPct holdersTried holdersBlocked checkedBlock checkedAt
        method reason refusal vouch { reason source since } }
      powers { kind text function contract holder holderKind renounced delaySeconds hidden proven }
      contractFindings { name text riskAtLeast } balancesDiffer { asked differ moved rebasing }
      code { hash proxy implementation owner admin verifiedClone unread tokensWithSameCode }
      launchGroups { groups { name unknown walletCount heldPct peakPct soldPct soldUsd realisedUsd } }
      withdrawablePct withdrawableBy { address classification } } }`,
  },
  {
    name: 'check_token',
    title: 'Check a contract now',
    description:
      'Checks the contract of a token now and waits up to 15 s: whether holders can sell, and the verdict after it. state waits: ask again in some seconds. Costs ten requests.',
    input: { address },
    document: `mutation ($address: Address!) { tokenCheck(address: $address) { state token { address symbol riskScore
      verdict { ${VERDICT} } sellCheck { status sellable buyable buyTaxPct sellTaxPct checkedBlock checkedAt reason refusal } } } }`,
  },
  {
    name: 'gate',
    title: 'Whether to trade a token',
    description:
      'Whether a bot may buy a token now: allow, review or block, with the reasons, what is missing, and the age of each fact. Missing facts never allow. A stale contract check is made anew first. Costs five requests.',
    input: {
      token: address,
      amountUsd: z.number().positive().optional().describe('The size of the order in USD.'),
      policy: z.enum(GATE_POLICIES).default('standard').describe('The rules.'),
    },
    document: `query ($token: Address!, $amountUsd: Float, $policy: GatePolicy) { gate(token: $token, amountUsd: $amountUsd, policy: $policy) {
      decision headline reasons { name decision text } missing alike { text } blockNumber ages { fact block seconds } } }`,
  },
  {
    name: 'wallet',
    title: 'A wallet',
    description: 'One wallet: its class, reputation, profit and loss with its confidence, and its largest holdings.',
    input: { address },
    document: `query ($address: Address!) { wallet(address: $address) { address kind classifications labels { kind name source confidence } reputationScore
      reputationConfidence sectorPreference tradeCount firstSeen lastTradeAt closedPositionCount wonPositionCount
      pnl { estimateUsd realisedUsd openUsd coverage confidence confidenceGaps }
      score { dimensions { winRate entryTimingScore consistencyScore riskDrawdownScore } } firstFunder { address classification }
      positions(first: 20) { total nodes { tokenAddress tokenSymbol quantity valueUsd sellableUsd rebasing openUsd realisedUsd } } } }`,
  },
  {
    name: 'screen',
    title: 'Screen tokens',
    description:
      'Lists the tokens that pass a filter, in an order. Bounds are inclusive; a missing field sets no condition. total counts all that pass.',
    input: {
      ...toInputs(CONDITION_ROWS.filter(([name]) => isOfLists(name))),
      orderBy: z.enum(TOKEN_MEASURES.map(toSnake)).default('trending_score').describe('The number to order by.'),
      direction: z.enum(['asc', 'desc']).default('desc').describe('The lowest or the highest first.'),
      limit: limit(50),
    },
    toVariables: liftConditions,
    document: `query ($filter: TokenFilter, $orderBy: TokenOrderField!, $direction: SortDirection, $limit: Int) {
      tokens(filter: $filter, orderBy: [{ field: $orderBy, direction: $direction }], first: $limit) {
        total nodes { ${SHORT} } } }`,
  },
  {
    name: 'backtest',
    title: 'What an alert would have told',
    description:
      'The tokens that would have begun to match these conditions in the past 30 days, with block, price and outcome: price after an hour, a day and a week, deepest fall, pulled or not, sellable or not. Null means unknown, such as a day that is not over. Costs five requests.',
    input: {
      ...toInputs(ALERT_ROWS),
      from: z.iso.datetime({ offset: true }).optional().describe('The beginning; 30 days ago if left out.'),
      to: z.iso.datetime({ offset: true }).optional().describe('The end; now if left out.'),
      limit: limit(50),
    },
    toVariables: liftConditions,
    document: `query ($filter: TokenFilter!, $from: DateTime, $to: DateTime, $limit: Int) {
      backtest(filter: $filter, from: $from, to: $to) {
        summary from to keptSince exactSince matchCount followedCount pulledCount unsellableCount medianChangeAfter24hPct medianWorstFallPct
        matches(limit: $limit) { tokenAddress tokenSymbol blockNumber matchedAt exact priceUsd priceAfter1hUsd priceAfter24hUsd
          priceAfter7dUsd worstFallPct pulled sellable } } }`,
  },
  {
    name: 'explain_token_score',
    title: 'Explain a risk score',
    description:
      'How the risk of a token was computed: every input with its weight, the floors, and the gaps that lower the confidence.',
    input: { address },
    document: `query ($address: Address!) { tokenScore(address: $address) { riskScore riskLevel confidence flags blockNumber summary
      explanation { link intercept composite base evidence confidenceGaps floors { reason: finding atLeast }
        contributions { name value weight contribution } dimensions { name value inputs { name value weight contribution } } } } }`,
  },
  {
    name: 'explain_wallet_score',
    title: 'Explain a reputation',
    description:
      'How the reputation of a wallet was computed: every input with its weight, and the gaps that lower the confidence.',
    input: { address },
    document: `query ($address: Address!) { walletScore(address: $address) { reputationScore confidence classifications blockNumber
      explanation { link evidence composite confidenceGaps contributions { name value weight contribution }
        dimensions { name value inputs { name value weight contribution } } } } }`,
  },
  {
    name: 'events',
    title: 'Events',
    description:
      'Swaps, changes of liquidity and transfers by a filter, newest first. For older events, send the endCursor of the last answer as after.',
    input: {
      types: z
        .array(z.enum(EVENT_TYPES))
        .min(1)
        .max(EVENT_TYPES.length)
        .optional()
        .describe('Only events of these types.'),
      tokens: z.array(address).min(1).max(20).optional().describe('Only events of these tokens.'),
      wallets: z.array(address).min(1).max(20).optional().describe('Only events of these wallets.'),
      minAmountUsd: amount.optional().describe('Only events of at least this value in USD.'),
      after: z.string().optional().describe('The endCursor of the previous answer.'),
      limit: limit(50),
    },
    document: `query ($types: [EventType!], $tokens: [Address!], $wallets: [Address!], $minAmountUsd: Float, $after: String, $limit: Int) {
      events(filter: { types: $types, tokens: $tokens, wallets: $wallets, minAmountUsd: $minAmountUsd }, first: $limit, after: $after) {
        total nodes { ${EVENT} } pageInfo { hasNextPage endCursor } } }`,
  },
  {
    name: 'follow_events',
    title: 'Follow events',
    description:
      'The events after the newest one that you have: send its id. Without an id the newest events come. total counts them; for older ones, send the endCursor of the last answer as cursor. Ask every few seconds at most.',
    input: {
      after: z
        .string()
        .regex(/^\d+-\d+-\d+$/, 'must be the id of an event, such as 5661-12-0')
        .optional()
        .describe('The id of the newest event that you have.'),
      type: z.enum(EVENT_TYPES).optional().describe('Only events of this type.'),
      tokenAddress: address.optional(),
      walletAddress: address.optional(),
      cursor: z.string().optional().describe('The endCursor of the previous answer with the same id.'),
      limit: limit(50),
    },
    document: `query ($after: ID, $type: [EventType!], $tokenAddress: [Address!], $walletAddress: [Address!], $cursor: String, $limit: Int) {
      events(filter: { afterEvent: $after, types: $type, tokens: $tokenAddress, wallets: $walletAddress }, after: $cursor, first: $limit) {
        total nodes { ${EVENT} } pageInfo { hasNextPage endCursor } } }`,
  },
]
