// `npm run storm -- NAME`: runs a storm.
import { runScript } from '../support/scripts.ts'
import { STORMS } from './scripts.ts'

await runScript(STORMS, process.argv.slice(2))
