// The measured parts; each prints its lines.
import { measureBoard } from './board.ts'
import { compare, eachOnce, fire, hold, LISTS, race, raceOf, routesOf, warmPathsOf } from './compare.ts'
import { QUESTIONS } from './documents.ts'
import { measureDemo, measureIdleApi, measureInstallation, WAYS } from './lean.ts'
import { measureLists, SEARCH } from './lists.ts'
import type { Sizes } from './load.ts'
import { profile } from './profile.ts'
import { headFigures, headRatios, headShares, say, sayFigure, sayRatio, sayShares } from './report.ts'
import { type Ends, end, PROFILING, startConstant, startOurs, startPostgraphile, startYardstick } from './servers.ts'

export interface PartOptions {
  ends: Ends
  url: string
  sizes: Sizes
  /** A database with fewer tokens. */
  fewer: { url: string; sizes: Sizes } | null
  rounds: number
  seconds: number
  cpuProf: string | undefined
  isWanted(route: string): boolean
}

/** Goals beside the hand-written server. */
const COLD_GOALS: Record<string, number> = {
  'GET /tokens/{address}': 0.6,
  'GET /wallets/{address}': 0.6,
}
const LEAST_COLD = 0.5
const LEAST_LIST = 2
const goalOf = (route: string) => (route.startsWith(LISTS) ? LEAST_LIST : (COLD_GOALS[route] ?? LEAST_COLD))
const LEAST_WARM = 0.4
/** 304 beside the whole answer, which is kept as bytes too: no slower, but for a fifth of noise. */
const LEAST_HELD = 0.8
/** With limits beside without: they cost under 8 %. */
const LEAST_LIMITED = 0.92
const MANY_TOKENS = 1_000_000
/** Paths of a route that are profiled cold. */
const PROFILED_PATHS = 40_000

const profilingOf = (folder: string | undefined) => (folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [])

/** Each route over more paths than are kept, beside the hand-written server. */
async function cold({ ends, url, sizes, cpuProf, isWanted, ...times }: PartOptions): Promise<void> {
  const ours = await startOurs(ends, url, profilingOf(cpuProf))
  const yardstick = await startYardstick(ends, url)
  headRatios('cold', 'by hand/s')
  for (const route of routesOf(sizes))
    if (isWanted(route.name)) sayRatio(await compare(ours, yardstick, route, times), goalOf(route.name))
  await Promise.all([end(ours.child), end(yardstick.child)])
}

/** The same again and again, beside an Express app that sends constant JSON. */
async function warm({ ends, url, sizes, cpuProf, isWanted, ...times }: PartOptions): Promise<void> {
  const ours = await startOurs(ends, url, profilingOf(cpuProf))
  const paths = warmPathsOf(sizes)
  const constant = await startConstant(ends, ours, Object.values(paths))
  headRatios('warm', 'constant/s')
  for (const [name, path] of Object.entries(paths))
    if (isWanted(name)) sayRatio(await race(ours, constant, name, [path], times), LEAST_WARM)
  headRatios('304 to who has it', 'whole/s')
  for (const [name, path] of Object.entries(paths)) {
    if (!isWanted(name)) continue
    const held = await hold(ours, path)
    sayRatio(await raceOf({ server: ours, asked: [held] }, { server: ours, asked: [path] }, name, times), LEAST_HELD)
  }
  await Promise.all([end(ours.child), end(constant.child)])
}

/** GraphQL beside PostGraphile, the same questions. */
async function graphql({ ends, url, isWanted, ...times }: PartOptions): Promise<void> {
  const [ours, postgraphile] = [await startOurs(ends, url), await startPostgraphile(ends, url)]
  headRatios('GraphQL by POST', 'PostGraphile/s')
  if (!postgraphile) say('PostGraphile could not be installed here, or Node is older than 22')
  for (const { name, goal, ...asked } of QUESTIONS) {
    if (!postgraphile || !isWanted(name)) continue
    const [one, other] = [
      { server: ours, asked: asked.ours },
      { server: postgraphile, asked: asked.postgraphile },
    ]
    const cold = { one: { ...one, asked: eachOnce(one.asked) }, other: { ...other, asked: eachOnce(other.asked) } }
    sayRatio(await raceOf(cold.one, cold.other, `${name}, each once`, times), goal)
    sayRatio(await raceOf(one, other, `${name}, again`, times), goal)
  }
  await end(ours.child)
  if (postgraphile) await end(postgraphile.child)
}

