// The analysis of a token's code. Input: the target. Output: the kind of code, and its powers. The findings of an
// earlier check are kept while code, implementation and owner are the same.
import type { Address } from '../../base/address.ts'
import { type Hex, selectorOf } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import type { Capabilities } from '../node/capabilities.ts'
import type { CodeFacts, Power, PowersTried, RpcCall } from '../report.ts'
import { keeperOf } from '../sale/market.ts'
import type { SaleAnswers } from '../sale/sale.ts'
import type { SampledHolder } from '../sale/sample.ts'
import type { SafetyTarget } from '../target.ts'
import { readsOwnCode } from './clones.ts'
import { concludePowers } from './conclude.ts'
import { type ContractFunction, readFunctions, splitTypes, whyUnread } from './functions.ts'
import { readGrants } from './grants.ts'
import { findInsiders } from './insiders.ts'
import { classifyHolders } from './keepers.ts'
import { familyOf, type NativeFamily, readNative } from './native.ts'
import { nameHolders, tryPowers, UNTRIED } from './powers.ts'
import { codeCall, type FollowedCode } from './proxy.ts'
import { suspectsOf } from './suspects.ts'

export interface CodeAnswers {
  code: CodeFacts
  /** Null: nothing was read. */
  powers: readonly Power[] | null
  /** What the powers were read from. */
  powersRead: readonly string[]
  /** Now or in the earlier check. */
  powersTried: PowersTried
}

/** Ways to replace an implementation that proxies hide from a list of functions. */
const SWITCHES = ['upgradeTo(address)', 'upgradeToAndCall(address,bytes)'].map(toFunction)
const DIAMOND_CUT = toFunction('diamondCut((address,uint8,bytes4[])[],address,bytes)')

function toFunction(signature: string): ContractFunction {
  const types = splitTypes(signature.slice(signature.indexOf('(') + 1, -1))
  return { selector: selectorOf(signature).slice(2), types, isWriting: true }
}

export async function examineCode(
  asker: Asker,
  target: SafetyTarget,
  can: Capabilities,
  { holders, sends }: Pick<SaleAnswers, 'holders' | 'sends'>,
  followed: FollowedCode,
): Promise<CodeAnswers> {
  const family = familyOf(target.token, followed.code)
  if (family) return examineNative(asker, target, followed, family)
  const { known } = target
  // The bounds would leave the same functions out again, and no act opened the sales of a closed token before.
  const isClosed = sends.length > 0 && sends.every(({ outcome }) => outcome === 'refused')
  const isKept = known && (known.powersTried !== 'none' || isClosed) && isSame(known.code, followed.facts)
  if (isKept && !(await hasNewcomer(asker, target, known.powers))) return known
  const parts = partsOf(target.token, followed)
  const functions = functionsOf(parts, followed)
  const unread = whyUnread(followed.code, functions)
  const code = { ...followed.facts, selectors: functions.map(({ selector }) => `0x${selector}`), unread, native: null }
  const { powers, powersTried } = await findPowers({ asker, target, can, holders, followed, functions })
  const powersRead = listRead(parts)
  if (unread === null) return { code, powers, powersTried, powersRead }
  return { code, powers: powers.length > 0 ? powers : null, powersTried: 'none', powersRead: [] }
}

/** Whether nobody known had a power, and a later log names somebody. */
async function hasNewcomer(asker: Asker, target: SafetyTarget, powers: readonly Power[]): Promise<boolean> {
  if (!powers.some(({ holderKind }) => holderKind === 'nobody_known')) return false
  const { roles, minters } = await readGrants(asker, target)
  return [...roles, ...minters].some((account) => account !== target.deployer)
}

/** A token that the chain runs: its roles and policies are asked, because its code says nothing. */
async function examineNative(
  asker: Asker,
  target: SafetyTarget,
  { facts }: FollowedCode,
  family: NativeFamily,
): Promise<CodeAnswers> {
  const { powers, read, admin, isComplete } = await readNative(asker, target, family)
  const unread = isComplete ? null : read.length > 0 ? 'roles_unknown' : 'not_evm_code'
  return {
    code: { ...facts, admin, selectors: [], unread, native: family.kind },
    powers: unread === null || powers.length > 0 ? powers : null,
    powersTried: 'none',
    powersRead: read,
  }
}

