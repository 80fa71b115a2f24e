// `node --import tsx test/bench/index/generate-files.ts FOLDER LOGS SEED [managed]`: writes the files of a generated
// chain and exits, which frees the memory of a long chain.
import { generateChain } from './generate.ts'

const [folder = '.', logs, seed, kind] = process.argv.slice(2)
generateChain(folder, Number(logs), Number(seed), undefined, kind === 'managed')
process.exit(0)
