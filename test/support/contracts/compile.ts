// Compiles the test tokens: `npx tsx test/support/contracts/compile.ts`. Sources and OpenZeppelin in, test/fixtures/tokens.json out.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>
}

const require = createRequire(import.meta.url)
const solc = require('solc') as {
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string
}
const KEPT = ['PlainToken', 'FaucetToken', 'FeeToken', 'Bytes32Token', 'MuteToken']

const input = {
  language: 'Solidity',
  sources: { 'Tokens.sol': { content: readFileSync(new URL('tokens/Tokens.sol', import.meta.url), 'utf8') } },
  settings: {
    evmVersion: 'paris',
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
}
const output = JSON.parse(
  solc.compile(JSON.stringify(input), {
    import: (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') }),
  }),
) as Output
const faults = (output.errors ?? []).filter((error) => error.severity === 'error')
if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))

const compiled = output.contracts['Tokens.sol']!
const artifacts = Object.fromEntries(
  KEPT.map((name) => [name, { abi: compiled[name]!.abi, bytecode: `0x${compiled[name]!.evm.bytecode.object}` }]),
)
writeFileSync(fileURLToPath(new URL('../../fixtures/tokens.json', import.meta.url)), `${JSON.stringify(artifacts)}\n`)
