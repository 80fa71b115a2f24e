// Every command and snippet of the pages runs against one program on the demo chain. Every shown answer has the shape
// of the real one. `UPDATE_DOCS=1 npx vitest run test/docs/examples.test.ts` puts today's answers into the pages.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { createReport, storeReport } from '../support/safety-report.ts'
import { type Page, ROOT, readPages } from './pages.ts'
import { type RunningProgram, startProgram } from './program.ts'
import { isMarked, type Printed, runBlocks, runPage, strayBlocks } from './script.ts'
import { cutLike, differences, layOut, leaveOutLike, UNSEEN } from './shape.ts'

const UPDATES = process.env.UPDATE_DOCS === '1'
/** Blocks that cannot run in a test: they install, need a network, a proxy or labelled data, or measure for minutes. */
const MOST_MARKED = 30

const pages = readPages()
const pagesThatRun = pages.filter((page) => runBlocks(page).length > 0)
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Answers that are shown, each with the block before it. */
const answersOf = ({ blocks }: Page) =>
  blocks.flatMap((block, index) => {
    const asked = blocks[index - 1]
    return block.language === 'json' && block.note === 'answer' && asked ? [{ shown: block, asked }] : []
  })

/** Stores the finding that the program's check would make later: before it the doctor counts the balances as wrong. */
async function plantUnexplained({ pool }: TestDatabase): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(`SELECT id FROM token WHERE symbol = 'GHOST'`)
  const report = createReport({ block: 1, at: 1, balancesDiffer: { asked: 10, differ: 10, moved: 0 } })
  for (const { id } of rows) await storeReport(pool, id, report)
}

/** The checks of the demo take some seconds, and minutes on a machine that is busy with other work. */
const CHECK_MS = 240_000

/** Waits for the program's check of the token whose safety `docs/rest.md` shows. */
async function waitForCheck({ pool }: TestDatabase): Promise<void> {
  const find = `SELECT FROM token_safety s JOIN token t ON t.id = s.token_id WHERE t.symbol = 'EXODUS'`
  while ((await pool.query(find)).rowCount === 0) await setTimeout(250)
}

describe('with the demo chain', () => {
  let program: RunningProgram
  beforeAll(async () => {
    const database = await createDemoDatabase()
    await plantUnexplained(database)
    program = await startProgram(database)
    await waitForCheck(database)
  }, CHECK_MS)
  afterAll(() => program?.stop())

  test.each(pagesThatRun.map((page) => [page.path, page] as const))(
    'every command of %s runs, and its answer has the shape on the page',
    async (_, page) => {
      const printed = await runPage(page, program, hasPython ? [] : ['python'])
      if (UPDATES) return update(page, printed)
      expect(answersOf(page).flatMap(({ shown, asked }) => compare(printed, shown, asked))).toEqual([])
    },
    60_000,
  )
})

// Says so in the report, instead of leaving them out in silence.
if (!hasPython) test.skip('Python snippets need python3, which is not installed on this machine', () => {})

test('a block runs, or names the reason why it does not run here', () => {
  expect(pages.flatMap((page) => strayBlocks(page).map(({ line }) => `${page.path}:${line}`))).toEqual([])
  const marked = pages.flatMap(({ blocks }) => blocks.filter(isMarked))
  expect(marked.length).toBeLessThanOrEqual(MOST_MARKED)
})

test('every JSON block of the pages is valid JSON', () => {
  for (const { path, blocks } of pages) {
    for (const { language, text, line } of blocks) {
      if (language === 'json') expect(() => JSON.parse(text), `${path}:${line}`).not.toThrow()
    }
  }
})

test('no page holds a character that cannot be seen, and answers are laid out with such escaped', () => {
  for (const { path, text } of pages) expect([path, text.replaceAll('\n', '').match(UNSEEN)]).toEqual([path, null])
  const symbol = 'a\u202e\u007f\u2028\u{e0041}"'
  expect(layOut({ symbol })).toBe('{ "symbol": "a\\u202e\\u007f\\u2028\\udb40\\udc41\\"" }')
  expect(JSON.parse(layOut({ symbol }))).toEqual({ symbol })
})

test('an answer stands right after the block that asks for it', () => {
  const wrong = pages.flatMap((page) =>
    answersOf(page).flatMap(({ shown, asked }) =>
      runBlocks(page).includes(asked) ? [] : [`${page.path}:${shown.line}`],
    ),
  )
  expect(wrong).toEqual([])
})

function compare(printed: Printed[], shown: Page['blocks'][number], asked: Page['blocks'][number]): string[] {
  const output = printed.find(({ block }) => block === asked)?.output
  if (output === undefined) return []
  const page: unknown = JSON.parse(shown.text)
  return differences(page, leaveOutLike(page, JSON.parse(output))).map((text) => `line ${shown.line}: ${text}`)
}

/** Writes the real answers into the page, each list as long as the page has it. */
function update(page: Page, printed: Printed[]): void {
  const lines = page.text.split('\n')
  for (const { shown, asked } of answersOf(page).reverse()) {
    const output = printed.find(({ block }) => block === asked)?.output
    if (output === undefined) continue
    const page: unknown = JSON.parse(shown.text)
    const text = layOut(cutLike(page, leaveOutLike(page, JSON.parse(output)))).split('\n')
    lines.splice(shown.line, shown.text.split('\n').length - 1, ...text)
  }
  writeFileSync(`${ROOT}/${page.path}`, lines.join('\n'))
}
