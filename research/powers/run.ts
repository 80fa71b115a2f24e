// `npm run research -- powers FOLDER [--compilers FOLDER]`: the powers that checks find in contracts whose powers are labelled, tried on a local EVM.
// FOLDER has truth.csv, checked.csv, backdoor.csv and unlisted.csv, code/ADDRESS.hex and source/ADDRESS.sol. Nothing of it belongs to the
// project. --half a or b takes every second contract: trials were chosen on half a. With --out FILE it keeps each verdict and goes on where it stopped; with --report it judges nothing anew. Prints recall and precision by power, and each miss.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import type { PowerKind } from '../../src/base/vocabulary.ts'
import { keccakOfText } from '../../src/chain/keccak.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import { readFunctions } from '../../src/safety/code/functions.ts'
import type { SafetyReport } from '../../src/safety/report.ts'
import { createWorld, type World } from '../zoo/world.ts'
import { openCompilers } from './compilers.ts'
import { embody, ROUTERS } from './embody.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compilers: { type: 'string' },
    only: { type: 'string', default: '' },
    half: { type: 'string', default: '' },
    out: { type: 'string' },
    report: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (!folder) throw new Error('usage: npm run research -- powers FOLDER [--compilers FOLDER]')
const say = (line: string) => process.stdout.write(`${line}\n`)

const readCsv = (name: string): Record<string, string>[] => {
  const [head = '', ...lines] = readFileSync(join(folder, name), 'utf8').trim().split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell.trim()])))
}
const readIf = (...paths: string[]): string | null => {
  const path = paths.map((each) => join(folder, each)).find(existsSync)
  return path ? readFileSync(path, 'utf8').trim() : null
}

interface Verdict {
  address: string
  isAlive: boolean
  /** Before its deployer opened it, the check said that it cannot be sold. */
  wasClosed: boolean
  /** `other`: it has no `transfer` or no `balanceOf`, so it is no token, whatever its labels say. */
  how: 'source' | 'code' | 'other' | 'none'
  tried: string
  powers: { kind: PowerKind; function: string; proven: boolean; hidden: boolean; renounced: boolean }[]
  findings: { name: string; strength: number }[]
  floor: number
}

const TOKENS_PER_WORLD = 60
/** Some constructors know their routers by the chain. */
const CHAIN_ID = 56
const compilers = values.compilers ? openCompilers(values.compilers) : null
const signal = new AbortController().signal
let world: World | null = null
let used = 0

async function nextWorld(): Promise<World> {
  if (world && used++ < TOKENS_PER_WORLD) return world
  await world?.stop()
  used = 1
  world = await createWorld(CHAIN_ID)
  const code = await world.anvil.rpc('eth_getCode', [world.v2Router, 'latest'])
  for (const router of ROUTERS) await world.anvil.rpc('anvil_setCode', [router, code])
  return world
}

/** Its code answers to `transfer` and `balanceOf`, or delegates what it does not know. */
function isToken(runtime: `0x${string}`): boolean {
  const selectors = new Set(readFunctions(runtime).map(({ selector }) => selector))
  return (selectors.has('a9059cbb') && selectors.has('70a08231')) || runtime.length < 1_000
}

async function judgeOne(address: string): Promise<Verdict> {
  const here = await nextWorld()
  const source = readIf(`source/${address}.sol`, `code/${address}.sol`)
  const hex = readIf(`code/${address}.hex`)
  const compiled = source && compilers ? compilers.compile(source) : null
  const runtime = hex ? (`0x${hex.replace(/^0x/, '')}` as const) : null
  const none: Verdict = {
    address,
    isAlive: false,
    wasClosed: false,
    how: 'none',
    tried: 'none',
    powers: [],
    findings: [],
    floor: 0,
  }
  if (!runtime && !compiled) return none
  if (runtime && !isToken(runtime)) return { ...none, how: 'other' }
  try {
    const safety = createSafety({ rpc: createRpc({ urls: [here.anvil.url], clock: systemClock, timeoutMs: 20_000 }) })
    let wasClosed = false
    const body = await embody(here, address, { runtime, compiled }, async (target) => {
      const { findings } = await safety.check(target, signal)
      wasClosed = findings.some(({ name }) => name === 'cannot_sell')
    })
    if (!body) return none
    const report: SafetyReport = await safety.check(body.target, signal)
    return {
      address,
      isAlive: body.isAlive,
      wasClosed: wasClosed && body.isOpened,
      how: compiled ? 'source' : 'code',
      tried: report.powersTried,
      powers: (report.powers ?? []).map(({ kind, function: name, proven, hidden, renounced }) => ({
        kind,
        function: name,
        proven,
        hidden,
        renounced,
      })),
      findings: report.findings.map(({ name, strength }) => ({ name, strength })),
      floor: report.floor,
    }
  } catch (error) {
    say(`${address}: ${error instanceof Error ? error.message.slice(0, 200) : error}`)
    used = TOKENS_PER_WORLD
    return none
  }
}

/** The kinds of power that a label stands for. */
const KINDS: Readonly<Record<string, readonly PowerKind[]>> = {
  mint: ['mint'],
  leak: ['take', 'destroy'],
  limit: ['stop_sales', 'pause', 'blacklist', 'limits', 'fee'],
  GenerateToken: ['mint'],
  FreezeAccount: ['blacklist', 'stop_sales', 'pause'],
  DisableTransfer: ['pause', 'stop_sales', 'blacklist'],
  DestoryToken: ['destroy', 'take'],
}

interface Question {
  set: string
  label: string
  address: string
  isThere: boolean
}

