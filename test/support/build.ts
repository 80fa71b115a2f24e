// Bundles the program once for a test run, since the storms start it dozens of times.
import { mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { bundleProgram, FOR_NODE } from '../../src/bundle.mjs'
import { makeFolder } from './folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The variable with the compiled entry, which workers inherit; unset outside of a test run. */
const COMPILED = 'ASSAY_TEST_MAIN'

/** Bundles the program into a folder beside `src`; `.ci/run` starts it as it is published. Returns how to remove the folder. */
export async function buildProgram(): Promise<() => void> {
  const outdir = mkdtempSync(join(ROOT, '.test-build-'))
  await bundleProgram(outdir)
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
    ...FOR_NODE,
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

/** The files of `src` that start a thread or a process from a file beside them. */
const STARTS_OTHERS = ['chain/connect/in-thread', 'sql/process', 'telemetry/watchdog']

/**
 * A plugin for Vite: what the tests import runs from its source, and the threads and processes that it starts run from the
 * bundle. Each takes a tenth of a second of processor time; through tsx it takes two seconds.
 */
export const startOthersFromBundle = {
  name: 'start threads and processes from the bundle',
  enforce: 'pre' as const,
  transform(text: string, id: string): string | undefined {
    const name = STARTS_OTHERS.find((each) => id === join(ROOT, 'src', `${each}.ts`))
    return name && text.replaceAll('import.meta.url', JSON.stringify(compiledModule(name)))
  },
}