async function board(): Promise<void> {
  const { megabytes, questions } = measureBoard(MANY_TOKENS)
  headFigures(`${MANY_TOKENS.toLocaleString('en')} tokens in memory`)
  sayFigure('all of it, with names and orders', megabytes, 150, 'MB')
  for (const { name, medianMs, p95Ms } of questions) {
    const most = name === 'search' ? 20 : 15
    sayFigure(`${name}, median`, medianMs, most, 'ms')
    sayFigure(`${name}, p95`, p95Ms, most, 'ms')
  }
}

/** Lists and searches one after the other, beside the same among fewer tokens. */
async function lists({ ends, url, sizes, fewer }: PartOptions): Promise<void> {
  const start = async (database: string, { tokens }: Sizes) => ({ server: await startOurs(ends, database), tokens })
  const here = await start(url, sizes)
  const others = fewer && (await start(fewer.url, fewer.sizes))
  headFigures('lists over HTTP, one client')
  await measureLists(here, others, ({ name, medianMs, p95Ms, fewerP95Ms }) => {
    sayFigure(`${name}, median`, medianMs, name === SEARCH ? 20 : 15, 'ms')
    sayFigure(`${name}, p95`, p95Ms, name === SEARCH ? 20 : 15, 'ms')
    if (fewerP95Ms !== null) sayFigure(`${name}, p95 by that of fewer`, p95Ms / fewerP95Ms, 2, 'times')
  })
  await end(here.server.child)
  if (others) await end(others.server.child)
}

async function lean({ ends, url }: PartOptions): Promise<void> {
  headFigures('lean')
  for (const [way, program] of Object.entries(WAYS)) {
    sayFigure(`${way}: API process, idle`, await measureIdleApi(ends, program, url), 120, 'MB')
    const demo = await measureDemo(ends, program)
    sayFigure(`${way}: one process after the demo`, demo.memory, 250, 'MB')
    sayFigure(`${way}: start on existing data`, demo.seconds, 1.5, 's')
  }
  const installation = measureInstallation(ends)
  sayFigure('npm ci --omit=dev', installation?.megabytes ?? null, 200, 'MB')
  sayFigure('npm ci --omit=dev', installation?.seconds ?? null, 20, 's')
}

/** The parts of a request's time, and the cost of the limits: the same for an account without limits. */
async function profiled({ ends, url, sizes, rounds, seconds, isWanted }: PartOptions): Promise<void> {
  const ours = await startOurs(ends, url, PROFILING)
  headShares()
  const seed = { value: 7 }
  const random = () => {
    seed.value = (Math.imul(seed.value, 1_664_525) + 1_013_904_223) >>> 0
    return seed.value / 2 ** 32
  }
  const routes: [string, string[]][] = [
    ...routesOf(sizes).map(({ name, path }): [string, string[]] => [
      `${name}, cold`,
      Array.from({ length: PROFILED_PATHS }, () => path(random)),
    ]),
    ...Object.entries(warmPathsOf(sizes)).map(([name, path]): [string, string[]] => [`${name}, warm`, [path]]),
  ].filter(([name]) => isWanted(name))
  for (const [name, paths] of routes) {
    await fire(ours, paths, 1)
    sayShares(name, await profile(ours.child, () => fire(ours, paths, seconds)))
  }
  headRatios('the limits', 'no limits/s')
  for (const [name, asked] of routes)
    sayRatio(
      await raceOf({ server: ours, asked }, { server: ours.unlimited, asked }, name, { rounds, seconds }),
      LEAST_LIMITED,
    )
  await end(ours.child)
}

export const PARTS: Readonly<Record<string, (options: PartOptions) => Promise<void>>> = {
  cold,
  warm,
  graphql,
  board,
  lists,
  lean,
  profile: profiled,
}
