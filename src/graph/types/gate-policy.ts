// Saved policies of the gate: bounds, rules for findings, and conditions on the token. The keys of an account share them.
import { limitsOf } from '../../access/plan.ts'
import { type Fault, invalid } from '../../base/errors.ts'
import { isMomentary } from '../../fields/filter.ts'
import {
  BUILT_IN,
  faultOfPolicyName,
  GATE_BOUNDS,
  type GateBounds,
  type GatePolicy,
  isBuiltIn,
  MAX_POLICY_NAME,
} from '../../gate/policy.ts'
import { faultOfRules, MAX_RULES, readRules } from '../../gate/rules.ts'
import type { GatePolicyRow } from '../../ledger/account/gate-policy.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, connectionRef, implementConnection, readPlaced } from '../schema/connection.ts'
import { ConditionsObject } from '../schema/refs.ts'
import { described } from '../schema/vocabulary.ts'
import { conditionsOf, inputFault } from './saved-filter.ts'
import { type GivenScreen, parseConditions, TokenFilterInput } from './screen.ts'

export const RULES_TEXT = `What findings lead to, by their names, topics or kinds, from a severity on: \`open_power:block,topic.owner@30:review\`; ${MAX_RULES} at most. The narrowest rule holds. \`risk_score@70:block\` is about the score. No rule allows a danger.`
export const POLICY_TEXT = `The rules: ${GATE_BOUNDS.join(', ')}, or the name of a saved policy.`
const OWN_RULES_TEXT = 'What findings lead to, in the form of the argument `rules` of `gate`.'
const CONDITIONS_TEXT =
  'The tokens that it is about: any other one is blocked, unless a rule names the condition, as `min_liquidity_usd:review`.'
const NAME_TEXT = `Its name: 1 to ${MAX_POLICY_NAME} characters of a-z, 0-9, _ and -.`

const BoundsEnum = builder.enumType('GateBounds', {
  description: 'The bounds of a policy.',
  values: described(GATE_BOUNDS, {
    standard: 'Reviews a risk from 50 on, a check older than an hour, and an order over 2 % of the liquidity.',
    strict: 'Reviews a risk over 29, a check older than ten minutes, and an order over 0.5 % of the liquidity.',
  }),
})

const boundsOf = ({ bounds }: Pick<GatePolicyRow, 'bounds'>): GateBounds => (isBuiltIn(bounds) ? bounds : 'strict')

