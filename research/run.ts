// `npm run research -- NAME`: runs an experiment.
import { runScript } from '../test/support/scripts.ts'
import { RESEARCH } from './scripts.ts'

await runScript(RESEARCH, process.argv.slice(2))
