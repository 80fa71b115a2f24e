// Pure. The JSON schema of each text of the API, with the bound that the code keeps. There is no bound by default: a text
// that is not listed is a fault of the build.
import { MAX_URL_LENGTH } from '../alerts/webhook-url.ts'
import { MAX_NAME_LENGTH } from '../base/alert.ts'
import { MAX_TEXT } from '../chain/contracts/abi.ts'
import { MAX_POLICY_NAME, POLICY_NAME } from '../gate/policy.ts'
import { MAX_RULES_LENGTH } from '../gate/rules.ts'
import { MAX_SIGNED } from '../gate/sign.ts'
import { MAX_SEARCH } from '../rest/contract/param.ts'
import { SUMMARY_LENGTH } from '../scoring/summary.ts'
import { SQL_LIMITS } from '../sql/limits.ts'
import { HEADLINE_LENGTH } from '../verdict/headline.ts'
import { type JsonSchema, SENTENCE, textSchema } from './json-schema.ts'

const ofForm = (pattern: string, maxLength: number, minLength?: number): JsonSchema => ({
  type: 'string',
  pattern,
  ...(minLength !== undefined && { minLength }),
  maxLength,
})

export const EVENT_ID_SENT = ofForm('^(0|[1-9][0-9]{0,9})(-(0|[1-9][0-9]{0,9})){2}$', 32)
export const ADDRESS = ofForm('^0x[0-9a-f]{40}$', 42, 42)
/** Addresses are accepted in any case. */
export const ADDRESS_SENT = ofForm('^0x[0-9a-fA-F]{40}$', 42, 42)
/** A day with or without a time, which may have an offset. */
export const TIME_SENT = ofForm(
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]+)?)?([Zz]|[+ -]([01][0-9]|2[0-3]):[0-5][0-9])?)?$',
  40,
)
export const EMAIL = textSchema(254)
export const KEY = ofForm('^assay_live_[0-9A-Za-z]{36}$', 47)
/** A repeated request gets the answer without the key. */
const KEY_ONCE = ofForm('^assay_live_([0-9A-Za-z]{36}|[.]{3})$', 47)
export const KEY_ID = ofForm('^[1-9][0-9]{0,9}$', 10)
export const WEBHOOK_URL = ofForm('^https?://', MAX_URL_LENGTH)
/** The name of an alert or a key. */
export const LABEL = ofForm('\\S', MAX_NAME_LENGTH, 1)

const HASH = ofForm('^0x[0-9a-f]{64}$', 66, 66)
const UUID: JsonSchema = { type: 'string', format: 'uuid', maxLength: 36 }
/** A name or a symbol that a contract gave itself. */
const NAME = textSchema(MAX_TEXT)
const WORD = ofForm('^[\\w./-]+$', 100)
/** Names and types of columns repeat the text of the query. */
const OF_QUERY = textSchema(10 * SQL_LIMITS.text)
/** The name of a policy of the gate. */
const POLICY = ofForm(POLICY_NAME, MAX_POLICY_NAME, 1)
const RULES = ofForm(
  '^([a-z][a-z0-9_.]{0,69}(@[0-9]{1,3})?:(allow|review|block)(,[a-z][a-z0-9_.]{0,69}(@[0-9]{1,3})?:(allow|review|block)){0,39})?$',
  MAX_RULES_LENGTH,
)
const SECRET = ofForm('^whsec_', 100)

