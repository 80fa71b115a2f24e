// The built page of `web/`: its files in memory, packed with Brotli and gzip, and unpacked once a client asks for that.
// Input: the folder that `web/build.mjs` wrote. A file's name has the hash of its content, so browsers keep it forever.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

export interface PageFile {
  type: string
  /** The bytes by content coding; unpacked if packing saves nothing. */
  coded: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

export interface PageFiles {
  index: PageFile
  /** The path of the picture in cards of shared links. */
  cardImage: string
  graphiql: PageFile
  /** By name, such as `page-3F2A.js`. */
  assets: ReadonlyMap<string, PageFile>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
}

const BUILT = join('web', 'dist')

/** The files; null when the page was not built. */
export function readPageFiles(folder = findPageFolder()): PageFiles | null {
  if (folder === null || !existsSync(join(folder, 'index.html'))) return null
  const assets = join(folder, 'assets')
  const names = readdirSync(assets).filter((name) => extname(name) in TYPES)
  return {
    index: readFile(join(folder, 'index.html')),
    graphiql: readFile(join(folder, 'graphiql.html')),
    cardImage: `/assets/${names.find((name) => name.startsWith('card-')) ?? ''}`,
    assets: new Map(names.map((name) => [name, readFile(join(assets, name))])),
  }
}

function readFile(path: string): PageFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  if (existsSync(`${path}.br`) && existsSync(`${path}.gz`)) {
    const [br, gzip] = [readFileSync(`${path}.br`), readFileSync(`${path}.gz`)]
    let unpacked: Buffer | undefined
    const coded = {
      br,
      gzip,
      get identity() {
        unpacked ??= gunzipSync(gzip)
        return unpacked
      },
    }
    return { type, coded }
  }
  const identity = readFileSync(path)
  return { type, coded: { identity, br: identity, gzip: identity } }
}

/** `web/dist` beside the nearest package.json above this file, whether this runs from sources or from a build. */
export function findPageFolder(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) return null
    folder = parent
  }
  return join(folder, BUILT)
}
