// Sends mails over SMTP (pooled, TLS, DKIM) or, without a server, writes them as .eml files to a folder. The server's
// answer decides whether a mail is retried or its address is refused for good.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import { codeOf } from '../base/json.ts'
import { FOLDER_FAILED, FOLDER_TOOK } from '../ledger/alerts/delivery-outcome.ts'
import type { Letter } from './message.ts'
import { createLane, type Lane } from './smtp-lane.ts'

export interface Mail extends Letter {
  to: string
  /** Becomes the Message-ID, so that every try has the same one. */
  id: string
  /** The link that ends such mails; left out for a mail that its reader asked for. */
  unsubscribe?: string
  date: Date
}

/** The result of one try. */
export type MailResult =
  | { status: 'sent'; response: string }
  /** May be retried. */
  | { status: 'failed'; response: string }
  /** The server will never accept mail for this recipient. */
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

/** Timeout of each SMTP step: a server that hangs must not hold a worker for longer. */
const TIMEOUT_MS = 20_000

/** nodemailer's default list, plus the two headers that RFC 8058 requires inside the signature. */
const SIGNED_HEADERS =
  'from:to:subject:date:message-id:mime-version:content-type:content-transfer-encoding:reply-to:list-unsubscribe:list-unsubscribe-post'

/** How long a whole delivery may take, whatever the server does meanwhile. */
const DEADLINE_MS = 60_000

/** Creates a mailer over SMTP; `from` is the sender with its address. */
export function createSmtpMailer({
  url,
  from,
  dkim,
  timeoutMs = TIMEOUT_MS,
  deadlineMs = DEADLINE_MS,
}: {
  url: string
  from: string
  dkim?: Dkim
  timeoutMs?: number
  deadlineMs?: number
}): Mailer {
  const options = {
    ...{ url, timeoutMs, deadlineMs },
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        headerFieldNames: SIGNED_HEADERS,
      },
    }),
  }
  const lanes = new Set<Lane>()
  const free: Lane[] = []
  return {
    async send(mail) {
      const lane = free.pop() ?? createLane(options)
      lanes.add(lane)
      try {
        const { response } = await lane.send(toOptions(mail, from))
        return { status: 'sent', response }
      } catch (error) {
        return judge(error)
      } finally {
        if (lane.isOpen()) free.push(lane)
        else lanes.delete(lane)
      }
    },
    close: () => {
      for (const lane of lanes) lane.close()
    },
  }
}

/** Creates a mailer that writes `<date>-<id>.eml` files to a folder, each complete or not at all. */
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
        // A full disk or missing permission is treated like an unreachable server: the mail is retried.
        return {
          status: 'failed',
          response: `${FOLDER_FAILED}: ${codeOf(error) || 'unknown fault'}`,
        }
      }
    },
    close: () => transport.close(),
  }
}

/** Writes a file completely or not at all. */
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

/** The longest encoded word that fits into a header line. */
const ENCODED_WORD_LENGTH = 52

/**
 * Encodes the subject for the header. nodemailer leaves text that looks like an encoded word unchanged. A mail program
 * would decode such text, which an attacker can hide in the alert's name. Such a subject is encoded as a whole.
 */
const encodeSubject = (subject: string): string =>
  /^[ -~]*$/.test(subject) && !subject.includes('=?') ? subject : encodeWord(subject, 'B', ENCODED_WORD_LENGTH)

function toOptions(mail: Mail, from: string): SendMailOptions {
  return {
    from,
    // An object, so that nodemailer never parses the address as a list.
    to: { name: '', address: mail.to },
    text: mail.text,
    html: mail.html,
    date: mail.date,
    messageId: `<${mail.id}@${domainOf(from)}>`,
    headers: {
      Subject: { prepared: true, foldLines: true, value: encodeSubject(mail.subject) },
      ...(mail.unsubscribe !== undefined && {
        'List-Unsubscribe': { prepared: true, value: `<${mail.unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      'Auto-Submitted': 'auto-generated',
    },
  }
}

/** SMTP commands whose permanent refusal concerns this recipient or mail; a refusal elsewhere concerns our setup. */
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
