// The process that runs SQL ends with the program that started it, whatever it is doing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { compiledModule } from '../support/build.ts'
import { makeFolder } from '../support/folder.ts'

/** Starts the process as the program does, gives it a query that takes hours, and tells its id. */
const PROGRAM = `
  import { spawn } from 'node:child_process'
  const [file, options] = process.argv.slice(1)
  const child = spawn('/bin/sh', ['-c', 'exec "$@"', 'sh', process.execPath, file, options], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' })
  child.once('message', () => {
    child.send({ kind: 'write', statements: ['SELECT sum(hash(a.range + b.range)) FROM range(10000000) a, range(10000000) b'] })
    console.log(child.pid)
  })`

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.skipIf(process.platform === 'win32')(
  'a process in the middle of a query ends when its program is killed',
  async () => {
    const options = { threads: 1, memoryMb: 256, spillFolder: makeFolder('orphan'), spillMb: 100 }
    const file = fileURLToPath(compiledModule('sql/child'))
    const program = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, file, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(program.stdout, 'data')) as [Buffer]
    const pid = Number(line)
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })
    expect(isAlive(pid)).toBe(true)
    program.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
)
