// Mails through SMTP (pooled, TLS, DKIM) or, without a server, as .eml files in a folder. What the server said decides
// whether a mail is tried again, given up, or its address refused.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import { FOLDER_FAILED, FOLDER_TOOK } from '../ledger/alerts/delivery-outcome.ts'
import type { Letter } from './message.ts'

export interface Mail extends Letter {
  to: string
  /** Decides the Message-ID: the same id gives the same one at every try. */
  id: string
  unsubscribe: string
  date: Date
}

/** What became of one try. */
export type MailResult =
  | { status: 'sent'; response: string }
  /** Worth another try. */
  | { status: 'failed'; response: string }
  /** The server will never take mail for this recipient. */
  | { status: 'refused'; response: string }

export interface Mailer {
  send(mail: Mail): Promise<MailResult>
  close(): void
}

export interface Dkim {
  domain: string
  selector: string
  privateKey: string
}

/** Each step of a conversation ends after this; a server that hangs must not hold a worker for longer. */
const TIMEOUT_MS = 20_000

/** nodemailer's own list, and the two headers of RFC 8058, which must be inside the signature. */
const SIGNED_HEADERS =
  'from:to:subject:date:message-id:mime-version:content-type:content-transfer-encoding:reply-to:list-unsubscribe:list-unsubscribe-post'

/** Mails through an SMTP server; `from` is the sender with its address. */
export function createSmtpMailer({
  url,
  from,
  dkim,
  timeoutMs = TIMEOUT_MS,
}: {
  url: string
  from: string
  dkim?: Dkim
  timeoutMs?: number
}): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        headerFieldNames: SIGNED_HEADERS,
      },
    }),
  })
  return {
    async send(mail) {
      try {
        const { response } = await transport.sendMail(toOptions(mail, from))
        return { status: 'sent', response }
      } catch (error) {
        return judge(error)
      }
    },
    close: () => transport.close(),
  }
}

/** Mails as files `<date>-<id>.eml` in a folder, complete or not there at all. */
export function createFileMailer({ folder, from }: { folder: string; from: string }): Mailer {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toOptions(mail, from))
      const path = join(folder, `${mail.date.toISOString().replace(/[:.]/g, '-')}-${mail.id}.eml`)
      try {
        await writeWhole(folder, path, message as Buffer)
        return { status: 'sent', response: `${FOLDER_TOOK} ${path}` }
      } catch (error) {
        // A full disk or a folder without permission: as with a server that is away, the mail waits.
        return {
          status: 'failed',
          response: `${FOLDER_FAILED}: ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}`,
        }
      }
    },
    close: () => transport.close(),
  }
}

/** Writes a file that is complete or not there at all. */
async function writeWhole(folder: string, path: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}.tmp`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** The sender's domain: the right-hand side of every Message-ID. */
const domainOf = (from: string): string => /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** The longest encoded word that a line of a header has room for. */
const ENCODED_WORD_LENGTH = 52

/**
 * The subject as it stands in the header. nodemailer would leave a name that looks like an encoded word as it is, and a mail
 * program would then show, or obey, what its owner has hidden in it: such a name is encoded as a whole.
 */
const encodeSubject = (subject: string): string =>
  /^[ -~]*$/.test(subject) && !subject.includes('=?') ? subject : encodeWord(subject, 'B', ENCODED_WORD_LENGTH)

function toOptions(mail: Mail, from: string): SendMailOptions {
  return {
    from,
    // As an object: the address is never parsed as a list.
    to: { name: '', address: mail.to },
    text: mail.text,
    html: mail.html,
    date: mail.date,
    messageId: `<${mail.id}@${domainOf(from)}>`,
    headers: {
      Subject: { prepared: true, foldLines: true, value: encodeSubject(mail.subject) },
      'List-Unsubscribe': { prepared: true, value: `<${mail.unsubscribe}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  }
}

/** The steps of a conversation that are about this recipient and this mail; a refusal elsewhere is about us. */
const ABOUT_THE_RECIPIENT = new Set(['RCPT TO', 'DATA'])

function judge(error: unknown): MailResult {
  const { responseCode, command, response, code, message } = error as {
    responseCode?: number
    command?: string
    response?: string
    code?: string
    message?: string
  }
  const said = response ?? [code, message].filter(Boolean).join(': ') ?? 'no answer'
  const permanent = responseCode !== undefined && responseCode >= 500 && responseCode < 600
  return {
    status: permanent && ABOUT_THE_RECIPIENT.has(command ?? '') ? 'refused' : 'failed',
    response: said,
  }
}
