import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFileMailer, createSmtpMailer, type Mail } from '../../src/alerts/email.ts'
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

test('a mail arrives with text, HTML, the two unsubscribe headers and the Message-ID of its id', async () => {
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
test.each(MOODS)('a server that %s leaves the mail %s', async (mood, status) => {
  smtp.mood = mood
  expect(await mailer.send(mail)).toMatchObject({ status })
  smtp.mood = 'accepts'
  expect(await mailer.send(mail)).toMatchObject({ status: 'sent' })
})

test('a server that is away leaves the mail for another try', async () => {
  const nobody = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: FROM })
  expect(await nobody.send(mail)).toMatchObject({ status: 'failed' })
  nobody.close()
})

test('a signed mail passes DKIM and the signature covers both unsubscribe headers', async () => {
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

test('without a server a mail is a file that any mail program reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mail-'))
  const files = createFileMailer({ folder: join(folder, 'mail'), from: FROM })
  expect(await files.send(mail)).toMatchObject({ status: 'sent' })
  const names = await readdir(join(folder, 'mail'))
  expect(names).toEqual([`2026-01-01T00-00-00-000Z-${mail.id}.eml`])
  const parsed = await simpleParser(await readFile(join(folder, 'mail', names[0] ?? '')))
  expect(parsed).toMatchObject({ subject: 'Ünïcode', messageId: `<${mail.id}@assay.example>` })
  await rm(folder, { recursive: true })
})

test('a folder that cannot be written leaves the mail for another try', async () => {
  const files = createFileMailer({ folder: '/dev/null/mail', from: FROM })
  expect(await files.send(mail)).toEqual({ status: 'failed', response: 'not written: ENOTDIR' })
})
