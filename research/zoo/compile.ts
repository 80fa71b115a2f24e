// Compiles Solidity for tests, once per source text: the outcome is kept in node_modules/.cache by the hash of the
// sources. Input: sources by name. Output: ABI and code by contract.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  creation: Hex
  runtime: Hex
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<string, { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >
}

const require = createRequire(import.meta.url)
const SETTINGS = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 1 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
}

/** Throws the compiler's errors. */
export function compileSolidity(sources: Readonly<Record<string, string>>): Record<string, Compiled> {
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: SETTINGS,
  })
  const folder = fileURLToPath(new URL('../../node_modules/.cache/assay-solidity', import.meta.url))
  const path = join(folder, `${createHash('sha256').update(input).digest('hex').slice(0, 32)}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Compiled>
  const compiled = compile(input, Object.keys(sources))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(compiled))
  renameSync(`${path}.${process.pid}`, path)
  return compiled
}

function compile(input: string, names: readonly string[]): Record<string, Compiled> {
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string
  }
  const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output = JSON.parse(solc.compile(input, { import: readImport })) as Output
  const faults = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const own = names.flatMap((name) => Object.entries(output.contracts[name] ?? {}))
  return Object.fromEntries(
    own.map(([name, { abi, evm }]) => [
      name,
      { abi, creation: `0x${evm.bytecode.object}` as Hex, runtime: `0x${evm.deployedBytecode.object}` as Hex },
    ]),
  )
}
