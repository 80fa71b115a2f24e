// Watches the connections of jobs, whose statements may be silent for minutes (such as building an index). After a
// silence it asks the server on another connection whether it is still working.
import { Socket } from 'node:net'
import pg from 'pg'
import { codeOf } from '../base/json.ts'
import { readActivity } from './backend.ts'
import { noAnswer } from './refusal.ts'

/** How long a connection may be silent before the server is asked, and how long the server may take to answer. */
export interface Patience {
  silentMs: number
  answerMs: number
}

/** PostgreSQL's error codes have five characters: a server that sends one is alive. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** A client class for the database at `url` that gives up when the server no longer works on its statement. */
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
        // Node reports each silence once, so start the next interval here.
        else socket.setTimeout(silentMs)
      }
      socket.setTimeout(silentMs).on('timeout', () => void look())
    }
  }
}

/** Whether a statement was sent and has not ended. The driver exposes this only as `readyForQuery`. */
const isWaiting = (client: pg.Client): boolean => (client as { readyForQuery?: boolean }).readyForQuery === false

/** Whether the server seems to be working on the connection's statement. */
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
    // Idle or waiting for us: the statement or its answer was lost on the way.
    return activity !== null && !activity.state?.startsWith('idle') && activity.waitsFor !== 'Client'
  } catch (error) {
    return SQLSTATE.test(codeOf(error))
  } finally {
    void asker.end().catch(() => {})
  }
}
