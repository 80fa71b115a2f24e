// The watchdog, tested in child processes because it kills the process that it watches.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { compiledModule } from '../support/build.ts'

const WATCHDOG = compiledModule('telemetry/watchdog')

/** Runs a program that has a `watchdog` with a limit of 1 s; resolves with how the program ended. */
async function run(program: string, during?: (child: ReturnType<typeof spawn>) => void, flags: string[] = []) {
  const source = `
    import { startWatchdog } from ${JSON.stringify(WATCHDOG)}
    const watchdog = startWatchdog({ stallMs: 1000, leaveMs: 1000, beatMs: 50 })
    const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const block = (ms) => { const end = performance.now() + ms; while (performance.now() < end); }
    await pass(1000)
    ${program}
    process.stdout.write('', () => process.exit(0))`
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stdout.on('data', () => during?.(child))
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, complaints }
}

test('a blocked event loop kills the process and logs its requests, newest first, without secrets', async () => {
  const key = `assay_live_${'a'.repeat(36)}`
  const ended = await run(`
    watchdog.watch('id-1 GET /v1/tokens')
    watchdog.watch('id-2 GET /v1/over')()
    watchdog.watch('id-3 POST /graphql/${key}')
    for (;;);`)
  expect([ended.code, ended.signal]).toEqual([null, 'SIGKILL'])
  const line = JSON.parse(ended.complaints)
  expect(line).toEqual({
    level: 'fatal',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    requests: ['id-3 POST /graphql/assay_live_[redacted]', 'id-1 GET /v1/tokens'],
    under_way: 2,
    msg: 'the event loop was blocked for 1 s of processor time; killing the process',
  })
})

test('a main thread without a processor is not blocked, however long its event loop stands still', async () => {
  const ended = await run(`
    const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    sleep(3000)
    // It runs now and then, and never gets a second of processor time before its event loop turns.
    for (let n = 0; n < 30; n += 1) { sleep(90); block(10) }
    await pass(100)`)
  expect(ended).toEqual({ code: 0, signal: null, complaints: '' })
})

const schedules =
  process.platform === 'linux' && spawnSync('chrt', ['--idle', '0', 'taskset', '-c', '0', 'true']).status === 0

test.skipIf(!schedules)('a main thread that other programs starve is not blocked (skipped: no chrt)', async () => {
  const starve = `
      const { execFileSync, spawn } = await import('node:child_process')
      // Ends by itself, should this process be killed.
      const HOG = 'const end = performance.now() + 60_000; while (performance.now() < end);'
      const hogs = [0, 0].map(() => spawn('taskset', ['-c', '0', process.execPath, '-e', HOG]))
      execFileSync('taskset', ['-p', '-c', '0', String(process.pid)])
      execFileSync('chrt', ['--idle', '-p', '0', String(process.pid)])`
  const starved = await run(`${starve}
      block(5000)
      for (const hog of hogs) hog.kill('SIGKILL')`)
  expect(starved).toEqual({ code: 0, signal: null, complaints: '' })
})

test('a main thread that never returns from a call of the system is killed', async () => {
  const ended = await run('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
  expect([ended.signal, JSON.parse(ended.complaints).msg]).toEqual([
    'SIGKILL',
    'the event loop waited for a call of the system for 6 s; killing the process',
  ])
})

test('a process that does not end after its signal is killed, also while its event loop is blocked', async () => {
  for (const stuck of ['for (;;);', 'await pass(60_000)']) {
    const ended = await run(`watchdog.leave(); ${stuck}`)
    expect([ended.signal, JSON.parse(ended.complaints).level]).toEqual(['SIGKILL', 'fatal'])
  }
})

test('short steps, a stopped process, and hundreds of requests at once do not trigger the watchdog', async () => {
  const ended = await run(
    `
    for (let n = 0; n < 4; n += 1) { block(500); await pass(100) }
    const over = Array.from({ length: 300 }, (_, n) => watchdog.watch('id-' + n + ' GET /' + 'x'.repeat(1000)))
    for (const end of over) end()
    console.log('stop me')
    await pass(500)
    await watchdog.stop()`,
    (child) => {
      child.kill('SIGSTOP')
      setTimeout(() => child.kill('SIGCONT'), 2_500)
    },
  )
  expect(ended).toEqual({ code: 0, signal: null, complaints: '' })
})

test('the watchdog ignores time spent in a debugger', async () => {
  const ended = await run('block(2500)', undefined, ['--inspect=127.0.0.1:0'])
  expect([ended.code, ended.signal]).toEqual([0, null])
})