/** Each contract whose functions were read, and their number. */
const listRead = (parts: readonly CodePart[]): string[] =>
  parts.flatMap(({ name, functions }) => (functions.length > 0 ? [`${name}: ${functions.length} functions`] : []))

const isSame = (a: CodeFacts, b: FollowedCode['facts']): boolean =>
  a.hash === b.hash && a.implementationHash === b.implementationHash && a.owner === b.owner && a.admin === b.admin

interface CodePart {
  name: string
  functions: readonly ContractFunction[]
}

/** The codes of a token that have functions: the proxy's own, the running one, and other facets. */
const partsOf = (token: Address, { code, proxyCode, facts, facets }: FollowedCode): CodePart[] => [
  ...(proxyCode ? [{ name: token, functions: readFunctions(proxyCode) }] : []),
  { name: facts.implementation ?? token, functions: readFunctions(code) },
  ...facets.map((facet, at) => ({ name: `facet ${at + 2}`, functions: readFunctions(facet) })),
]

function functionsOf(parts: readonly CodePart[], { facts }: FollowedCode): ContractFunction[] {
  const isSwitched = facts.proxy !== null && !facts.verifiedClone && facts.proxy !== 'diamond'
  const all = [...(isSwitched ? SWITCHES : []), ...guessedOf(facts), ...parts.flatMap(({ functions }) => functions)]
  return [...new Map(all.map((each) => [each.selector, each])).values()]
}

/** Of a proxy of an unknown kind: what it may answer to, though no code shows it. */
const guessedOf = ({ proxy }: Pick<CodeFacts, 'proxy'>): ContractFunction[] =>
  proxy === 'custom' ? [...SWITCHES, DIAMOND_CUT] : []

/** The calls for the codes that have the functions, by selector; those of a diamond's other facets have none. */
function codeCallsOf(asker: Asker, token: Address, { code, proxyCode, facts }: FollowedCode): Map<string, RpcCall> {
  const callsOf = (of: Hex, at: Address) =>
    readFunctions(of).map(({ selector }): [string, RpcCall] => [selector, codeCall(asker, at)])
  return new Map([...(proxyCode ? callsOf(proxyCode, token) : []), ...callsOf(code, facts.implementation ?? token)])
}

interface PowerQuestion {
  asker: Asker
  target: SafetyTarget
  can: Capabilities
  holders: readonly SampledHolder[]
  followed: FollowedCode
  functions: readonly ContractFunction[]
}

async function findPowers({ asker, target, can, holders, followed, functions }: PowerQuestion) {
  const { token, seed, pools, supply } = target
  // A shared request lays other code over the token.
  if (followed.proxyCode && readsOwnCode(followed.proxyCode, followed.code)) asker.distrust()
  const { callers, asked, empties } = await findInsiders(asker, target, followed, holders[0])
  const suspects = [
    ...suspectsOf(functions, token),
    ...asked.flatMap(({ address, code }) => suspectsOf(readFunctions(code), address)),
  ]
  const keeper = pools[0] ? keeperOf(pools[0]) : null
  const way = can.simulate ? ('blocks' as const) : ('call' as const)
  const setting = keeper && holders.length > 0 && can.execute ? { token, keeper, holders, seed, way } : null
  const amount = supply ?? holders.reduce((sum, { balance }) => sum + balance, 0n) * 10n
  const ask = can.simulate || can.override ? tryPowers : nameHolders
  const [result, facts] = await Promise.all([
    setting ? ask({ asker, setting, supply: amount, callers, suspects, empties }) : UNTRIED,
    classifyHolders(asker, callers),
  ])
  const { owner, admin } = followed.facts
  const codeCalls = codeCallsOf(asker, token, followed)
  const guessed = new Set(guessedOf(followed.facts).map(({ selector }) => selector))
  const powers = concludePowers({ token, owner, admin, result, suspects, holders: facts, codeCalls, guessed })
  // Such a proxy may have further functions.
  const isInPart = guessed.size > 0 && result.tried === 'all'
  return { powers, powersTried: isInPart ? ('some' as const) : result.tried }
}
