// Builds the page. esbuild bundles web/src into web/dist, with the hash of its content in each file's name. Brotli and
// gzip pack every file, so that the server only reads them. Lays Swagger UI beside it for the reference at /docs. Also
// writes the schema's types for the page's queries. Does nothing when nothing changed since the last build.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { needBuildTools } from '../src/build-tools.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HERE, '..')
const DIST = join(HERE, 'dist')
/** Where it is built; it takes the place of `dist` when it is whole, since others may build or read at the same time. */
const MADE = join(ROOT, `.page-build-${process.pid}`)
const STAMP = join(DIST, 'stamp')
const TYPES = join(HERE, 'src', 'api', 'schema.d.ts')

/** Quality 11 takes twice a build's processor time for files that are 1.5 % smaller. */
const BROTLI_QUALITY = 10

function isFresh(stamp) {
  return existsSync(TYPES) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp
}

/** A hash of everything that the build depends on. */
function hashInputs() {
  const hash = createHash('sha256')
  const own = readdirSync(HERE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(DIST) && entry.name !== basename(TYPES))
    .map((entry) => join(entry.parentPath, entry.name))
  const fields = ['fields', 'verdict', 'words']
    .flatMap((room) => readdirSync(join(ROOT, 'src', room), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [
    ...own.sort(),
    join(ROOT, 'schema.graphql'),
    join(ROOT, 'package-lock.json'),
    join(ROOT, 'src', 'graph', 'http', 'examples.ts'),
    join(ROOT, 'src', 'base', 'csv-cell.ts'),
    join(ROOT, 'src', 'base', 'risk-level.ts'),
    join(ROOT, 'src', 'base', 'vocabulary.ts'),
    join(ROOT, 'src', 'base', 'json.ts'),
    ...fields.sort(),
  ]) {
    hash.update(path.slice(ROOT.length)).update('\0')
    if (existsSync(path)) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

async function readSchema() {
  const { buildSchema, introspectionFromSchema } = await import('graphql')
  return introspectionFromSchema(buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8')), {
    descriptions: true,
  })
}

/** gql.tada reads the types of variables and answers from this one type. */
function writeTypes(introspection) {
  const text = JSON.stringify(introspection, (name, value) => (name === 'description' ? undefined : value))
  writeFileSync(TYPES, `// Generated from schema.graphql by web/build.mjs.\nexport type introspection = ${text}\n`)
}

/** Bundles one page. Each is a build of its own: what both share would be cut into files that the first screen waits for. */
async function bundlePage(name, entry) {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints: { [name]: join(HERE, 'src', entry) },
    plugins: [leaveOutFonts],
    outdir: join(MADE, 'assets'),
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
  return metafile
}

async function build(schema) {
  rmSync(MADE, { recursive: true, force: true })
  const [page, graphiql] = [
    await bundlePage('page', 'main.tsx'),
    await bundlePage('graphiql', join('graphiql', 'main.tsx')),
  ]
  const icon = keep('icon', '.svg', readFileSync(join(HERE, 'icon.svg')))
  keep('card', '.png', readFileSync(join(HERE, 'card.png')))
  const known = keep('schema', '.json', JSON.stringify({ data: schema }))
  writePage('index.html', headOf(page, 'main.tsx', inlined), icon, known)
  writePage('graphiql.html', headOf(graphiql, 'graphiql/main.tsx', linked), icon, known)
  const assets = readdirSync(join(MADE, 'assets')).map((name) => join(MADE, 'assets', name))
  // A PNG is packed by itself.
  for (const path of [join(MADE, 'graphiql.html'), ...assets]) if (!path.endsWith('.png')) pack(path)
  layReference()
}

function layReference() {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  mkdirSync(join(MADE, 'reference'))
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE'])
    copyFileSync(join(from, name), join(MADE, 'reference', name))
  copyFileSync(join(HERE, 'icon.svg'), join(MADE, 'reference', 'icon.svg'))
}

/** Writes a file with the hash of its content in its name, and gives its address. */
function keep(name, extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase()
  writeFileSync(join(MADE, 'assets', `${name}-${hash}${extension}`), content)
  return `/assets/${name}-${hash}${extension}`
}

const address = (path) => `/assets/${basename(path)}`
const linked = (path) => `<link rel="stylesheet" href="${address(path)}" />`

/** A style sheet of 3 KB packed stands in the page itself, so that the first paint waits for no second answer. */
function inlined(path) {
  const text = readFileSync(join(ROOT, path), 'utf8').trim()
  rmSync(join(ROOT, path))
  return `<style>${text}</style>`
}

/** The elements that load an entry: its styles, its script, and what that imports at once. */
function headOf({ outputs }, entry, stylesOf) {
  const isOf = ([, { entryPoint }]) => entryPoint?.endsWith(`src/${entry}`)
  const [script, { cssBundle, imports }] = Object.entries(outputs).find(isOf)
  const early = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
  return [
    stylesOf(cssBundle),
    ...early.map((path) => `<link rel="modulepreload" href="${address(path)}" />`),
    `<script type="module" src="${address(script)}"></script>`,
  ].join('\n    ')
}

function writePage(name, head, icon, schemaAddress) {
  const page = readFileSync(join(HERE, name), 'utf8')
  const filled = page
    .replace('%ICON%', icon)
    .replace('%SCHEMA%', schemaAddress)
    .replace('%HEAD%', () => head)
  writeFileSync(join(MADE, name), filled)
}

/** GraphiQL's style sheet holds 270 KB of fonts; those of the system do as well. */
const leaveOutFonts = {
  name: 'leave out fonts',
  setup(build) {
    build.onLoad({ filter: /graphiql[\\/].*\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'css',
    }))
  },
}

function pack(path) {
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

/** Whoever builds at the same time builds the same: the last one stays. */
function takePlace() {
  const old = `${MADE}-old`
  try {
    // Removed in place, it would get the other's files meanwhile.
    renameSync(DIST, old)
  } catch {
    // There is none, or the other has just moved it.
  }
  try {
    renameSync(MADE, DIST)
  } catch (error) {
    rmSync(MADE, { recursive: true, force: true })
    if (!isFresh(stamp)) throw error
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

const stamp = hashInputs()
if (!isFresh(stamp)) {
  needBuildTools()
  const schema = await readSchema()
  writeTypes(schema)
  await build(schema)
  writeFileSync(join(MADE, 'stamp'), stamp)
  takePlace()
}
