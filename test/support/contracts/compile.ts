// Compiles the contracts of the tests: `npx tsx test/support/contracts/compile.ts`. Input: our sources and
// OpenZeppelin. Output: a file of test/fixtures for each source, such as tokens.json.
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
/** The contracts to keep from each source, and the output file. Some functions have more values than fit without `viaIR`. */
const KEPT = {
  tokens: {
    source: 'Tokens.sol',
    viaIR: false,
    names: ['PlainToken', 'FaucetToken', 'FeeToken', 'Bytes32Token', 'MuteToken'],
  },
  traps: {
    source: 'Traps.sol',
    viaIR: false,
    names: ['GateToken', 'RisingFeeToken', 'GraspingToken', 'EmptiedToken', 'PausableToken', 'MintableToken'],
  },
  lockers: { source: 'Lockers.sol', viaIR: false, names: ['PlainLocker', 'NumberedLocker'] },
  payments: { source: 'Payments.sol', viaIR: false, names: ['SignedDollar', 'Batch'] },
  exchanges: {
    source: 'Exchanges.sol',
    viaIR: true,
    names: [
      'ManagerRouter',
      'ManagerPositions',
      'SmartAccount',
      'EntryPoint',
      'Broker',
      'FeeHook',
      'ShareHook',
      'CurveHook',
      'LaunchCurve',
      'InputFeeHook',
      'KeepingHook',
      'PositionLocker',
      'Launchers',
      'RangeVault',
    ],
  },
}

for (const [folder, { source, viaIR, names }] of Object.entries(KEPT)) {
  const content = readFileSync(new URL(`${folder}/${source}`, import.meta.url), 'utf8')
  const compiled = compile(source, content, viaIR)
  const artifacts = Object.fromEntries(
    names.map((name) => [name, { abi: compiled[name]!.abi, bytecode: `0x${compiled[name]!.evm.bytecode.object}` }]),
  )
  const path = fileURLToPath(new URL(`../../fixtures/${folder}.json`, import.meta.url))
  writeFileSync(path, `${JSON.stringify(artifacts)}\n`)
}

function compile(source: string, content: string, viaIR: boolean) {
  const input = {
    language: 'Solidity',
    sources: { [source]: { content } },
    settings: {
      evmVersion: 'paris',
      viaIR,
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
  return output.contracts[source]!
}
