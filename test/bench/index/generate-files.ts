// `node --import tsx test/bench/index/generate-files.ts FOLDER LOGS SEED`: makes the files of a generated chain and ends, so
// that the memory that a long one takes is given back.
import { generateChain } from './generate.ts'

const [folder = '.', logs, seed] = process.argv.slice(2)
generateChain(folder, Number(logs), Number(seed))
process.exit(0)
