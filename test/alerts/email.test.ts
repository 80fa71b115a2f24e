import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFileMailer, createSmtpMailer, type Mail } from '../../src/alerts/email.ts'
import { toPlainName } from '../../src/alerts/token-lines.ts'
import { type Mood, startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const FROM = 'Assay <alerts@assay.example>'
const mailer = createSmtpMailer({ url: smtp.url, from: FROM, timeoutMs: 500 })
const mail: Mail = {
  to: 'owner@example.com',
  id: '00000000-0000-4000-8000-000000000001',
  subject: 'Ünïcode',
  text: 'text',
  html: '<p>html</p>',
  unsubscribe: 'https://assay.example/unsubscribe?alert=a&signature=b',
  date: new Date('2026-01-01T00:00:00Z'),
}
afterAll(async () => {
  mailer.close()
  await smtp.close()
})
beforeEach(() => {
  smtp.mood = 'accepts'
  smtp.received.length = 0
})

test('a mail arrives with text, HTML, both unsubscribe headers and the Message-ID of its id', async () => {
  expect(await mailer.send(mail)).toMatchObject({ status: 'sent' })
  const [received] = smtp.received
  expect(received?.to).toEqual(['owner@example.com'])
  expect(received?.mail).toMatchObject({ subject: 'Ünïcode', messageId: `<${mail.id}@assay.example>` })
  expect(received?.mail.text?.trim()).toBe('text')
  expect(received?.mail.html).toContain('<p>html</p>')
  const raw = received?.raw.toString() ?? ''
  expect(raw).toContain(`List-Unsubscribe: <${mail.unsubscribe}>`)
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})

const MOODS: [Mood, 'failed' | 'refused'][] = [
  ['refuses for now', 'failed'],
  ['refuses the sender', 'failed'],
  ['refuses the recipient', 'refused'],
  ['refuses the content', 'refused'],
  ['hangs', 'failed'],
  ['drops mid-data', 'failed'],
  ['accepts then dies', 'failed'],
]
test.each(MOODS)('a mail server that %s leaves the mail %s', async (mood, status) => {
  smtp.mood = mood
  expect(await mailer.send(mail)).toMatchObject({ status })
  smtp.mood = 'accepts'
  expect(await mailer.send(mail)).toMatchObject({ status: 'sent' })
})

test('an unreachable mail server leaves the mail for another try', async () => {
  const nobody = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: FROM })
  expect(await nobody.send(mail)).toMatchObject({ status: 'failed' })
  nobody.close()
})

test('a signed mail passes DKIM, and the signature covers both unsubscribe headers', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signing = createSmtpMailer({
    url: smtp.url,
    from: FROM,
    dkim: {
      domain: 'assay.example',
      selector: 's1',
      privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  })
  await signing.send(mail)
  signing.close()
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const { dkim } = await authenticate(smtp.received[0]?.raw ?? '', {
    ip: '127.0.0.1',
    helo: 'localhost',
    sender: 'alerts@assay.example',
    disableArc: true,
    disableDmarc: true,
    disableBimi: true,
    resolver: async (name: string, type: string) => {
      if (name === 's1._domainkey.assay.example' && type === 'TXT') return [[`v=DKIM1; k=rsa; p=${publicKey}`]]
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    },
  })
  expect(dkim?.results.map((result) => result.status.result)).toEqual(['pass'])
  const signed = /;\s*h=([^;]+);/
    .exec(smtp.received[0]?.raw.toString().replace(/\r\n\s+/g, '') ?? '')?.[1]
    ?.toLowerCase()
  expect(signed).toContain('list-unsubscribe:list-unsubscribe-post')
})

/** The subject's lines as they go over the wire. */
const rawSubject = (raw: Buffer): string =>
  /^Subject: (.*(?:\r\n[ \t].*)*)\r\n/m.exec(raw.toString('latin1'))?.[1] ?? ''
const ENCODED_WORD = /=\?UTF-8\?B\?[A-Za-z0-9+/]+={0,2}\?=/g

