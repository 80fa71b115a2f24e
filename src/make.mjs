// Builds missing or outdated files: Prisma's client, the page, and a bundle of the program in `.program`, which starts
// in a third of the sources' time. It runs in its own process: esbuild keeps a service alive as long as the calling
// process lives.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needBuildTools } from './build-tools.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Builds the page beside the rest: its packing takes a third of a first start. */
const page = spawn(process.execPath, [join(ROOT, 'web', 'build.mjs')], { stdio: ['ignore', 'inherit', 'pipe'] })
const pageEnd = once(page, 'close')
let complaint = ''
page.stderr.on('data', (text) => {
  complaint += text
})
await import('../prisma/generate.mjs')

const PROGRAM = join(ROOT, '.program')

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The newest change of the bundle's inputs; a folder changes when a file in it comes or goes. */
function newestChange() {
  const src = join(ROOT, 'src')
  const inside = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((name) => join(src, name))
  return Math.max(...[src, ...inside, join(ROOT, 'package-lock.json')].map(changedAt))
}

if (changedAt(join(PROGRAM, 'main.js')) <= newestChange()) {
  needBuildTools()
  const { bundleProgram } = await import('./bundle.mjs')
  // It replaces the old one when it is complete, because another process may be starting.
  const made = mkdtempSync(`${PROGRAM}-`)
  await bundleProgram(made, PROGRAM)
  rmSync(PROGRAM, { recursive: true, force: true })
  try {
    renameSync(made, PROGRAM)
  } catch (error) {
    // Another process was faster.
    rmSync(made, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error
  }
}

const [code] = await pageEnd
if (code !== 0) {
  process.stderr.write(complaint)
  process.exit(code ?? 1)
}