/** The half that a contract belongs to, whatever its labels. */
const halfOf = (address: string): string => (Number.parseInt(keccakOfText(address).slice(-1), 16) % 2 === 0 ? 'a' : 'b')
const isAsked = ({ address }: { address: string }): boolean => values.half === '' || halfOf(address) === values.half

const questions: Question[] = [
  ...readCsv('truth.csv').flatMap((row) =>
    ['mint', 'leak', 'limit'].map((label) => ({
      set: 'truth',
      label,
      address: row.address ?? '',
      isThere: row[label] === '1',
    })),
  ),
  ...readCsv('checked.csv').map((row) => ({
    set: 'checked',
    label: row.class ?? '',
    address: row.address ?? '',
    isThere: row.true_positive === 'Yes',
  })),
  ...readCsv('backdoor.csv').map((row) => ({
    set: 'backdoor',
    label: row.class ?? '',
    address: row.address ?? '',
    isThere: true,
  })),
].filter(isAsked)
const ordinary = readCsv('unlisted.csv').flatMap(({ address = '' }) => (isAsked({ address }) ? [address] : []))
const wanted = [
  ...new Set([
    ...questions.filter(({ set }) => set.includes(values.only)).map(({ address }) => address),
    ...('unlisted'.includes(values.only) ? ordinary : []),
  ]),
].toSorted((a, b) => Number(keccakOfText(a) > keccakOfText(b)) - 0.5)

const kept = values.out
const verdicts = new Map<string, Verdict>()
if (kept && existsSync(kept))
  for (const line of readFileSync(kept, 'utf8').trim().split('\n').filter(Boolean)) {
    const verdict = JSON.parse(line) as Verdict
    verdicts.set(verdict.address, verdict)
  }
if (!values.report)
  for (const address of wanted) {
    if (verdicts.has(address)) continue
    const verdict = await judgeOne(address)
    verdicts.set(address, verdict)
    if (kept) appendFileSync(kept, `${JSON.stringify(verdict)}\n`)
  }
await (world as World | null)?.stop()

/** Labels of tokens whose holders cannot send until somebody lets them: the check says so while it is true. */
const OPENED: ReadonlySet<string> = new Set(['limit', 'DisableTransfer'])
const says = ({ powers, wasClosed }: Verdict, label: string): boolean =>
  powers.some(({ kind }) => (KINDS[label] ?? []).includes(kind)) || (wasClosed && OPENED.has(label))
const groups = new Map<string, Question[]>()
for (const each of questions) {
  const name = `${each.set} ${each.label}`
  groups.set(name, [...(groups.get(name) ?? []), each])
}
say('| Set | Power | There | Found | Recall | Not there | Accused | Precision |')
say('|---|---|---|---|---|---|---|---|')
for (const [name, list] of groups) {
  const told = list.flatMap((question) => {
    const verdict = verdicts.get(question.address)
    return verdict && verdict.how !== 'none' && verdict.how !== 'other'
      ? [{ ...question, isFound: says(verdict, question.label) }]
      : []
  })
  const there = told.filter(({ isThere }) => isThere)
  const found = there.filter(({ isFound }) => isFound).length
  const accused = told.filter(({ isThere, isFound }) => !isThere && isFound).length
  const share = (part: number, of: number) => (of === 0 ? '-' : (part / of).toFixed(2))
  say(
    `| ${name.replace(' ', ' | ')} | ${there.length} | ${found} | ${share(found, there.length)} | ${told.length - there.length} | ${accused} | ${share(found, found + accused)} |`,
  )
  for (const each of told.filter(({ isThere, isFound }) => isThere !== isFound)) {
    const verdict = verdicts.get(each.address)
    say(
      `    ${each.isThere ? 'missed' : 'accused'}: ${each.address} ${verdict?.how} alive=${verdict?.isAlive} tried=${verdict?.tried} ${verdict?.powers.map(({ kind, function: of, proven }) => `${kind}:${of}${proven ? '!' : ''}`).join(' ')}`,
    )
  }
}
/** Routers sell with `approve` and `transferFrom`: a token without them has no exchange, whatever its owner may do. */
function canTrade({ address }: Verdict): boolean {
  const source = readIf(`source/${address}.sol`, `code/${address}.sol`)
  const abi = (source && compilers?.compile(source)?.abi) || []
  const names = new Set(abi.flatMap((each) => (each.type === 'function' ? [each.name] : [])))
  return names.has('approve') && names.has('transferFrom')
}
const judged = ordinary
  .flatMap((address) => verdicts.get(address) ?? [])
  .filter((verdict) => verdict.isAlive && canTrade(verdict))
const grave = judged.filter(({ floor }) => floor >= 50)
say(`ordinary contracts whose holders can send and approve, above medium: ${grave.length} of ${judged.length}`)
for (const { address, isAlive, findings, powers } of grave)
  say(
    `    ${address} alive=${isAlive} ${findings.map(({ name, strength }) => `${name}:${strength}`).join(' ')} | ${powers.map(({ kind, function: of, proven, hidden }) => `${kind}:${of}${proven ? '!' : ''}${hidden ? '?' : ''}`).join(' ')}`,
  )
const all = [...verdicts.values()]
say(
  `${all.length} contracts: ${all.filter(({ how }) => how === 'source').length} deployed from source, ${all.filter(({ how }) => how === 'code').length} by code, ${all.filter(({ how }) => how === 'other').length} no tokens, ${all.filter(({ how }) => how === 'none').length} not run; holders can send in ${all.filter(({ isAlive }) => isAlive).length}`,
)
