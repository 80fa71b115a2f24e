// The result of a contract check: whether the token can be sold, the powers over its holders, and the calls that prove
// both.
import { CONTRACT_FINDINGS } from '../../base/vocabulary.ts'
import { UNCHECKED_REASONS, type UncheckedReason } from '../../ledger/first-check.ts'
import type { SellCheckRow } from '../../ledger/read/safety.ts'
import { isRebasing } from '../../safety/rebasing.ts'
import {
  type CodeFacts,
  HOLDER_KINDS,
  type Multiplier,
  NATIVE_KINDS,
  NOT_CHECKED_REASONS,
  type Power,
  type RpcCall,
  type SafetyFinding,
  type SafetyReport,
  SELL_METHODS,
  type SellCheck,
  UNREAD_REASONS,
} from '../../safety/report.ts'
import { tellFinding, tellPower } from '../../verdict/contract.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { described, PowerKindEnum, ScoreFindingEnum } from '../schema/vocabulary.ts'

/** The most powers in an answer. A contract has few; the check drops any further ones. */
const MAX_POWERS = 40
/** The most sources of powers: a diamond's facets, or the roles, policies and features of a token. */
const MAX_READ = 20

const StatusEnum = builder.enumType('SellCheckStatus', {
  description: 'Whether a sale was tried.',
  values: described(['checked', 'not_checked'] as const, {
    checked: 'A sale was tried.',
    not_checked: 'No trial gave an answer, so nothing is known.',
  }),
})
export const MethodEnum = builder.enumType('SellCheckMethod', {
  description: 'The method of the trial sale.',
  values: described(SELL_METHODS, {
    simulation: 'An account buys and sells in two simulated blocks (eth_simulateV1).',
    override: 'Real holders sell, with code laid over their addresses (state overrides).',
    constructor: 'Code without an address buys and sells in one call.',
    transfer: 'Real holders send to the pool. No trade was tried.',
  }),
})
const ReasonEnum = builder.enumType('SellCheckReason', {
  description: 'The reason why no trial gave an answer.',
  values: described([...UNCHECKED_REASONS, ...NOT_CHECKED_REASONS] as const, {
    checks_off: 'The operator switched contract checks off.',
    vouched_by_preset: 'It is a stablecoin or the wrapped native coin of the preset, which are not checked.',
    low_liquidity: 'It has under $1,000 of liquidity.',
    few_buyers: 'It has under ten buyers and under ten holders.',
    waits_for_check: 'It waits for its first check.',
    no_pool: 'No pool of it is known.',
    no_holders: 'No account that bought it holds it.',
    exchange_not_supported: 'Its exchange supports no trial.',
    node_cannot_simulate: 'The node supports no trial.',
    node_failed: 'The node did not answer.',
    out_of_time: 'The check ran out of time or calls.',
    just_bought: 'All holders that were tried bought within the hour, and all were refused.',
  }),
})
const HolderKindEnum = builder.enumType('PowerHolderKind', {
  description: 'The kind of the holder of a power.',
  values: described(HOLDER_KINDS, {
    account: 'One account.',
    contract: 'A contract of an unknown kind.',
    multisig: 'A contract that requires several signatures.',
    timelock: 'A contract that delays its owner.',
    anyone: 'Anybody.',
    time: 'No holder: the effect happens by itself.',
    nobody_known: 'Nobody known: the deployer and other known accounts are refused like a stranger.',
    empty_address: 'Whoever brings code to the address `holder`, which has none.',
    unknown: 'Nobody knows.',
  }),
})

export const RpcCallObject = builder.objectRef<RpcCall>('RpcCall').implement({
  extensions: PART,
  description: 'A JSON-RPC call that anyone can repeat on a node with the state of its block.',
  fields: (t) => ({
    method: t.exposeString('method', { description: 'The method.' }),
    params: t.string({
      description: 'The parameters as JSON.',
      resolve: ({ params }) => JSON.stringify(params),
    }),
  }),
})

interface ShownVouch {
  reason: string
  source: string | null
  since: Date
}

const VouchObject = builder.objectRef<ShownVouch>('OperatorVouch').implement({
  extensions: PART,
  description:
    "The word of the server's operator for a token. It stands beside what the check found, and changes nothing of it.",
  fields: (t) => ({
    reason: t.exposeString('reason', { description: 'The reason that the operator gives.' }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'Where the reason can be checked; null where the operator names no place.',
    }),
    since: t.expose('since', { type: 'DateTime', description: 'When the operator said so.' }),
  }),
})

