// The unit and an example of each value field, argument and input, by its name. A test finds values without them.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLLeafType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql'
import type { FieldRow } from '../../fields/field.ts'
import { CONDITION_ROWS, SHOWN_NUMBERS, TOKEN_FIELDS } from '../../fields/token.ts'

/** Notes on a field's values beyond its type; stored in the field's `extensions`. */
export interface Note {
  /** The unit, if it is a number. */
  unit?: string
  example?: unknown
}

const ADDRESS = '0x53b99890e68641374569fabd8f6a27334d041914'
const HASH = '0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224'
const EVENT_ID = '5661-12-0'
const ALERT_ID = '5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac'

const PRICE = 'USD a whole token'

/** Units by the name of a field, each with an example. The first pattern that matches counts. */
const UNITS: readonly (readonly [name: RegExp, unit: string, example: number])[] = [
  [/^limit$/, 'items', 50],
  [/^(price|priceNow|lastPrice)Usd$/, PRICE, 0.0013],
  [/usd$/i, 'USD', 1390.8],
  [/pct$/i, 'percent', 12.5],
  [/^overlapHours$/, 'hours', 24],
  [/hours$/i, 'hours', 252],
  [/(score|top10|composite|base|atLeast|points)$/i, 'points, 0-100', 60.91],
  [/^(open|high|low|close)Quote$/, 'whole tokens of the quote', 0.00041],
  [/(rate|share|coverage)$/i, 'fraction, 0-1', 0.86],
  [/(quantity|supply|burned|locked)$/i, 'whole tokens', 2269255.3],
  [/^lagBlocks$/, 'blocks', 0],
  [/(block|blockNumber|sourceHead)$/i, 'block number', 5661],
  [/^(chainId)$/, 'chain identifier', 1],
  [/^(decimals)$/, 'decimal places', 18],
  [/^(logIndex)$/, 'position, from 0', 12],
  [/(count|total|attempts|requests|perMinute|perDay|activeAlerts|first|last|offset|holders)$/i, 'count', 18],
]

/** A bound on a number that its row shows has the unit and the example of the number. */
const noteOfBound = ([name, { is, field }]: (typeof CONDITION_ROWS)[number]): [string, Note][] => {
  const { shown, unit }: FieldRow = TOKEN_FIELDS[field]
  return shown && unit && (is === 'least' || is === 'most') ? [[name, { unit, example: shown.example }]] : []
}

