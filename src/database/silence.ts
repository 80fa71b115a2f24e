// Connections of jobs, whose statements take as long as they need: an index is built for minutes, and nothing comes
// meanwhile. When nothing comes for a while, the server is asked on another connection whether it is still at work.
import { Socket } from 'node:net'
import pg from 'pg'
import { readActivity } from './backend.ts'
import { noAnswer } from './refusal.ts'

/** How long nothing may come before the server is asked, and how long it may take to say something. */
export interface Patience {
  silentMs: number
  answerMs: number
}

/** A PostgreSQL error has a code of five characters: whoever sends one lives. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** A class of connections to the database at `url` that give up when the server does not work on what they wait for. */
export function watchSilence(url: string, { silentMs, answerMs }: Patience): new () => pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      const look = async () => {
        if (!isWaiting(this)) return
        const before = socket.bytesRead
        const isAtWork = await isWorking(url, this, answerMs)
        if (!isAtWork && socket.bytesRead === before) socket.destroy(noAnswer())
        // One look per silence is what Node sees to: the next one begins here.
        else socket.setTimeout(silentMs)
      }
      socket.setTimeout(silentMs).on('timeout', () => void look())
    }
  }
}

/** A statement was sent, and its end has not come. The driver tells it in no other way. */
const isWaiting = (client: pg.Client): boolean => (client as { readyForQuery?: boolean }).readyForQuery === false

/** Whether the server works on what the connection waits for, as far as can be known. */
async function isWorking(url: string, client: pg.Client, answerMs: number): Promise<boolean> {
  const asker = new pg.Client({
    connectionString: url,
    application_name: 'assay',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  asker.on('error', () => {})
  try {
    await asker.connect()
    const activity = await readActivity(asker, client)
    // Idle, or waiting for us: the question or its answer was lost on the way.
    return activity !== null && !activity.state?.startsWith('idle') && activity.waitsFor !== 'Client'
  } catch (error) {
    return SQLSTATE.test(String((error as { code?: unknown }).code))
  } finally {
    void asker.end().catch(() => {})
  }
}