/** Writes the mail to a file; files and SMTP mails are composed by the same code. */
async function write(subject: string) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mail-'))
  const files = createFileMailer({ folder, from: FROM })
  expect(await files.send({ ...mail, subject })).toMatchObject({ status: 'sent' })
  const content = await readFile(join(folder, (await readdir(folder))[0] ?? ''))
  await rm(folder, { recursive: true })
  return { raw: rawSubject(content), mail: await simpleParser(content) }
}

test('an alert name that looks like an encoded word reaches its owner as that text and adds no header', async () => {
  const hostile = '=?utf-8?Q?=0d=0aBcc:x@y?='
  const { raw, mail: parsed } = await write(`${hostile}: 1 token began to match`)
  expect(parsed.subject).toBe(`${hostile}: 1 token began to match`)
  expect(parsed.bcc).toBeUndefined()
  expect(raw).not.toMatch(/utf-8\?Q|=0d/)
})

test('any subject decodes to its text, in lines of at most 76 bytes, with no encoded word but ours', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '=?',
      '?=',
      '=?utf-8?Q?',
      '=?UTF-8?B?QUJD?=',
      '=?x?q?=0d=0a?=',
      '\r\nBcc: x@y.example',
      '"',
      '_',
      '\u200b',
      '  ',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ maxLength: 20 }),
  )
  const name = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(name, fc.boolean(), async (text, isPlain) => {
      const subject = `${isPlain ? toPlainName(text) : text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '').trim()}: 3 tokens`
      const { raw, mail: parsed } = await write(subject)
      // Where a line is folded, mail programs may show one space for several.
      const calm = (said: string | undefined) => said?.replace(/\s+/g, ' ').trim()
      expect(calm(parsed.subject)).toBe(calm(subject))
      expect(raw.replace(ENCODED_WORD, '')).not.toContain('=?')
      for (const line of `Subject: ${raw}`.split('\r\n')) expect(line).toMatch(/^[\t -~]{1,76}$/)
    }),
    { numRuns: 150, endOnFailure: true },
  )
})

test('without a mail server, a mail is written as a file that mail programs can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mail-'))
  const files = createFileMailer({ folder: join(folder, 'mail'), from: FROM })
  expect(await files.send(mail)).toMatchObject({ status: 'sent' })
  const names = await readdir(join(folder, 'mail'))
  expect(names).toEqual([`2026-01-01T00-00-00-000Z-${mail.id}.eml`])
  const parsed = await simpleParser(await readFile(join(folder, 'mail', names[0] ?? '')))
  expect(parsed).toMatchObject({ subject: 'Ünïcode', messageId: `<${mail.id}@assay.example>` })
  await rm(folder, { recursive: true })
})

test('a mail folder that cannot be written leaves the mail for another try', async () => {
  const files = createFileMailer({ folder: '/dev/null/mail', from: FROM })
  expect(await files.send(mail)).toEqual({ status: 'failed', response: 'not written: ENOTDIR' })
})

test('a server that drips its answers holds a sender no longer than a delivery may take, and harms no other mail', async () => {
  const dripping = createServer((socket) => {
    const greeting = '220 '.padEnd(10_000, 'x')
    let at = 0
    const drip = setInterval(() => socket.write(greeting[at++] ?? 'x'), 20)
    socket.on('close', () => clearInterval(drip))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
  const { port } = dripping.address() as AddressInfo
  const slow = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, timeoutMs: 5_000, deadlineMs: 200 })
  const results = await Promise.all([slow.send(mail), slow.send(mail), mailer.send(mail)])
  expect(results.map(({ status }) => status)).toEqual(['failed', 'failed', 'sent'])
  expect(results[0]?.response).toMatch(/^ETIMEDOUT/)
  await expect.poll(() => new Promise((resolve) => dripping.getConnections((_, count) => resolve(count)))).toBe(0)
  slow.close()
  dripping.close()
})
