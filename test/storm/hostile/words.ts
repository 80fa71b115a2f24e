// Attacks with text: what owners of alerts see, mail subjects, and errors about a broken data folder.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Attack, pause, repeat, type Target } from './attack.ts'
import { runCommand } from './server.ts'

const NAMES = [
  '=?utf-8?Q?=0d=0aBcc:x@y?=',
  '=?utf-8?B?DQpCY2M6IHhAeQ==?=',
  'a‮b​c',
  '<img src=x>',
  'https://evil.example/',
]
const DELIVERIES = {
  query: '{ alerts(first: 20) { nodes { deliveries(first: 5) { nodes { status response } } } } }',
}

/** The mails that the program wrote anywhere below its data folder. */
const readMails = (dataDir: string): string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.eml'))
    .map((path) => readFileSync(join(dataDir, path), 'utf8'))

/** A header with its folded lines. */
const headerOf = (mail: string, name: string): string =>
  new RegExp(`^${name}:((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'im').exec(mail.split(/\r?\n\r?\n/)[0] ?? '')?.[1] ?? ''

async function askForMails(target: Target): Promise<string[]> {
  const { client, stage } = target
  const headers = { authorization: `Bearer ${stage.keys.trusted}`, 'content-type': 'application/json' }
  await repeat(target, { times: NAMES.length, atOnce: 1 }, async (round) => {
    const body = JSON.stringify({ name: NAMES[round], conditions: {} })
    await client.ask({ method: 'POST', path: '/v1/alerts', headers, body })
  })
  let responses: string[] = []
  while (responses.length < NAMES.length && !target.isOver()) {
    await pause(500)
    const { body = '{}' } = (await client.graphql(stage.keys.trusted, DELIVERIES)) ?? {}
    responses = [...body.matchAll(/"response":"((?:[^"\\]|\\.)+)"/g)].map((match) => match[1] ?? '')
  }
  return responses
}

export const wordAttacks: Attack[] = [
  {
    name: 'what deliveries and subjects reveal',
    run: async (target) => {
      const { dataDir, pool } = target.stage
      const responses = await askForMails(target)
      if (responses.length === 0) target.tally.fault('no mail was delivered')
      const telling = responses.find((response) => response.includes('/') || response.includes(dataDir))
      if (telling) target.tally.fault(`deliveries say ${telling}`)
      for (const mail of readMails(dataDir)) {
        const subject = headerOf(mail, 'Subject')
        if (/=\?utf-8\?[QB]\?(=0d=0a|DQpC)/i.test(subject)) target.tally.fault(`the subject says ${subject.trim()}`)
        if (headerOf(mail, 'Bcc')) target.tally.fault('a mail has a Bcc')
      }
      await pool.query('DELETE FROM alert')
    },
  },
  {
    name: 'a data folder with a missing or wrong password',
    run: async ({ stage, tally }) => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-words-'))
      if (process.getuid?.() === 0) chmodSync(folder, 0o711)
      const options = { environment: { DATA_DIR: folder, DEMO: 'still' }, isBuilt: stage.isBuilt }
      const password = join(folder, 'postgres', 'password')
      const judge = async (what: string) => {
        const { code, complained } = await runCommand(['migrate'], options)
        if (code !== 1 && code !== 78) tally.fault(`${what}: it ended with ${code}`)
        if (!complained.includes('password') || /glibc/.test(complained))
          tally.fault(`${what}: it said ${complained.trim()}`)
      }
      try {
        const made = await runCommand(['migrate'], options)
        if (made.code !== 0) throw new Error(made.complained)
        writeFileSync(password, 'another\n')
        await judge('another password')
        rmSync(password)
        await judge('no password')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  },
]
