// The blocks of one page as one shell script, so that a later block finds what an earlier one has set. In: a page and the
// running program. Out: what each block printed.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { Block, Page } from './pages.ts'
import type { RunningProgram } from './program.ts'

/** What a page names as the address of the program, and as the way to its command line. */
const ADDRESS = /http:\/\/127\.0\.0\.1:4000/g
const PREAMBLE = `set -euo pipefail
npm() {
  [ "\${*:1:3}" = 'run -s assay' ] || { echo "npm $* cannot run here: mark the block" >&2; return 1; }
  shift 4
  node $ASSAY "$@"
}
`
const NOT_RUN = /^not-run: \S/
const RUN_LANGUAGES = ['sh', 'ts', 'python', 'graphql'] as const
/** Languages of blocks that only show something. */
const SHOWN_LANGUAGES = ['json', 'text', 'mermaid']

export interface Printed {
  block: Block
  output: string
}

export const isMarked = ({ note }: Block): boolean => NOT_RUN.test(note)

/** Blocks that are executed. */
export const runBlocks = ({ blocks }: Page): Block[] =>
  blocks.filter((block) => RUN_LANGUAGES.some((language) => language === block.language) && !isMarked(block))

/** Blocks that are neither executed, nor marked, nor in a language that only shows something. */
export const strayBlocks = ({ blocks }: Page): Block[] =>
  blocks.filter(
    (block) =>
      !isMarked(block) &&
      !SHOWN_LANGUAGES.includes(block.language) &&
      !RUN_LANGUAGES.some((language) => language === block.language && block.note === ''),
  )

/**
 * Runs the blocks in their order, except those of a language that this machine lacks. A failure has the output of the
 * failed one.
 */
export function runPage(page: Page, program: RunningProgram, lacks: readonly string[]): Promise<Printed[]> {
  const blocks = runBlocks(page).filter(({ language }) => !lacks.includes(language))
  const body = blocks.map((block) => `printf '\\n@@@\\n'; printf '\\n@@@\\n' >&2\n${toShell(block, page, program)}\n`)
  const path = join(program.folder, `${page.path.replaceAll('/', '-')}.sh`)
  writeFileSync(path, PREAMBLE + body.join(''))
  return new Promise((resolve, reject) => {
    const options = { cwd: program.folder, env: program.environment, timeout: 60_000, maxBuffer: 2 ** 24 }
    execFile('bash', [path], options, (error, stdout, stderr) => {
      const outputs = stdout.split('\n@@@\n').slice(1)
      const failed = blocks[outputs.length - 1]
      const said = stderr.split('\n@@@\n').at(-1)
      if (error) reject(new Error(`${page.path}:${failed?.line} failed: ${said}\n${outputs.at(-1)}`))
      else resolve(blocks.map((block, index) => ({ block, output: outputs[index] ?? '' })))
    })
  })
}

function toShell(block: Block, page: Page, { address, folder }: RunningProgram): string {
  const text = block.text.replace(ADDRESS, address)
  if (block.language === 'sh') return text
  const name = join(folder, `${page.path.replaceAll('/', '-')}-${block.line}`)
  if (block.language === 'graphql') {
    writeFileSync(`${name}.json`, JSON.stringify({ query: text }))
    const headers = `-H "Authorization: Bearer $(cat .assay/demo-key)" -H 'Content-Type: application/json'`
    return `curl -sS ${address}/graphql ${headers} -d @${name}.json`
  }
  if (block.language === 'ts') {
    writeFileSync(`${name}.mjs`, transformSync(text, { loader: 'ts' }).code)
    return `node ${name}.mjs`
  }
  writeFileSync(`${name}.py`, text)
  return `python3 ${name}.py`
}