type ShownSellCheck = Omit<SellCheck, 'reason'> & {
  reason: SellCheck['reason'] | UncheckedReason
  checkedAt: number | null
  vouch: ShownVouch | null
}

const SellCheckObject = builder.objectRef<ShownSellCheck>('SellCheck').implement({
  extensions: PART,
  description: 'Whether a token could be sold at a block. Null means unknown, never safe.',
  fields: (t) => ({
    status: t.expose('status', { type: StatusEnum, description: 'Whether a sale was tried.' }),
    sellable: t.exposeBoolean('sellable', {
      nullable: true,
      description: 'Whether holders could sell at the checked block; null if unknown.',
    }),
    buyable: t.exposeBoolean('buyable', {
      nullable: true,
      description: 'Whether a stranger could buy; null if unknown.',
    }),
    buyTaxPct: t.exposeFloat('buyTaxPct', {
      nullable: true,
      description: 'The loss of a trial purchase to the contract, in percent.',
    }),
    sellTaxPct: t.exposeFloat('sellTaxPct', {
      nullable: true,
      description: 'The loss of a trial sale to the contract, in percent.',
    }),
    measuredSellTaxPct: t.exposeFloat('measuredSellTaxPct', {
      nullable: true,
      description: 'The loss of real sales to the contract, in percent, by their logs.',
    }),
    holdersTried: t.exposeInt('holdersTried', { description: 'How many holders were tried.' }),
    holdersBlocked: t.exposeInt('holdersBlocked', { description: 'How many of them could not send to the pool.' }),
  }),
})

// When and how it was checked.
builder.objectFields(SellCheckObject, (t) => ({
  checkedBlock: t.int({
    nullable: true,
    description: 'The block of the check: all calls ran at its end; null before the first check.',
    resolve: ({ checkedBlock, checkedAt }) => (checkedAt === null ? null : checkedBlock),
  }),
  checkedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'The time of that block.',
    resolve: ({ checkedAt }) => (checkedAt === null ? null : new Date(checkedAt * 1_000)),
  }),
  method: t.field({
    type: MethodEnum,
    nullable: true,
    description: 'The method of the trial.',
    resolve: (it) => it.method,
  }),
  reason: t.field({
    type: ReasonEnum,
    nullable: true,
    description: 'The reason why no trial gave an answer; null after one that did.',
    resolve: (it) => it.reason,
  }),
  refusal: t.exposeString('refusal', {
    description: "The contract's reason for a refusal. The contract wrote it: do not trust it.",
  }),
  vouch: t.field({
    type: VouchObject,
    nullable: true,
    description: 'The word of the operator for this token; null without one. It is no evidence.',
    resolve: ({ vouch }) => vouch,
  }),
  call: t.field({
    type: RpcCallObject,
    nullable: true,
    description: 'The call that proves it.',
    resolve: (it) => it.call,
  }),
}))

const PowerObject = builder.objectRef<Power>('Power').implement({
  extensions: PART,
  description: 'A power over the holders of a token.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PowerKindEnum, description: 'The kind of the power.' }),
    text: t.string({ description: 'The power as a sentence.', resolve: (power) => tellPower(power) }),
    function: t.exposeString('function', {
      description:
        'The signature of the function, or its selector. Of a token that the chain runs: the role or policy. `code`: that of an address without code.',
    }),
    contract: t.expose('contract', { type: 'Address', description: 'The contract of the function.' }),
    holder: t.expose('holder', {
      type: 'Address',
      nullable: true,
      description: 'The holder of the power; null if none is named.',
    }),
    holderKind: t.expose('holderKind', { type: HolderKindEnum, description: 'The kind of the holder.' }),
    renounced: t.exposeBoolean('renounced', { description: 'Whether the power has no holder any more.' }),
    delaySeconds: t.exposeInt('delaySeconds', {
      description: 'How many seconds the holder has to wait after an announcement; 0 for no wait, or an unknown one.',
    }),
    hidden: t.exposeBoolean('hidden', { description: 'Whether the contract does not name the power.' }),
    byMapping: t.boolean({
      description: 'Whether only an entry of a mapping admits the holder; false also where that was not shown.',
      resolve: ({ byMapping }) => byMapping ?? false,
    }),
    proven: t.exposeBoolean('proven', {
      description: 'Whether the power was tried, rather than concluded from a name.',
    }),
    call: t.expose('call', {
      type: RpcCallObject,
      nullable: true,
      description: 'The trial, or the code that has the function of that name; null without both.',
    }),
  }),
})

