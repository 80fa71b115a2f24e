// `node src/start.mjs` in a small project of its own: it has to bundle its program first.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../support/folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STARTS = ['src/start.mjs', 'src/make.mjs', 'src/bundle.mjs', 'src/build-tools.mjs']
/** The inputs of the bundle besides `main.ts`, including those of its other parts. */
const EMPTY = [
  'src/chain/connect/serve.ts',
  'src/sql/child.ts',
  'src/telemetry/watchdog.ts',
  'src/telemetry/watchdog-thread.ts',
  'prisma/generate.mjs',
  'web/build.mjs',
]

function makeProject(main: string, packages = join(ROOT, 'node_modules')): string {
  const folder = makeFolder('start')
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const name of EMPTY) write(name, '')
  write('src/main.ts', main)
  write('package.json', '{ "type": "module" }')
  for (const name of STARTS) copyFileSync(join(ROOT, name), join(folder, name))
  symlinkSync(packages, join(folder, 'node_modules'))
  return folder
}

/** The lines that a process prints; it is ended with the test. */
function start(folder: string) {
  const child = spawn(process.execPath, ['src/start.mjs', 'serve'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a program that bundled itself at its start runs without a compiler beside it', async () => {
  const child = start(makeProject('console.log(process.argv[2]); setInterval(() => {}, 1_000)'))
  const [text] = await once(child.stdout, 'data')
  expect(String(text)).toBe('serve\n')
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'ppid=,args='])
  expect(stdout.split('\n').filter((line) => line.trim().startsWith(`${child.pid} `))).toEqual([])
})

/** How a start that fails ends: its exit code, and what it said. */
async function fail(folder: string) {
  const child = start(folder)
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

test('a program that cannot be bundled names the reason, and does not start', async () => {
  const { code, said } = await fail(makeProject('import "./missing.ts"'))
  expect(code).toBe(1)
  expect(said).toContain('Could not resolve "./missing.ts"')
})

test('a checkout whose packages for building were left out says in one sentence what to run', async () => {
  const { code, said } = await fail(makeProject('', makeFolder('packages')))
  expect(code).toBe(78)
  expect(said).toMatch(
    /^This checkout has to be built first.*: run `npm ci --include=dev`, then the command again\.\n$/,
  )
})

test('a start whose page cannot be built ends with the code and the words of that build', async () => {
  const folder = makeProject(`console.log('started')`)
  writeFileSync(join(folder, 'web/build.mjs'), `process.stderr.write('no such style sheet'); process.exitCode = 3`)
  expect(await fail(folder)).toEqual({ code: 3, said: 'no such style sheet' })
})
