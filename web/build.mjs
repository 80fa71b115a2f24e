// Builds the page: bundles web/src with esbuild into web/dist, with the hash of its content in each file's name, and packs
// every file with Brotli and gzip, so that the server only reads them. Also writes the schema's types for the page's
// queries. Does nothing when nothing changed since the last build.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HERE, '..')
const DIST = join(HERE, 'dist')
const STAMP = join(DIST, 'stamp')
const TYPES = join(HERE, 'src', 'api', 'schema.d.ts')

const stamp = hashInputs()
if (!isFresh()) {
  writeTypes(await readSchema())
  await build()
  writeFileSync(STAMP, stamp)
}

function isFresh() {
  return existsSync(TYPES) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp
}

/** A hash of everything that the build depends on. */
function hashInputs() {
  const hash = createHash('sha256')
  const own = readdirSync(HERE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(DIST) && entry.name !== basename(TYPES))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [...own.sort(), join(ROOT, 'schema.graphql'), join(ROOT, 'package-lock.json')]) {
    hash.update(path.slice(ROOT.length)).update('\0')
    if (existsSync(path)) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

async function readSchema() {
  const { buildSchema, introspectionFromSchema } = await import('graphql')
  return introspectionFromSchema(buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8')), {
    descriptions: false,
  })
}

/** gql.tada reads the types of variables and answers from this one type. */
function writeTypes(introspection) {
  const text = JSON.stringify(introspection)
  writeFileSync(TYPES, `// Generated from schema.graphql by web/build.mjs.\nexport type introspection = ${text}\n`)
}

async function build() {
  const { build } = await import('esbuild')
  rmSync(DIST, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: { page: join(HERE, 'src', 'main.tsx') },
    outdir: join(DIST, 'assets'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    absWorkingDir: ROOT,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  const outputs = Object.entries(metafile.outputs)
  const [script, { cssBundle, imports }] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'))
  const address = (path) => `/assets/${basename(path)}`
  const early = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
  const icon = readFileSync(join(HERE, 'icon.svg'))
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase()}.svg`
  writeFileSync(join(DIST, 'assets', iconName), icon)
  const head = [
    `<link rel="stylesheet" href="${address(cssBundle)}" />`,
    ...early.map((path) => `<link rel="modulepreload" href="${address(path)}" />`),
    `<script type="module" src="${address(script)}"></script>`,
  ]
  const page = readFileSync(join(HERE, 'index.html'), 'utf8')
    .replace('%ICON%', address(iconName))
    .replace('%HEAD%', head.join('\n    '))
  mkdirSync(DIST, { recursive: true })
  writeFileSync(join(DIST, 'index.html'), page)
  for (const path of [
    join(DIST, 'index.html'),
    ...readdirSync(join(DIST, 'assets')).map((name) => join(DIST, 'assets', name)),
  ])
    pack(path)
}

function pack(path) {
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
