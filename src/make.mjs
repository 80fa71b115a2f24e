// Makes what is missing or older than what it is made of: Prisma's client, the page, and a bundle of the program in `.program`, which
// starts in a third of the time that the sources take. It runs as a process of its own: esbuild keeps a service alive for as long
// as the process that asked it lives.
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import '../prisma/generate.mjs'
import '../web/build.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROGRAM = join(ROOT, '.program')

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The newest change of what the bundle is made of; a folder changes when a file in it comes or goes. */
function newestChange() {
  const src = join(ROOT, 'src')
  const inside = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((name) => join(src, name))
  return Math.max(...[src, ...inside, join(ROOT, 'package-lock.json')].map(changedAt))
}

if (changedAt(join(PROGRAM, 'main.js')) <= newestChange()) {
  const { bundleProgram } = await import('./bundle.mjs')
  // It takes the old one's place when it is whole, since another process may be starting.
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
