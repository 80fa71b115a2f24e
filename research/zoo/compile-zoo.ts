// Compiles the zoo: `npx tsx research/zoo/compile-zoo.ts` writes research/zoo/contracts.json, which has the hash of the sources that it was made of. A
// test compares the hash, since compiling takes longer than all checks together.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compileSolidity } from './compile.ts'

const folder = new URL('contracts/', import.meta.url)

function readSources(): Record<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'))
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]))
}

export const hashOfZoo = (): string => createHash('sha256').update(JSON.stringify(readSources())).digest('hex')

if (process.argv[1]?.endsWith('compile-zoo.ts')) {
  const contracts = Object.entries(compileSolidity(readSources())).filter(([, { creation }]) => creation !== '0x')
  const kept = Object.fromEntries(contracts.map(([name, { abi, creation }]) => [name, { abi, creation }]))
  const path = new URL('./contracts.json', import.meta.url)
  writeFileSync(path, `${JSON.stringify({ hash: hashOfZoo(), contracts: kept })}\n`)
}
