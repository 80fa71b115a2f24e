// Compiles old Solidity for the exam of powers. Input: a source, and a folder whose node_modules have compilers of several versions. Output: the
// ABI and creation code of its token. Outcomes are kept beside the compilers, since old ones take seconds.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi } from 'viem'

type Hex = `0x${string}`
export interface CompiledToken {
  abi: Abi
  creation: Hex
}

interface Solc {
  compile(input: string): string
  /** What takes the same input in old versions. */
  compileStandardWrapper?: (input: string) => string
}

interface Output {
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  errors?: { severity: string; formattedMessage: string }[]
}

export interface Compilers {
  /** Null where no compiler takes it, or it has no token. */
  compile(source: string): CompiledToken | null
}

/** `solc` packages of the folder under any name, the newest first. */
export function openCompilers(folder: string): Compilers {
  const require = createRequire(join(folder, 'package.json'))
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('solc'))
  const kept = join(folder, 'compiled')
  mkdirSync(kept, { recursive: true })
  const loaded = new Map<string, Solc>()
  const load = (name: string): Solc => {
    const known = loaded.get(name) ?? (require(name) as Solc)
    loaded.set(name, known)
    // Each prints its own code when anything else fails.
    process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection')
    return known
  }
  const versions = names
    .map((name) => ({
      name,
      version: (
        JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }
      ).version,
    }))
    .toSorted((a, b) => b.version.localeCompare(a.version, undefined, { numeric: true }))
  return {
    compile(source) {
      const path = join(kept, `${createHash('sha256').update(source).digest('hex').slice(0, 24)}.json`)
      if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as CompiledToken | null
      const wanted = versionsOf(source)
      const order = versions.toSorted((a, b) => Number(wanted.test(b.version)) - Number(wanted.test(a.version)))
      for (const { name } of order) {
        const found = compileWith(load(name), source)
        if (!found) continue
        writeFileSync(path, JSON.stringify(found))
        return found
      }
      writeFileSync(path, 'null')
      return null
    },
  }
}

/** The minor version that the source names last. */
function versionsOf(source: string): RegExp {
  const [, minor = '8'] = /pragma\s+solidity\s+[^;]*?0\.(\d+)\./.exec(source) ?? []
  return new RegExp(`^0\\.${minor}\\.`)
}

function compileWith(solc: Solc, source: string): CompiledToken | null {
  const input = JSON.stringify({
    language: 'Solidity',
    // Compilers take the versions that they are, whatever the source names.
    sources: { 'Token.sol': { content: source.replace(/pragma\s+solidity[^;]*;/g, '') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  })
  let output: Output
  try {
    output = JSON.parse((solc.compileStandardWrapper ?? solc.compile)(input)) as Output
  } catch {
    return null
  }
  if (!output.contracts) return null
  const tokens = Object.values(output.contracts)
    .flatMap((file) => Object.values(file))
    .filter(({ abi, evm }) => evm.bytecode.object.length > 0 && !evm.bytecode.object.includes('_') && isToken(abi))
    .toSorted((a, b) => b.abi.length - a.abi.length || b.evm.bytecode.object.length - a.evm.bytecode.object.length)
  const [token] = tokens
  return token ? { abi: token.abi, creation: `0x${token.evm.bytecode.object}` } : null
}

const isToken = (abi: Abi): boolean => {
  const names = new Set(abi.flatMap((each) => (each.type === 'function' ? [each.name] : [])))
  return names.has('transfer') && names.has('balanceOf')
}
