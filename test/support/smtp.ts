// A real local SMTP server that a test can make accept, refuse, hang, or crash at a chosen moment.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export type Mood =
  | 'accepts'
  | 'refuses for now'
  | 'refuses the recipient'
  | 'refuses the content'
  | 'refuses the sender'
  | 'hangs'
  | 'drops mid-data'
  | 'accepts then dies'

interface Received {
  raw: Buffer
  mail: ParsedMail
  to: string[]
}

export interface TestSmtp {
  url: string
  received: Received[]
  mood: Mood
  close(): Promise<void>
}

const refuse = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

export async function startSmtp(): Promise<TestSmtp> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onMailFrom: (_address, _session, done) =>
      done(smtp.mood === 'refuses the sender' ? refuse(550, 'who are you') : null),
    onRcptTo: (_address, _session, done) => {
      if (smtp.mood === 'refuses for now') return done(refuse(451, 'come back later'))
      if (smtp.mood === 'refuses the recipient') return done(refuse(550, 'no such user'))
      done()
    },
    onData: (stream, session, done) => {
      if (smtp.mood === 'hangs') return void stream.resume()
      if (smtp.mood === 'drops mid-data') {
        stream.once('data', () => drop())
        return
      }
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        if (smtp.mood === 'refuses the content') return done(refuse(554, 'not this'))
        const raw = Buffer.concat(chunks)
        smtp.received.push({ raw, mail: await simpleParser(raw), to: session.envelope.rcptTo.map((to) => to.address) })
        if (smtp.mood === 'accepts then dies') return drop()
        done()
      })
    },
  })
  // smtp-server reports every broken connection as an error; these tests break connections on purpose.
  server.on('error', () => {})
  const drop = () => {
    for (const connection of server.connections as unknown as Set<{ _socket: { destroy(): void } }>)
      connection._socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const smtp: TestSmtp = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received: [],
    mood: 'accepts',
    close: () => {
      drop()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return smtp
}
