// Compiles the sources once for a test run. A program that starts from JavaScript needs 1.2 s of processor time until it has
// loaded, one that starts through tsx 2.9 s, and the storms start dozens of them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { makeFolder } from './folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The variable with the compiled entry, which workers inherit; unset outside of a test run. */
const COMPILED = 'ASSAY_TEST_MAIN'

/** Compiles `src` file by file into a folder beside it, so that relative paths still hold. Returns how to remove the folder. */
export async function buildProgram(): Promise<() => void> {
  const outdir = mkdtempSync(join(ROOT, '.test-build-'))
  const src = join(ROOT, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  await build({
    entryPoints: files.map((name) => join(src, name)),
    outbase: src,
    outdir,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    bundle: true,
    logLevel: 'error',
    plugins: [
      {
        // Keeps every module a file of its own, as in the build that is published.
        name: 'imports',
        setup: ({ onResolve }) => {
          onResolve({ filter: /.*/ }, ({ kind, path }) => {
            if (kind === 'entry-point' || path.endsWith('.json')) return undefined
            return { path: path.startsWith('.') ? path.replace(/\.ts$/, '.js') : path, external: true }
          })
        },
      },
    ],
  })
  process.env[COMPILED] = join(outdir, 'main.js')
  return () => rmSync(outdir, { recursive: true, force: true })
}

/**
 * Bundles a file of the tests that runs as a process of its own, with all that it imports, into one file. It loads in a tenth of a
 * second of processor time; through tsx it takes two seconds.
 */
export async function bundleChild(source: URL): Promise<string> {
  const path = fileURLToPath(source)
  const outfile = join(makeFolder('child'), `${basename(path, '.ts')}.mjs`)
  await build({
    entryPoints: [path],
    outfile,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    bundle: true,
    logLevel: 'error',
    external: ['pg-native'],
    // CommonJS packages inside of it ask for `require`.
    banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" },
  })
  return outfile
}

/** Node's arguments that start the program: compiled in a test run, from the sources elsewhere. */
export const programEntry = (): string[] => {
  const compiled = process.env[COMPILED]
  return compiled ? [compiled] : ['--import', 'tsx', join(ROOT, 'src/main.ts')]
}

/** The address of a module of `src`, compiled for the test run, for a script that imports it. */
export function compiledModule(name: string): string {
  const [main] = programEntry()
  return pathToFileURL(join(dirname(main ?? ''), `${name}.js`)).href
}