const PolicyObject = builder.objectRef<GatePolicyRow>('GatePolicy').implement({
  description: 'A saved policy of the gate. The keys of an account share it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, which `gate` takes.' }),
    bounds: t.field({ type: BoundsEnum, description: 'Its bounds.', resolve: boundsOf }),
    rules: t.exposeString('rules', { description: OWN_RULES_TEXT }),
    conditions: t.field({ type: ConditionsObject, description: CONDITIONS_TEXT, resolve: conditionsOf }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

const PolicyConnection = connectionRef<GatePolicyRow>('GatePolicy')
implementConnection(PolicyConnection, PolicyObject, { one: 'A policy', many: 'policies' })

const parts = {
  bounds: { type: BoundsEnum, description: 'Its bounds; standard if a new one has none.' },
  rules: { description: `${OWN_RULES_TEXT} An empty text has none.` },
  conditions: { type: TokenFilterInput, description: CONDITIONS_TEXT },
} as const

const CreateInput = builder.inputType('CreateGatePolicyInput', {
  description: 'A new policy of the gate.',
  fields: (t) => ({
    name: t.string({ required: true, description: NAME_TEXT }),
    bounds: t.field(parts.bounds),
    rules: t.string(parts.rules),
    conditions: t.field(parts.conditions),
  }),
})

const UpdateInput = builder.inputType('UpdateGatePolicyInput', {
  description: 'Changes of a policy of the gate. A field that is left out or null stays as it is.',
  fields: (t) => ({
    bounds: t.field(parts.bounds),
    rules: t.string(parts.rules),
    conditions: t.field(parts.conditions),
  }),
})

const declarePayload = (name: string) =>
  builder.objectRef<GatePolicyRow>(`GatePolicy${name}Payload`).implement({
    extensions: PART,
    description: `The answer of the mutation gatePolicy${name}.`,
    fields: (t) => ({
      gatePolicy: t.field({ type: PolicyObject, description: 'The policy.', resolve: (policy) => policy }),
    }),
  })

const DeletePayload = builder.objectRef<string>('GatePolicyDeletePayload').implement({
  extensions: PART,
  description: 'The answer of the mutation gatePolicyDelete.',
  fields: (t) => ({
    deletedName: t.string({ description: 'The name of the deleted policy.', resolve: (name) => name }),
  }),
})

interface Given {
  bounds?: GateBounds | null | undefined
  rules?: string | null | undefined
  conditions?: GivenScreen | null | undefined
}

/** The parts that were given, and every fault of them. */
function readParts({ bounds, rules, conditions }: Given) {
  const { filter, faults } = parseConditions(conditions ?? {}, 'input.conditions')
  const faultOfText = faultOfRules(rules ?? '')
  if (faultOfText !== null) faults.push(inputFault('rules', faultOfText))
  if (isMomentary(filter))
    faults.push(inputFault('conditions', 'must not name trades of wallets: alerts alone take these conditions'))
  const read = { ...(bounds && { bounds }), ...(typeof rules === 'string' && { rules }) }
  return { parts: { ...read, ...(conditions && { conditions: filter }) }, faults }
}

const refuse = (faults: readonly Fault[]): void => {
  if (faults.length > 0) throw invalid([...faults])
}

const existing = (name: string, known: readonly string[]): string =>
  known.length === 0 ? `${name}; you have saved none` : `${name}: ${known.join(', ')}`

/** The policy of a name, with the caller's rules over its own. Throws INVALID_PARAMS with the names that there are. */
export async function readPolicy(
  name: string,
  rules: string,
  { caller, gatePolicies }: GraphContext,
): Promise<GatePolicy> {
  const findings = readRules(rules)
  if (isBuiltIn(name)) return { ...BUILT_IN[name], findings }
  const saved = faultOfPolicyName(name) === null ? await gatePolicies.find(caller.accountId, name) : null
  if (saved)
    return {
      ...BUILT_IN[boundsOf(saved)],
      findings: { ...readRules(saved.rules), ...findings },
      conditions: conditionsOf(saved),
    }
  const known = existing('the name of a saved policy', await gatePolicies.names(caller.accountId))
  const message = `policy must be ${GATE_BOUNDS.join(', ')} or ${known}`
  throw invalid([{ location: 'argument', field: 'policy', message }])
}

const nameArg = { required: true, description: 'The name of the policy.' } as const

builder.queryFields((t) => ({
  gatePolicies: t.field({
    type: PolicyConnection,
    description: 'The saved policies of your account, by name.',
    args: connectionArgs,
    extensions: CONNECTION,
    resolve: (_, asked, { caller, gatePolicies }) =>
      readPlaced(asked, (page) => gatePolicies.list(caller.accountId, page)),
  }),
  gatePolicy: t.field({
    type: PolicyObject,
    nullable: true,
    description: 'One saved policy of your account; null if there is none of this name.',
    args: { name: t.arg.string(nameArg) },
    resolve: (_, { name }, { caller, gatePolicies }) =>
      faultOfPolicyName(name) === null ? gatePolicies.find(caller.accountId, name) : null,
  }),
}))

builder.mutationFields((t) => ({
  gatePolicyCreate: t.field({
    type: declarePayload('Create'),
    description: 'Saves a policy of the gate. Fails with FORBIDDEN if the plan allows no more of them.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The policy.' }) },
    resolve: async (_, { input }, { caller, gatePolicies }) => {
      const { name } = input
      const { parts, faults } = readParts(input)
      const fault = faultOfPolicyName(name)
      refuse(fault === null ? faults : [inputFault('name', fault), ...faults])
      const policy = { bounds: 'standard' as const, rules: '', conditions: {}, ...parts, name }
      const made = await gatePolicies.create(caller.accountId, policy, limitsOf(caller.plan, caller).gatePolicies)
      if (made) return made
      throw invalid([inputFault('name', `must be a new name: you have a policy ${name}, which you can change`)])
    },
  }),
  gatePolicyUpdate: t.field({
    type: declarePayload('Update'),
    nullable: true,
    description: 'Changes a saved policy; null if there is none of this name.',
    args: {
      name: t.arg.string(nameArg),
      input: t.arg({ type: UpdateInput, required: true, description: 'What to change.' }),
    },
    resolve: (_, { name, input }, { caller, gatePolicies }) => {
      const { parts, faults } = readParts(input)
      refuse(faults)
      return faultOfPolicyName(name) === null ? gatePolicies.update(caller.accountId, name, parts) : null
    },
  }),
  gatePolicyDelete: t.field({
    type: DeletePayload,
    nullable: true,
    description: 'Deletes a saved policy; null if there is none of this name.',
    args: { name: t.arg.string(nameArg) },
    resolve: async (_, { name }, { caller, gatePolicies }) =>
      faultOfPolicyName(name) === null && (await gatePolicies.remove(caller.accountId, name)) ? name : null,
  }),
}))