/** By `Type.field` of the GraphQL schema. */
const FIELDS: Readonly<Record<string, JsonSchema>> = {
  'Token.name': NAME,
  'Token.symbol': NAME,
  'Token.launchpad': textSchema(100),
  'Token.powersRead': SENTENCE,
  'Token.aiSummary': ofForm('\\S', SUMMARY_LENGTH, 1),
  'RiskReason.text': SENTENCE,
  'AlikeTokens.text': SENTENCE,
  'LaunchGroup.definition': SENTENCE,
  'Verdict.headline': textSchema(HEADLINE_LENGTH),
  'VerdictFinding.name': WORD,
  'VerdictFinding.text': SENTENCE,
  'VerdictUnknown.text': SENTENCE,
  'GatePolicy.name': POLICY,
  'GatePolicy.rules': RULES,
  'CreateGatePolicyInput.name': POLICY,
  'CreateGatePolicyInput.rules': RULES,
  'UpdateGatePolicyInput.rules': RULES,
  'Gate.policy': POLICY,
  'LevelRecord.text': SENTENCE,
  'GateBacktest.summary': SENTENCE,
  'GateBacktest.untested': SENTENCE,
  'GateReason.name': WORD,
  'GateReason.text': SENTENCE,
  'GateAge.fact': WORD,
  'GateCall.of': WORD,
  'GateCall.method': WORD,
  'GateCall.params': textSchema(1_000_000),
  'ScreenUpdate.blockHash': HASH,
  'Gate.headline': textSchema(HEADLINE_LENGTH),
  'Gate.missing': SENTENCE,
  'Gate.signed': ofForm('^[\\w-]+[.][\\w-]+[.][\\w-]+$', MAX_SIGNED),
  'ScoreContribution.name': WORD,
  'Pool.poolId': HASH,
  'Pool.launchpad': textSchema(100),
  'OperatorVouch.reason': textSchema(1_000),
  'RpcCall.method': WORD,
  // A call may lay the code of contracts over addresses.
  'RpcCall.params': textSchema(1_000_000),
  'SellCheck.refusal': textSchema(256),
  'Power.text': SENTENCE,
  'Power.function': SENTENCE,
  'ContractFinding.text': SENTENCE,
  'TokenCode.hash': HASH,
  'TokenCode.proxy': WORD,
  'Wallet.sectorPreference': textSchema(100),
  'Position.tokenSymbol': NAME,
  'Event.id': EVENT_ID_SENT,
  'Event.transactionHash': HASH,
  'Event.tokenSymbol': NAME,
  'BacktestMatch.tokenSymbol': NAME,
  'BacktestMatch.tokenName': NAME,
  'Backtest.summary': SENTENCE,
  'RouteUsage.route': textSchema(200),
  'OpenStream.keyId': KEY_ID,
  'OpenStream.keyName': textSchema(MAX_NAME_LENGTH),
  'Me.email': EMAIL,
  'ApiKey.id': KEY_ID,
  'ApiKey.name': textSchema(MAX_NAME_LENGTH),
  'ApiKey.prefix': ofForm('^assay_live_', 20),
  'ApiKey.lastFour': ofForm('^[0-9A-Za-z]{4}$', 4),
  'ApiKeyCreatePayload.key': KEY_ONCE,
  'ApiKeyRotatePayload.key': KEY_ONCE,
  'Alert.id': UUID,
  'Alert.name': LABEL,
  'Alert.url': WEBHOOK_URL,
  'AlertCreatePayload.secret': SECRET,
  'AlertSecretRotatePayload.secret': SECRET,
  'AlertTestPayload.response': SENTENCE,
  'SqlColumn.name': OF_QUERY,
  'SqlColumn.type': OF_QUERY,
  'PartialView.view': WORD,
  'CreateApiKeyInput.name': LABEL,
  'UpdateApiKeyInput.name': LABEL,
  'CreateAlertInput.name': LABEL,
  'UpdateAlertInput.name': LABEL,
  'CreateAlertInput.url': WEBHOOK_URL,
  'UpdateAlertInput.url': WEBHOOK_URL,
}

/** By the name of an argument. */
const ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  // A malformed identifier answers 404, as an unknown one does.
  id: textSchema(100),
  query: ofForm('\\S', MAX_SEARCH, 1),
  rules: RULES,
  policy: POLICY,
  // A name that no policy can have answers 404, as an unknown one does.
  name: textSchema(100),
  after: ofForm('^[\\w-]+$', 100, 1),
}

/** The schema of a text. Throws for one that is not listed. */
export function textOf(place: string, name: string): JsonSchema {
  const schema = FIELDS[place] ?? ARGUMENTS[place]
  if (!schema) throw new Error(`${place}, in REST ${name}, is a text without a bound: list it in describe/texts.ts`)
  return schema
}