const UnreadEnum = builder.enumType('CodeUnread', {
  description: 'Why not all that somebody can do to holders could be read.',
  values: described(UNREAD_REASONS, {
    no_code: 'The address, or the contract behind its proxy, has no code: the node itself answers its calls.',
    not_evm_code: 'It is code that no EVM runs, such as the byte 0xef of tokens that the chain itself runs.',
    too_long: 'The code is longer than 65,536 bytes.',
    no_functions: 'No function `transfer` was found in the code, so its functions are not those that were found.',
    roles_unknown: 'The chain runs the token, and not all of its roles and policies could be read.',
  }),
})
const NativeEnum = builder.enumType('NativeToken', {
  description: 'A standard of tokens that the chain itself runs.',
  values: described(NATIVE_KINDS, {
    b20: 'B20 of Base.',
    cas20: 'CAS20 of BSC.',
  }),
})

const CodeObject = builder.objectRef<CodeFacts & { sameCode: number }>('TokenCode').implement({
  extensions: PART,
  description: 'The code of a token.',
  fields: (t) => ({
    hash: t.expose('hash', { type: 'Hash', description: "Keccak-256 of the token's own code." }),
    proxy: t.exposeString('proxy', {
      nullable: true,
      description: 'The kind of proxy, such as eip1967 or eip1167; null without a proxy.',
    }),
    implementation: t.expose('implementation', {
      type: 'Address',
      nullable: true,
      description: 'The contract to which a proxy delegates its calls.',
    }),
    owner: t.expose('owner', { type: 'Address', nullable: true, description: 'The owner that the contract names.' }),
    admin: t.expose('admin', {
      type: 'Address',
      nullable: true,
      description: 'The account that may replace the implementation, by its storage.',
    }),
    verifiedClone: t.exposeBoolean('verifiedClone', {
      description: 'Whether it is a minimal clone, whose implementation nobody can replace.',
    }),
    unread: t.expose('unread', {
      type: UnreadEnum,
      nullable: true,
      description: 'Why powers may exist that are not listed; null: all that could have one was read.',
    }),
    native: t.expose('native', {
      type: NativeEnum,
      nullable: true,
      description: 'The standard of a token that the chain itself runs; null for a contract.',
    }),
    tokensWithSameCode: t.exposeInt('sameCode', {
      description:
        'How many checked tokens run the same code, including this one; 10,000 at most, and 0 where no code says what it does.',
    }),
  }),
})

type ShownFinding = SafetyFinding & { report: SafetyReport }

const FindingObject = builder.objectRef<ShownFinding>('ContractFinding').implement({
  extensions: PART,
  description: 'A finding of the check.',
  fields: (t) => ({
    name: t.expose('name', { type: ScoreFindingEnum, description: 'Its name.' }),
    text: t.string({
      description: 'The finding as a sentence.',
      resolve: ({ name, report }) => tellFinding(name, { ...report, checkedAt: report.checkedAt ?? 0 }),
    }),
    riskAtLeast: t.exposeFloat('strength', {
      description:
        'The finding keeps the risk score at this or higher, 0 to 100 points; 0: the finding is only a hint.',
    }),
    call: t.expose('call', { type: RpcCallObject, nullable: true, description: 'The call that proves it.' }),
  }),
})

const BalancesObject = builder.objectRef<NonNullable<SafetyReport['balancesDiffer']>>('BalancesDiffer').implement({
  extensions: PART,
  description: "Sampled holders whose balance by the contract is not the sum of the token's Transfers.",
  fields: (t) => ({
    asked: t.exposeInt('asked', { description: 'How many holders were sampled.' }),
    differ: t.exposeInt('differ', { description: 'How many of them have under a tenth of that sum.' }),
    moved: t.exposeInt('moved', { description: 'How many others have more or less than that sum.' }),
    rebasing: t.boolean({
      description:
        'Whether most of them have more or less than that sum. Then the token changes balances without Transfers, and each balance shown here is a sum of Transfers.',
      resolve: (balances) => isRebasing(balances) ?? false,
    }),
  }),
})

