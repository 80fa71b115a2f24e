// A child process that uses the embedded database of a folder until it is told to end, for tests of sharing.
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { createLog } from '../../src/telemetry/log.ts'

const [dataDir = ''] = process.argv.slice(2)
const log = createLog({ level: 'silent', pretty: false })
const { url, stop } = await startEmbedded({ dataDir, log, settings: { shared_buffers: '16MB', fsync: 'off' } })
process.stdout.write(`${url}\n`)
process.stdin.on('end', () => stop().then(() => process.exit(0)))
process.stdin.resume()
