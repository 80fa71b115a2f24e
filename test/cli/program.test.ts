// The command line: its arguments, its output, and its exit codes.
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { type Config, readConfig } from '../../src/base/config.ts'
import { StartupError } from '../../src/base/errors.ts'
import type { App, AppOptions, Context } from '../../src/cli/context.ts'
import { createProgram, runProgram } from '../../src/cli/program.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

interface Run {
  code: number
  printed: string[]
  complaints: string[]
  opened: AppOptions[]
}

const quiet = createLog({ level: 'silent', pretty: false })

/** Runs a command line against the test's database; `openApp` can be replaced. */
async function run(line: string, more: { config?: () => Config; openApp?: Context['openApp'] } = {}): Promise<Run> {
  const printed: string[] = []
  const complaints: string[] = []
  const opened: AppOptions[] = []
  const context: Context = {
    print: (text) => printed.push(text),
    config: more.config ?? (() => readConfig({ DATABASE_URL: database.url })),
    log: () => quiet,
    clock: systemClock,
    signal: new AbortController().signal,
    terminal: false,
    openApp: async (options) => {
      opened.push(options)
      return more.openApp ? more.openApp(options) : fakeApp()
    },
  }
  const args = line.split(' ').filter((part) => part !== '')
  return { code: await runProgram(args, context, (text) => complaints.push(text)), printed, complaints, opened }
}

const fakeApp = (): App => ({
  ledger: { database, url: database.url, migrated: [], close: async () => {} },
  chain: { name: 'Test', chainId: 7 },
  address: 'http://127.0.0.1:4000',
  metricsAddress: null,
  ready: Promise.resolve(),
  done: Promise.resolve(),
  reload: () => {},
  stop: async () => {},
})

test('every command prints its help and exits with 0', async () => {
  const context = { log: () => quiet } as unknown as Context
  const names = createProgram(context, () => {}).commands.map((command) => command.name())
  expect(names).toEqual(
    expect.arrayContaining(['serve', 'index', 'reindex', 'migrate', 'keys', 'usage', 'print-schema']),
  )
  for (const name of names) expect((await run(`${name} --help`)).code).toBe(0)
  expect((await run('serve --help')).printed.join('\n').replace(/\s+/g, ' ')).toContain('(default: api,index,alerts)')
})

test.each([
  'nothing',
  'serve --roles api,mail',
  'serve --roles api,api',
  'index --until soon',
  'index --until -1',
  'keys create --email a@b.example',
  'keys create --plan free',
  'keys create --email a@b.example --plan gold',
  'keys create --email a@b.example --plan api --rpm 0',
  'keys revoke one',
  'keys rotate 1 --overlap -3',
  'invites create --days 0',
  'invites end one',
  'usage --days 0',
  'migrate now',
  'keys create --email nobody --plan free',
  'keys create --email a@b.example --plan free --rpm 5',
  'alerts retry soon',
])('"%s" is a wrong command line and exits with 2', async (line) => {
  expect((await run(line)).code).toBe(2)
})

test('a wrong block number is answered with the accepted values, including head', async () => {
  const { complaints } = await run('index --until soon')
  expect(complaints.join(' ')).toContain('It must be a whole number from 0 to 2147483647, or head.')
})

test('invites create shows a code once, with a link if the public address is known; list and end never show it', async () => {
  const config = () => readConfig({ DATABASE_URL: database.url, PUBLIC_URL: 'https://assay.example' })
  const { code, printed } = await run('invites create --days 2 --note friend', { config })
  expect(code).toBe(0)
  const [token = ''] = printed
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(printed[1]).toBe(`https://assay.example/signup#invite=${token}`)
  const id = /^Invite (\d+)\. It is shown only once/.exec(printed[2] ?? '')?.[1]
  expect((await run('invites create --quiet')).printed).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  const listed = (await run('invites list')).printed.join('\n')
  expect(listed).toMatch(/friend.* open/)
  expect(listed).not.toContain(token)
  expect((await run(`invites end ${id}`)).printed).toEqual([`Invite ${id} has ended.`])
  expect((await run('invites list')).printed.join('\n')).toMatch(/friend.* expired/)
  expect(await run(`invites end ${id}`)).toMatchObject({
    code: 1,
    complaints: [expect.stringContaining(`invite ${id}`)],
  })
})

