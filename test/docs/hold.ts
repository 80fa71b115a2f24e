// Holds the examples of pages. Every command and snippet runs against one program on the demo chain, and every shown
// answer has the shape of the real one. With UPDATE_DOCS=1 today's answers are put into the pages instead.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { createReport, storeReport } from '../support/safety-report.ts'
import { judgeClaim } from './claims.ts'
import { type Block, type Page, ROOT, readPage } from './pages.ts'
import { type RunningProgram, startProgram } from './program.ts'
import { type Printed, runPage } from './script.ts'
import { cutLike, differences, isLike, layOut, leaveOutLike } from './shape.ts'

const UPDATES = process.env.UPDATE_DOCS === '1'
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Answers that are shown, each with the block before it. */
export const answersOf = ({ blocks }: Page) =>
  blocks.flatMap((block, index) => {
    const asked = blocks[index - 1]
    return block.language === 'json' && isAnswer(block) && asked ? [{ shown: block, asked }] : []
  })

/** A refusal is shown on purpose only. */
const REFUSED = 'answer refused'
const isAnswer = ({ note }: Block): boolean => note === 'answer' || note === REFUSED

/** Whether the text is an error of REST or GraphQL, alone or beside data. */
function isRefusal(text: string): boolean {
  try {
    const { error, errors } = JSON.parse(text)
    return error !== undefined || errors !== undefined
  } catch {
    return false
  }
}

/** Answers of a page that are errors though the page shows none, or the other way round. */
export const strayRefusals = ({ path, blocks }: Page): string[] =>
  blocks
    .filter((block) => isAnswer(block) && isRefusal(block.text) !== (block.note === REFUSED))
    .map(({ line }) => `${path}:${line}`)

/** The same of what the blocks printed. */
function strayOutputs(page: Page, printed: readonly Printed[]): string[] {
  const refused = new Set(answersOf(page).flatMap(({ shown, asked }) => (shown.note === REFUSED ? [asked] : [])))
  return printed
    .filter(({ block, output }) => isRefusal(output) !== refused.has(block))
    .map(({ block, output }) => `${page.path}:${block.line}: ${output}`)
}

/** Stores the finding that the program's check would make later: before it the doctor counts the balances as wrong. */
async function plantUnexplained({ pool }: TestDatabase): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(`SELECT id FROM token WHERE symbol = 'GHOST'`)
  const report = createReport({ block: 1, at: 1, balancesDiffer: { asked: 10, differ: 10, moved: 0 } })
  for (const { id } of rows) await storeReport(pool, id, report)
}

/** Call it at the top of a test file. */
export function holdExamples(pages: readonly Page[]): void {
  describe('with the demo chain', () => {
    let program: RunningProgram
    beforeAll(async () => {
      const database = await createDemoDatabase()
      await plantUnexplained(database)
      program = await startProgram(database)
    })
    afterAll(() => program?.stop())

    test.each(pages.map((page) => [page.path, page] as const))(
      'every command of %s runs, and its answer has the shape on the page',
      async (_, page) => {
        const printed = await runPage(page, program, hasPython ? [] : ['python'])
        expect(strayOutputs(page, printed)).toEqual([])
        if (UPDATES) return update(page, printed)
        expect(answersOf(page).flatMap(({ shown, asked }) => compare(page, printed, { shown, asked }))).toEqual([])
      },
    )
  })
  // Says so in the report, instead of leaving them out in silence.
  if (!hasPython) test.skip('Python snippets need python3, which is not installed on this machine', () => {})
}

function compare(page: Page, printed: Printed[], { shown, asked }: { shown: Block; asked: Block }): string[] {
  const output = printed.find(({ block }) => block === asked)?.output
  if (output === undefined) return []
  const known: unknown = JSON.parse(shown.text)
  const real: unknown = JSON.parse(output)
  const claim = judgeClaim(page, shown, real)
  return [
    ...differences(known, leaveOutLike(known, real)).map((text) => `line ${shown.line}: ${text}`),
    ...(claim === null ? [] : [claim]),
  ]
}

/**
 * Writes the real answers into the page as it is by now, because other tests write tables into it meanwhile. Each list
 * is as long as the page has it. An answer stays if only identifiers, secrets and times of the run differ.
 */
function update({ path, blocks }: Page, printed: Printed[]): void {
  const now = readPage(path)
  const lines = now.text.split('\n')
  for (const { shown, asked } of answersOf(now).reverse()) {
    const output = printed.find(({ block }) => block === blocks[now.blocks.indexOf(asked)])?.output
    if (output === undefined) continue
    const before: unknown = JSON.parse(shown.text)
    const real = cutLike(before, leaveOutLike(before, JSON.parse(output)))
    if (isLike(before, real)) continue
    lines.splice(shown.line, shown.text.split('\n').length - 1, ...layOut(real).split('\n'))
  }
  writeFileSync(`${ROOT}/${path}`, lines.join('\n'))
}