/** Notes that do not follow from a name's pattern. `Type.field.argument` comes before `Type.field`, and that before `field`. */
const NOTES: Readonly<Record<string, Note>> = {
  ...Object.fromEntries(CONDITION_ROWS.flatMap(noteOfBound)),
  ...Object.fromEntries(SHOWN_NUMBERS.map(([name, { unit, example }]) => [`Token.${name}`, { unit, example }])),
  'AlikeTokens.text': {
    example:
      'Of 138 tokens of this level at an age of 1 day, 25 % were pulled or fell by 90 % within 30 days (18 to 34 %)',
  },
  'Block.number': { unit: 'block number', example: 5661 },
  'Block.hash': { example: HASH },
  'Chain.name': { example: 'assay-demo' },
  'ApiKey.id': { example: '12' },
  'ApiKey.name': { example: 'Dashboard' },
  'ApiKey.prefix': { example: 'assay_live_Wq3v' },
  'ApiKey.lastFour': { example: '12ab' },
  'ApiKeyCreatePayload.key': { example: 'assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab' },
  'ApiKeyRotatePayload.key': { example: 'assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab' },
  'ApiKeyRevokePayload.revokedId': { example: '12' },
  'Query.apiKey.id': { example: '12' },
  'Mutation.apiKeyUpdate.id': { example: '12' },
  'Mutation.apiKeyRotate.id': { example: '12' },
  'Mutation.apiKeyRevoke.id': { example: '12' },
  'CreateApiKeyInput.name': { example: 'Dashboard' },
  'UpdateApiKeyInput.name': { example: 'Dashboard' },
  'OpenStream.keyId': { example: '12' },
  'OpenStream.keyName': { example: 'Dashboard' },
  'RouteUsage.route': { example: 'GET /v1/tokens/{address}' },
  'Me.email': { example: 'you@example.com' },
  'Pool.hookRights': { example: ['takes a share of what a swap pays'] },
  'Pool.kind': { example: 'v2' },
  'Pool.poolId': { example: HASH },
  'Pool.curveProgressPct': { unit: 'percent', example: 61.5 },
  'TokenLaunch.venue': { example: 'zora' },
  'LaunchGroup.name': { example: 'snipers' },
  'LaunchGroup.definition': { example: 'First bought within 60 seconds of the first liquidity.' },
  'ContractFinding.name': { example: 'cannot_sell' },
  'DeployerRecord.tokens': { unit: 'tokens', example: 4 },
  'DeployerRecord.pulled': { unit: 'tokens', example: 1 },
  'DeployerRecord.funderTokens': { unit: 'tokens', example: 3 },
  'DeployerRecord.funderPulled': { unit: 'tokens', example: 2 },
  'RpcCall.method': { example: 'eth_call' },
  'RpcCall.params': { example: '[{"to":"0x6b175474e89094c44da98b954eedeac495271d0f","data":"0x18160ddd"},"0x161c"]' },
  'SellCheck.holdersTried': { unit: 'holders', example: 8 },
  'SellCheck.holdersBlocked': { unit: 'holders', example: 8 },
  'SellCheck.refusal': { example: 'trading is not open' },
  'OperatorVouch.reason': { example: 'we know its team: sales open on Monday' },
  'OperatorVouch.source': { example: 'https://example.com/audit.pdf' },
  'Power.text': { example: 'one account 0x1234...abcd can pause transfers without notice' },
  'Power.function': { example: 'pause()' },
  'ServedChain.path': { example: '/base' },
  'Power.delaySeconds': { unit: 'seconds', example: 172800 },
  'ContractFinding.text': { example: '8 of 8 holders could not sell at block 5661' },
  'BacktestMatch.tokenName': { example: 'Exodus' },
  'Backtest.summary': { example: '41 matches, 5 pulled, median +4.0 % after a day (38 with a price).' },
  'SqlColumn.name': { example: 'token_symbol' },
  'SqlColumn.type': { example: 'VARCHAR' },
  'SqlAnswer.rows': { example: [{ token_symbol: 'WETH', swaps: 1206 }] },
  'PartialView.view': { example: 'candles' },
  'Query.sql.query': { example: 'SELECT token_symbol, count(*) AS swaps FROM events GROUP BY ALL' },
  'Accuracy.moves': {
    example: [
      'Of 200 tokens of medium risk at an age of 1 day, 73 to 85 % were pulled within 30 days, where the exam, with falls by 90 %, had 18 to 34 %',
    ],
  },
  'RecordCell.horizonDays': { unit: 'days', example: 30 },
  'RecordCell.ageHours': { unit: 'hours', example: 24 },
  'RecordCell.tokenCount': { unit: 'tokens', example: 200 },
  'RecordCell.pulledCount': { unit: 'tokens', example: 160 },
  'RecordCell.pulledShare': { unit: 'fraction, 0-1', example: 0.8 },
  'RecordCell.leastShare': { unit: 'fraction, 0-1', example: 0.74 },
  'RecordCell.mostShare': { unit: 'fraction, 0-1', example: 0.85 },
  'RecordCell.pricedCount': { unit: 'tokens', example: 190 },
  'RecordCell.lostCount': { unit: 'tokens', example: 151 },
  'RecordCell.sellableCount': { unit: 'tokens', example: 120 },
  'RecordCell.unsellableCount': { unit: 'tokens', example: 4 },
  'PlacedToken.place': { unit: 'place, from 1', example: 1 },
  'ScreenUpdate.blockHash': { example: HASH },
  'ScreenUpdate.cursor': { example: '5661.5ce2d520.90ab12cd34ef5678' },
  'Subscription.screen.after': { example: '5661.5ce2d520.90ab12cd34ef5678' },
  'GateCounts.tokens': { unit: 'tokens', example: 41 },
  'GateCounts.blocked': { unit: 'tokens', example: 38 },
  'GateCounts.reviewed': { unit: 'tokens', example: 2 },
  'GateCounts.undecided': { unit: 'tokens', example: 1 },
  'GateBacktest.summary': {
    example:
      'Asked at an age of 1 h: of 41 that were pulled since, it blocks 38, reviews 2 and leaves 1 undecided; of 900 that were not, it blocks 12, reviews 130 and leaves 758 undecided.',
  },
  'GateBacktest.untested': { example: ['What nobody knew of the token'] },
  'Query.gateBacktest.rules': { example: 'risk_score@70:block' },
  'Query.gateBacktest.amountUsd': { unit: 'USD, above 0', example: 500 },
  'Query.gateBacktest.ageHours': { unit: 'hours', example: 1 },
  'GatePolicy.name': { example: 'careful' },
  'GatePolicy.rules': { example: 'risk_score@70:block' },
  'CreateGatePolicyInput.name': { example: 'careful' },
  'CreateGatePolicyInput.rules': { example: 'risk_score@70:block' },
  'UpdateGatePolicyInput.rules': { example: 'risk_score@70:block' },
  'GatePolicyDeletePayload.deletedName': { example: 'careful' },
  'Query.gatePolicy.name': { example: 'careful' },
  'Mutation.gatePolicyUpdate.name': { example: 'careful' },
  'Mutation.gatePolicyDelete.name': { example: 'careful' },
  'Gate.policy': { example: 'standard' },
  'Query.gate.policy': { example: 'standard' },
  'Query.gateBacktest.policy': { example: 'standard' },
  'Limits.gatePolicies': { unit: 'count', example: 50 },
  'LevelRecord.text': {
    example: 'Of 200 tokens of high risk at an age of 1 day, 74 to 85 % were pulled within 30 days',
  },
  'LevelRecord.tokenCount': { unit: 'tokens', example: 200 },
  'LevelRecord.pulledCount': { unit: 'tokens', example: 160 },
  'LevelRecord.pulledShare': { unit: 'fraction, 0-1', example: 0.8 },
  'LevelRecord.horizonDays': { unit: 'days', example: 30 },
  'GateAge.fact': { example: 'check' },
  'GateAge.seconds': { unit: 'seconds', example: 600 },
  'GateReason.name': { example: 'open_power' },
  'GateReason.text': { example: 'one account 0x1234...abcd can pause transfers without notice' },
  'GateCall.of': { example: 'sale' },
  'GateCall.method': { example: 'eth_call' },
  'GateCall.params': { example: '[{"to":"0x6b175474e89094c44da98b954eedeac495271d0f","data":"0x18160ddd"},"0x161c"]' },
  'Gate.headline': { example: 'Traders with a good record are getting out.' },
  'Gate.missing': { example: ['A recent check of its contract'] },
  'Gate.signed': { example: 'eyJhbGciOiJFZERTQSJ9.eyJkZWNpc2lvbiI6ImFsbG93In0.c2lnbmF0dXJl' },
  'Query.gate.amountUsd': { unit: 'USD, above 0', example: 500 },
  'Query.gate.rules': { example: 'open_power:block' },
  'BalancesDiffer.asked': { unit: 'holders', example: 10 },
  'BalancesDiffer.differ': { unit: 'holders', example: 9 },
  'BalancesDiffer.moved': { unit: 'holders', example: 1 },
  'Multiplier.value': { unit: 'shown units a raw unit', example: 2 },
  'IndexWait.sentence': {
    example: 'RPC_URL does not give a block that the index needs: it is asked again.',
  },
  'Multiplier.nextValue': { unit: 'shown units a raw unit', example: 3 },
  'Token.powersRead': { example: [`${ADDRESS}: 10 functions`] },
  'TokenCode.proxy': { example: 'eip1967' },
  'TokenCode.tokensWithSameCode': { unit: 'tokens', example: 3 },
  'Token.priceHops': { unit: 'pools', example: 2 },
  'PriceChange.d7': { unit: 'percent', example: -21.4 },
  'PriceChange.h1': { unit: 'percent', example: -3.25 },
  'PriceChange.h24': { unit: 'percent', example: 8.1 },
  'PriceChange.h6': { unit: 'percent', example: 0.4 },
  'PriceChange.m5': { unit: 'percent', example: 0 },
  'Pool.priceInQuote': { unit: 'whole quote tokens per whole token', example: 0.0003 },
  'Token.priceConfidenceReason': { example: 'One pool tells it, and it takes $2.7k to move the price by 2 %.' },
  'RiskReason.dimension': { example: 'liquidity' },
  'RiskReason.points': { unit: 'points of the risk score', example: -33 },
  'Verdict.headline': { example: 'One wallet can take 97 % of the liquidity at any time.' },
  'VerdictFinding.name': { example: 'one_wallet_can_withdraw' },
  'VerdictFinding.severity': { unit: 'points of the risk score', example: 30 },
  'VerdictFinding.points': { unit: 'points of the risk score', example: 12.5 },
  'VerdictFinding.text': { example: 'Liquidity $535k, unlocked: 0xa932...51d7 can withdraw 97 %' },
  'VerdictUnknown.text': { example: 'Who can withdraw its liquidity' },
  'RiskReason.text': { example: 'Liquidity $535k, no wallet can withdraw more than 8 %' },
  'ScoreContribution.contribution': { unit: 'points of the composite', example: 12.4 },
  'ScoreContribution.value': { unit: 'points, 0-100', example: 62.77 },
  'ScoreContribution.weight': { unit: 'factor', example: 0.3 },
  'ScoreContribution.name': { example: 'liquidity' },
  'ScoreDimension.name': { example: 'liquidity' },
  'ScoreDimension.value': { unit: 'points, 0-100', example: 62.77 },
  'ScoreFloor.reason': { example: 'liquidity_pulled' },
  'ScoreInput.contribution': { unit: 'points of the dimension', example: 12.4 },
  'ScoreInput.name': { example: 'liquidity_usd' },
  'ScoreInput.value': { unit: 'as docs/scores.md says of the input', example: 534527 },
  'ScoreInput.weight': { unit: 'factor', example: 0.5 },
  'ScorePoint.level': { example: 'medium' },
  'Status.messagesFailed': { unit: 'count', example: 0 },
  'Status.messagesWaiting': { unit: 'count', example: 2 },
  'Status.oldestMessageSeconds': { unit: 'seconds', example: 3.2 },
  'Status.swapsKnown': { unit: 'count', example: 120 },
  'Status.swapsRead': { unit: 'count', example: 117 },
  'Status.tokensDue': { unit: 'count', example: 12 },
  'Status.tokensUnchecked': { unit: 'count', example: 3 },
  'Status.walletsDue': { unit: 'count', example: 40 },
  'WalletLabel.confidence': { unit: 'fraction, 0-1', example: 0.9 },
  'WalletLabel.kind': { example: 'exchange' },
  'WalletLabel.licence': { example: 'CC0-1.0' },
  'WalletLabel.name': { example: 'Hot wallet' },
  'WalletLabel.source': { example: 'open_labels' },
  capToLiquidity: { unit: 'ratio', example: 12.5 },
  'Token.decimals': { unit: 'decimal places', example: 18 },
  'AlertDelivery.response': { example: '250 accepted' },
  'AlertTestPayload.response': { example: 'The webhook took the message (200).' },
  aiSummary: {
    example:
      'Exodus (EXODUS) is 9 days old and of medium risk: liquidity $41k, unlocked: 0xa932...51d7 can withdraw 100 %. In its favour: top 10 holders (without pools): 19 %. Confidence is medium: an unchecked contract.',
  },
  after: { example: 'NTY2MS40OQ' },
  afterEvent: { example: EVENT_ID },
  beforeEvent: { example: EVENT_ID },
  began: { example: 'min_liquidity_usd' },
  confidenceReasons: { example: 'few_trades' },
  'Subscription.alertFired.after': { example: ALERT_ID },
  'AlertFired.cursor': { example: ALERT_ID },
  'EventUpdate.cursor': { example: `${EVENT_ID}.3` },
  day: { example: '2026-01-31' },
  evidence: { unit: 'observations', example: 122 },
  deliveryId: { example: ALERT_ID },
  deletedId: { example: ALERT_ID },
  'Subscription.events.after': { example: EVENT_ID },
  'EventUpdate.id': { example: EVENT_ID },
  rawQuantity: { unit: 'raw units', example: '2269255300000000000000000' },
  rawSupply: { unit: 'raw units', example: '1000000000000000000000000' },
  rawBurned: { unit: 'raw units', example: '0' },
  rawLocked: { unit: 'raw units', example: '0' },
  hour: { example: '2025-11-08T08:00:00.000Z' },
  id: { example: ALERT_ID },
  deleteAlert: { example: ALERT_ID },
  deleteEventWebhook: { example: ALERT_ID },
  intercept: { unit: 'points of the composite', example: 4.2 },
  launchpad: { example: 'uniswap_v2' },
  link: { example: 'logistic' },
  minRiskScore: { unit: 'points, 0-100', example: 5 },
  maxRiskScore: { unit: 'points, 0-100', example: 30 },
  name: { example: 'Exodus' },
  points: { unit: 'points', example: 42 },
  quoteSymbol: { example: 'WETH' },
  sparkline: { unit: PRICE, example: 0.0013 },
  ...Object.fromEntries(
    ['Candle', 'TokenHour'].flatMap((type) =>
      ['open', 'high', 'low', 'close'].map((name) => [`${type}.${name}Usd`, { unit: PRICE, example: 0.0013 }]),
    ),
  ),
  'Alert.name': { example: 'Deep and clean' },
  'CreateAlertInput.name': { example: 'Deep and clean' },
  'UpdateAlertInput.name': { example: 'Deep and clean' },
  riskScore: { unit: 'points, 0-100', example: 30 },
  streams: { unit: 'count', example: 10 },
  url: { example: 'https://example.com/hooks/assay' },
  secret: { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  sectorPreference: { example: 'uniswap_v2' },
  search: { example: 'exo' },
  'Event.id': { example: EVENT_ID },
  'Pool.id': { example: `pool:${ADDRESS}` },
  'Position.id': { example: `position:${ADDRESS}:${ADDRESS}` },
  'TokenScore.id': { example: `tokenscore:${ADDRESS}` },
  'WalletScore.id': { example: `walletscore:${ADDRESS}` },
  'Node.id': { example: `token:${ADDRESS}` },
  'Token.id': { example: `token:${ADDRESS}` },
  'Wallet.id': { example: `wallet:${ADDRESS}` },
  'Query.ids': { example: [`token:${ADDRESS}`] },
  before: { example: 'NTY2MS41MA' },
  cursor: { example: 'NTY2MS40OQ' },
  startCursor: { example: 'NTY2MS4w' },
  endCursor: { example: 'NTY2MS40OQ' },
  query: { example: '$EXODUS' },
  launchpads: { example: ['uniswap_v2'] },
  summary: { example: 'Exodus (EXODUS) is 9 days old and of medium risk: its contract was not checked.' },
  symbol: { example: 'EXODUS' },
  tokenSymbol: { example: 'EXODUS' },
  trendingScore: { unit: 'none', example: 3.4 },
  transactionHash: { example: HASH },
}

/** Examples of types whose values always look alike. */
const BY_TYPE: Readonly<Record<string, unknown>> = {
  Address: ADDRESS,
  DateTime: '2025-11-08T08:53:20.000Z',
  Boolean: true,
  Hash: HASH,
  Date: '2026-01-31',
}

const NUMBERS = new Set(['Int', 'Float', 'BigInt'])

/** The note of the field or argument `name` of the type `owner`. `type` is its type without lists. */
function noteOf(owner: string, name: string, type: GraphQLLeafType, place: string): Note {
  const own = NOTES[place] ?? NOTES[`${owner}.${name}`] ?? NOTES[name]
  if (own) return own
  if (isEnumType(type)) return { example: type.getValues()[0]?.name }
  if (type.name in BY_TYPE) return { example: BY_TYPE[type.name] }
  const rule = NUMBERS.has(type.name) ? UNITS.find(([pattern]) => pattern.test(name)) : undefined
  return rule ? { unit: rule[1], example: rule[2] } : {}
}

type Noted = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField

/** Iterates over all fields, arguments and inputs of the schema that are values, with the type that owns them and their place. */
export function* valuesOf(
  schema: GraphQLSchema,
): Generator<[owner: string, name: string, value: Noted, place: string]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue
    for (const field of Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields())) {
      if (isLeafType(getNamedType(field.type))) yield [type.name, field.name, field, `${type.name}.${field.name}`]
      for (const argument of 'args' in field ? field.args : []) {
        const place = `${type.name}.${field.name}.${argument.name}`
        if (isLeafType(getNamedType(argument.type))) yield [type.name, argument.name, argument, place]
      }
    }
  }
}

/** Adds the notes to all values, and the examples to their descriptions. An enum needs no example, since it lists its words. */
export function addNotes(schema: GraphQLSchema): GraphQLSchema {
  for (const [owner, name, value, place] of valuesOf(schema)) {
    const type = getNamedType(value.type) as GraphQLLeafType
    const note = noteOf(owner, name, type, place)
    value.extensions = { ...value.extensions, note }
    if (note.example === undefined || isEnumType(type) || type.name === 'Boolean') continue
    value.description = `${value.description ?? ''} Example: ${JSON.stringify(note.example)}.`
  }
  return schema
}

/** The note that `addNotes` added. */
export const readNote = (value: Pick<Noted, 'extensions'>): Note => (value.extensions.note as Note | undefined) ?? {}
