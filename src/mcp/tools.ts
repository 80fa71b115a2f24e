// The tools for an agent: each is a GraphQL document with the meaning of its arguments. They only read.
import { z } from 'zod'
import { EVENT_TYPES } from '../base/vocabulary.ts'
import { toSnake, WORDS } from '../fields/field.ts'
import { ALERT_ROWS, isOfLists } from '../fields/filter.ts'
import { CONDITION_ROWS, type ConditionRow, REST_NUMBERS, TOKEN_MEASURES } from '../fields/token.ts'
import { strict } from './input.ts'

/** A tool: its arguments become the variables of its document, by their names. */
interface Tool {
  name: string
  description: string
  input: z.ZodRawShape
  document: string
}

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
const addresses = z.array(address).min(1).max(20).optional()
const limit = (most: number) => z.number().int().min(1).max(most).default(10)

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

/** A filter of these conditions; the list of tools has only its description. */
const toFilter = (rows: readonly (readonly [string, ConditionRow])[], text: string) =>
  strict(Object.fromEntries(rows.map(([name, row]) => [name, inputOf(row).optional().describe(row.text)]))).describe(
    text,
  )

export const TOOLS: readonly Tool[] = [
  {
    name: 'search',
    description:
      'Finds tokens by symbol, name or address, and wallets by address. lookalikeOf: a larger one it may imitate.',
    input: { query: z.string().min(1).max(64), limit: limit(20) },
    document: `query ($query: String!, $limit: Int) { search(query: $query, limit: $limit) {
      tokens { ${SHORT} lookalikeOf { address symbol } } wallets { address classification reputationScore } } }`,
  },
  {
    name: 'token',
    description: 'One token: price, liquidity and who can withdraw it, verdict, risk, locks, largest holders.',
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
    description:
      'The last contract check: sales, taxes, powers, findings, launch groups. not_checked is not safe; code.unread: why powers may be missing; refusal: the contract wrote it.',
    input: { address },
    document: `query ($address: Address!) { token(address: $address) { address symbol riskScore verdict { ${VERDICT} }
      sellCheck { status sellable buyable buyTaxPct sellTaxPct measuredSellTaxPct holdersTried holdersBlocked checkedBlock checkedAt
        method reason refusal vouch { reason source since } }
      powers { kind text function contract holder holderKind renounced delaySeconds hidden byMapping proven }
      contractFindings { name text riskAtLeast } balancesDiffer { asked differ moved rebasing }
      code { hash proxy implementation owner admin verifiedClone unread tokensWithSameCode }
      launchGroups { groups { name unknown walletCount heldPct peakPct soldPct soldUsd realisedUsd } }
      withdrawablePct withdrawableBy { address classification } } }`,
  },
  {
    name: 'check_token',
    description: 'Checks the contract now, up to 15 s. state waits: ask again. Costs 11 requests.',
    input: { address },
    document: `mutation ($address: Address!) { tokenCheck(address: $address) { state token { address symbol riskScore
      verdict { ${VERDICT} } sellCheck { status sellable buyable buyTaxPct sellTaxPct checkedBlock checkedAt reason refusal } } } }`,
  },
  {
    name: 'gate',
    description: 'May a bot buy: allow, review or block, and why. Costs 5 requests, with backtest 10.',
    input: {
      token: address,
      amountUsd: z.number().positive().optional(),
      policy: z.string().default('standard').describe('strict or saved'),
      backtest: z.boolean().optional(),
    },
    document: `query ($token: Address!, $amountUsd: Float, $policy: String, $backtest: Boolean = false) { gate(token: $token, amountUsd: $amountUsd, policy: $policy) {
      decision headline reasons { name decision text } missing alike { text } trackRecord { text } blockNumber ages { fact block seconds } }
      gateBacktest(amountUsd: $amountUsd, policy: $policy) @include(if: $backtest) { summary untested } }`,
  },
  {
    name: 'wallet',
    description: 'One wallet: class, reputation, profit and its confidence, largest holdings.',
    input: { address },
    document: `query ($address: Address!) { wallet(address: $address) { address kind classifications labels { kind name source confidence } reputationScore
      reputationConfidence sectorPreference tradeCount firstSeen lastTradeAt closedPositionCount wonPositionCount
      pnl { estimateUsd realisedUsd openUsd coverage confidence confidenceGaps }
      score { dimensions { winRate entryTimingScore consistencyScore riskDrawdownScore } } firstFunder { address classification }
      positions(first: 20) { total nodes { tokenAddress tokenSymbol quantity valueUsd sellableUsd rebasing openUsd realisedUsd } } } }`,
  },
  {
    name: 'screen',
    description: 'Lists tokens that pass filter, by orderBy. total counts all.',
    input: {
      filter: toFilter(
        CONDITION_ROWS.filter(([name]) => isOfLists(name)),
        'Such as {"minLiquidityUsd":5000,"excludePowers":["mint"]}; describe has all.',
      ).optional(),
      orderBy: z.enum(TOKEN_MEASURES.map(toSnake)).default('trending_score'),
      direction: z.enum(['asc', 'desc']).default('desc'),
      limit: limit(50),
    },
    document: `query ($filter: TokenFilter, $orderBy: TokenOrderField!, $direction: SortDirection, $limit: Int) {
      tokens(filter: $filter, orderBy: [{ field: $orderBy, direction: $direction }], first: $limit) {
        total nodes { ${SHORT} } } }`,
  },
  {
    name: 'backtest',
    description: 'Tokens that began to match filter in the past 30 days, with outcomes. Costs 5 requests.',
    input: {
      filter: toFilter(ALERT_ROWS, 'As of screen, and moments of wallets; describe has all.'),
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
      limit: limit(50),
    },
    document: `query ($filter: TokenFilter!, $from: DateTime, $to: DateTime, $limit: Int) {
      backtest(filter: $filter, from: $from, to: $to) {
        summary from to keptSince exactSince matchCount followedCount pulledCount unsellableCount medianChangeAfter24hPct medianWorstFallPct
        matches(limit: $limit) { tokenAddress tokenSymbol blockNumber matchedAt exact priceUsd priceAfter1hUsd priceAfter24hUsd
          priceAfter7dUsd worstFallPct pulled sellable } } }`,
  },
  {
    name: 'explain_token_score',
    description: 'How a risk score was computed: inputs with weights, floors, gaps.',
    input: { address },
    document: `query ($address: Address!) { tokenScore(address: $address) { riskScore riskLevel confidence flags blockNumber summary
      explanation { link intercept composite base evidence confidenceGaps floors { reason: finding atLeast }
        contributions { name value weight contribution } dimensions { name value inputs { name value weight contribution } } } } }`,
  },
  {
    name: 'explain_wallet_score',
    description: 'How a reputation was computed: inputs with weights, gaps.',
    input: { address },
    document: `query ($address: Address!) { walletScore(address: $address) { reputationScore confidence classifications blockNumber
      explanation { link evidence composite confidenceGaps contributions { name value weight contribution }
        dimensions { name value inputs { name value weight contribution } } } } }`,
  },
  {
    name: 'events',
    description: 'Swaps, liquidity and transfers, newest first. To follow, send your newest id as afterEvent.',
    input: {
      types: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length).optional(),
      tokens: addresses,
      wallets: addresses,
      minAmountUsd: z.number().min(0).optional(),
      afterEvent: z
        .string()
        .regex(/^\d+-\d+-\d+$/, 'must be the id of an event, such as 5661-12-0')
        .optional(),
      after: z.string().optional().describe('endCursor of the last answer, for older ones.'),
      limit: limit(50),
    },
    document: `query ($types: [EventType!], $tokens: [Address!], $wallets: [Address!], $minAmountUsd: Float, $afterEvent: ID, $after: String, $limit: Int) {
      events(filter: { types: $types, tokens: $tokens, wallets: $wallets, minAmountUsd: $minAmountUsd, afterEvent: $afterEvent },
        first: $limit, after: $after) { total nodes { ${EVENT} } pageInfo { hasNextPage endCursor } } }`,
  },
]
