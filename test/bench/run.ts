// `npm run bench -- NAME`: runs a measurement.
import { runScript } from '../support/scripts.ts'
import { BENCHES } from './scripts.ts'

await runScript(BENCHES, process.argv.slice(2))
