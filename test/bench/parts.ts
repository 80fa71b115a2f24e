// The measured parts; each prints its lines.
import { measureBoard } from './board.ts'
import { compare, LISTS, routesOf } from './compare.ts'
import { measureDemo, measureIdleApi, measureInstallation, WAYS } from './lean.ts'
import { measureLists, SEARCH } from './lists.ts'
import type { Sizes } from './load.ts'
import { headFigures, headRatios, sayFigure, sayRatio } from './report.ts'
import { type Ends, end, startOurs, startYardstick } from './servers.ts'

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
const MANY_TOKENS = 1_000_000
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

export const PARTS: Readonly<Record<string, (options: PartOptions) => Promise<void>>> = {
  cold,
  board,
  lists,
  lean,
}