const MultiplierObject = builder.objectRef<Multiplier>('Multiplier').implement({
  extensions: PART,
  description:
    'The multiplier of a token by ERC-8056, such as a share after a split: wallets show raw amounts times it. Prices, supplies and holdings here are of raw amounts.',
  fields: (t) => ({
    value: t.exposeFloat('value', { description: 'The multiplier at the checked block.' }),
    nextValue: t.float({
      nullable: true,
      description:
        'The scheduled multiplier, in shown units a raw unit; null if none is scheduled. It takes effect without a log.',
      resolve: ({ next }) => next?.value ?? null,
    }),
    effectiveAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the scheduled multiplier takes effect.',
      resolve: ({ next }) => (next ? new Date(next.effectiveAt * 1_000) : null),
    }),
  }),
})

const NEVER_CHECKED: ShownSellCheck = {
  status: 'not_checked',
  sellable: null,
  buyable: null,
  buyTaxPct: null,
  sellTaxPct: null,
  measuredSellTaxPct: null,
  holdersTried: 0,
  holdersBlocked: 0,
  checkedBlock: 0,
  checkedAt: null,
  method: null,
  reason: 'waits_for_check',
  vouch: null,
  refusal: '',
  call: null,
}

const showSellCheck = (row: SellCheckRow | null): ShownSellCheck =>
  !row
    ? NEVER_CHECKED
    : {
        ...(row.sellCheck
          ? { ...row.sellCheck, checkedAt: row.checkedAt }
          : { ...NEVER_CHECKED, reason: row.why ?? NEVER_CHECKED.reason }),
        vouch:
          row.vouchReason !== null && row.vouchSince
            ? { reason: row.vouchReason, source: row.vouchSource, since: row.vouchSince }
            : null,
      }

builder.prismaObjectFields(TokenObject, (t) => ({
  sellCheck: t.field({
    type: SellCheckObject,
    description: 'The result of the newest trial sale.',
    resolve: async ({ id }, _, { loaders }) => showSellCheck(await loaders.sellCheck.load(id)),
  }),
  powers: t.field({
    type: [PowerObject],
    nullable: true,
    extensions: listOf(MAX_POWERS),
    description:
      'The powers over its holders, the gravest first. Null if nothing was read that could show one. It is empty only beside the list of what they were read from.',
    resolve: async ({ id }, _, { loaders }) =>
      (await loaders.safety.load(id))?.report.powers?.slice(0, MAX_POWERS) ?? null,
  }),
  powersRead: t.field({
    type: ['String'],
    extensions: listOf(MAX_READ),
    description: 'What its powers were read from: contracts with their functions, or roles, policies and features.',
    resolve: async ({ id }, _, { loaders }) =>
      (await loaders.safety.load(id))?.report.powersRead.slice(0, MAX_READ) ?? [],
  }),
  code: t.field({
    type: CodeObject,
    nullable: true,
    description: 'Its code; null if it was not read.',
    resolve: async ({ id }, _, { loaders }) => {
      const row = await loaders.safety.load(id)
      return row?.report.code ? { ...row.report.code, sameCode: row.sameCode } : null
    },
  }),
  contractFindings: t.field({
    type: [FindingObject],
    extensions: listOf(CONTRACT_FINDINGS.length),
    description: 'The findings of the check, the gravest first; empty also without a check.',
    resolve: async ({ id }, _, { loaders }) => {
      const row = await loaders.safety.load(id)
      if (!row) return []
      const { report } = row
      return report.findings.slice(0, CONTRACT_FINDINGS.length).map((finding) => ({ ...finding, report }))
    },
  }),
  multiplier: t.field({
    type: MultiplierObject,
    nullable: true,
    description: 'The multiplier of its shown amounts; null without one, or without a check.',
    resolve: async ({ id }, _, { loaders }) => (await loaders.safety.load(id))?.report.multiplier ?? null,
  }),
  balancesDiffer: t.field({
    type: BalancesObject,
    nullable: true,
    description: 'Whether holders have the balances of its Transfers; null without a sample.',
    resolve: async ({ id }, _, { loaders }) => (await loaders.safety.load(id))?.report.balancesDiffer ?? null,
  }),
}))