test('keys create --quiet prints only the key, and keys list shows it without its secret', async () => {
  const { code, printed } = await run('keys create --email Quiet@Example.com --plan pro --name ci --quiet')
  expect(code).toBe(0)
  expect(printed).toEqual([expect.stringMatching(/^assay_live_[0-9A-Za-z]{36}$/)])
  const listed = (await run('keys list')).printed.join('\n')
  expect(listed).toMatch(/Quiet@Example\.com +pro +ci/)
  expect(listed).not.toContain(printed[0])
  expect(listed).toContain(printed[0]?.slice(-4))
})

test('a key is rotated and revoked by its id, and an unknown id fails with one sentence', async () => {
  await run('keys create --email turn@example.com --plan free')
  const id = /^ *(\d+) +turn@/m.exec((await run('keys list')).printed.join('\n'))?.[1]
  expect((await run(`keys rotate ${id} --overlap 1 --quiet`)).printed).toEqual([expect.stringMatching(/^assay_live_/)])
  expect((await run(`keys rotate ${id} --overlap 2`)).printed.at(-1)).toBe('The old key works for 2 more h.')
  expect((await run(`keys rotate ${id} --overlap 0`)).printed.at(-1)).toBe('The old key no longer works.')
  expect((await run(`keys revoke ${id}`)).code).toBe(0)
  expect((await run('keys list')).printed.join('\n')).toMatch(/turn@example\.com.*revoked/)
  expect(await run('keys revoke 99999')).toMatchObject({ code: 1, complaints: [expect.stringContaining('99999')] })
})

test('limits on a plan that has none are refused in one sentence', async () => {
  const refused = await run('keys create --email a@b.example --plan free --rpm 5')
  expect(refused).toMatchObject({ code: 2, complaints: [expect.stringContaining('plan api only')] })
})

test('migrate reports that the database is up to date', async () => {
  expect(await run('migrate')).toMatchObject({ code: 0, printed: ['nothing to apply: the database is up to date'] })
})

test('usage prints a table by day and account', async () => {
  expect((await run('usage --days 3')).printed[0]).toMatch(/^day +account +requests$/)
})

test('a wrong configuration is listed in full and exits with 78', async () => {
  const config = () => readConfig({ PORT: 'x', RPC_URL: 'ftp://a' })
  const { code, complaints } = await run('migrate', { config })
  expect(code).toBe(78)
  expect(complaints[0]).toMatch(/PORT[\s\S]*RPC_URL/)
})

test.each([
  ['postgres://nobody:s3cret@127.0.0.1:1/assay', /127\.0\.0\.1:1\/assay.*nothing listens there/],
  ['postgres://nobody:s3cret@no.such.host.invalid/assay', /no\.such\.host\.invalid.*(not known|looked up)/],
])('an unreachable database is named without its password: %s', async (url, sentence) => {
  const { code, complaints } = await run('migrate', { config: () => readConfig({ DATABASE_URL: url }) })
  expect(code).toBe(1)
  expect(complaints[0]).toMatch(sentence)
  expect(complaints.join('')).not.toMatch(/s3cret|\n *at /)
})

test('a wrong database name is named in the error', async () => {
  const missing = new URL(database.url)
  missing.pathname = '/no_such_database'
  const noDatabase = await run('migrate', { config: () => readConfig({ DATABASE_URL: missing.href }) })
  expect(noDatabase.complaints[0]).toMatch(/no database of that name/)
})

test('index runs up to the head by default, with only the role index', async () => {
  expect((await run('index')).opened[0]).toMatchObject({ roles: ['index'], until: 'head' })
  expect((await run('index --until 500')).opened[0]).toMatchObject({ until: 500 })
  expect((await run('reindex --from 77')).opened[0]).toMatchObject({ until: 'head', reindexFrom: 77 })
})

test('serve runs all roles by default, and prints its addresses', async () => {
  const { code, opened, printed } = await run('serve')
  expect(code).toBe(0)
  expect(opened[0]?.roles).toEqual(expect.arrayContaining(['api', 'index', 'alerts']))
  expect(printed.join('\n')).toMatch(/REST +http:\/\/127\.0\.0\.1:4000\/v1[\s\S]*keys create/)
  expect((await run('serve --roles index')).opened[0]?.roles).toEqual(['index'])
})

test('without a command the program serves', async () => {
  const [bare, serve] = [await run(''), await run('serve')]
  expect([bare.code, bare.printed]).toEqual([0, serve.printed])
  expect(bare.opened[0]?.roles).toEqual(serve.opened[0]?.roles)
})

test('a fault of the installation ends the command with its sentence and exit code', async () => {
  const openApp = () => Promise.reject(new StartupError('The port 4000 is taken.', 1))
  expect(await run('serve', { openApp })).toMatchObject({ code: 1, complaints: ['The port 4000 is taken.'] })
})
