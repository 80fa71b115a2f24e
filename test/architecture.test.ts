// The structure of the code. Stations and rooms have the order of the table in docs/architecture.md, and packages are
// only where that table allows them. There are no cycles, no barrels, and one place each for the environment and the
// time.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { VENUES } from '../src/chain/exchanges/venues.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(ROOT, 'src')

/** Files at the root of `src`, which come after all stations. */
const ROOT_FILES = ['app', 'main']

/** Prisma's generated code is not in git and is exempt from the rules. */
const GENERATED = 'database/generated/'

interface Import {
  /** As written in the import. */
  specifier: string
}

interface Source {
  /** Relative to `src`, with `/`. */
  path: string
  /** The folder, such as `chain/rpc`; a file at the root of `src` is its own room. */
  room: string
  imports: Import[]
  tree: ts.SourceFile
}

interface Room {
  name: string
  packages: string[]
}

const readSources = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.startsWith(GENERATED))
    .map((path) => {
      const tree = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest, true)
      return { path, room: roomOf(path), imports: readImports(tree), tree }
    })

const sources = readSources(SRC)

/** `ledger/write/prefetch/chain.ts` is in the room `ledger/write`, `ledger/head.ts` in the room `ledger`. */
function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.length === 0 ? path.replace(/\.ts$/, '') : folders.slice(0, 2).join('/')
}

/** The imports, re-exports and dynamic imports of a file. */
function readImports(tree: ts.SourceFile): Import[] {
  const imports: Import[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const specifier = (node.moduleSpecifier as ts.StringLiteral).text
      imports.push({ specifier })
    }
    const [argument] = ts.isCallExpression(node) ? node.arguments : []
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && argument) {
      if (ts.isStringLiteral(argument)) imports.push({ specifier: argument.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return imports
}

/** The file in `src` that an import refers to; null for a package or a file outside. */
function targetOf(source: Source, { specifier }: Import): string | null {
  if (!specifier.startsWith('.')) return null
  const path = relative(SRC, resolve(SRC, dirname(source.path), specifier)).replaceAll('\\', '/')
  return path.startsWith('..') ? null : path
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** The rows of the table under "The stations" in docs/architecture.md. */
function readRooms(): Room[] {
  const [, section = ''] = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8').split('\n## The stations\n')
  const [body = ''] = section.split('\n## ')
  return body
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => {
      const [, name = '', , packages = ''] = line.split('|')
      const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
      return { name: quoted(name)[0] ?? '', packages: quoted(packages) }
    })
}

const rooms = readRooms()
const order = [...rooms.map((room) => room.name), ...ROOT_FILES]

/** The project's files that a file imports, including for types. */
const targetsOf = (source: Source): string[] =>
  source.imports.map((entry) => targetOf(source, entry)).filter((target) => target !== null)

test('every folder with files is a room of the table in docs/architecture.md, and every room is a folder', () => {
  const named = rooms.map((room) => room.name)
  expect([...new Set(sources.map((source) => source.room))].sort()).toEqual([...named, ...ROOT_FILES].sort())
  expect(new Set(named).size).toBe(named.length)
  const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...new Set(named.map((name) => name.split('/')[0]))].sort())
})

test('a file imports values and types only from its own room or an earlier one', () => {
  const wrong = sources.flatMap((source) =>
    targetsOf(source)
      .filter(
        (target) =>
          order.indexOf(target.startsWith(GENERATED) ? 'database' : roomOf(target)) > order.indexOf(source.room),
      )
      .map((target) => `${source.path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('the rooms of the ledger do not import each other', () => {
  const isRoom = (room: string) => room.startsWith('ledger/')
  const wrong = sources
    .filter(({ room }) => isRoom(room))
    .flatMap((source) =>
      targetsOf(source)
        .filter((target) => isRoom(roomOf(target)) && roomOf(target) !== source.room)
        .map((target) => `${source.path} imports ${target}`),
    )
  expect(wrong).toEqual([])
})

test('no file of src imports one outside of src, and relative imports name a file', () => {
  const wrong = sources.flatMap((source) =>
    source.imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter((entry) => targetOf(source, entry) === null || !/\.(ts|json)$/.test(entry.specifier))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  )
  expect(wrong).toEqual([])
})

test('a package that belongs to a station or room is imported only there', () => {
  const ownersOf = (dependency: string) => rooms.filter(({ packages }) => packages.includes(dependency))
  const wrong = sources.flatMap((source) =>
    source.imports
      .map(({ specifier }) => packageOf(specifier))
      .filter((name) => ownersOf(name).length > 0)
      .filter((name) => !ownersOf(name).some((owner) => `${source.room}/`.startsWith(`${owner.name}/`)))
      .map((name) => `${source.path} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

test("Prisma's generated types are used only by the database, the ledger and the graph's builder", () => {
  const wrong = sources.filter(
    (source) =>
      targetsOf(source).some((target) => target.startsWith(GENERATED)) &&
      !/^(database|ledger)\//.test(source.path) &&
      source.path !== 'graph/schema/builder.ts',
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

/** The first cycle of imports, as paths; undefined without one. */
function firstCycle(edges: ReadonlyMap<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  const findCycle = (path: string, way: string[]): string[] | null => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return null
    for (const next of edges.get(path) ?? []) {
      const cycle = findCycle(next, [...way, path])
      if (cycle) return cycle
    }
    done.add(path)
    return null
  }
  return [...edges.keys()].map((path) => findCycle(path, [])).find((cycle) => cycle !== null) ?? undefined
}

test('no import forms a cycle, types included', () => {
  const targets = (source: Source) => targetsOf(source).filter((target) => !target.startsWith(GENERATED))
  expect(
    firstCycle(new Map(sources.map((source) => [source.path, targets(source).map((path) => posix.normalize(path))]))),
  ).toBeUndefined()
})

test('research imports only src, the tests and itself, and its imports form no cycle', () => {
  const research = readSources(join(ROOT, 'research'))
  const edges = new Map(
    research.map(({ path, imports }) => [
      `research/${path}`,
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join('research', dirname(path), specifier)),
    ]),
  )
  expect(edges.size).toBeGreaterThan(50)
  const outside = [...edges].flatMap(([path, targets]) =>
    targets.filter((target) => !/^(research|src|test)\//.test(target)).map((target) => `${path} imports ${target}`),
  )
  expect(outside).toEqual([])
  expect(firstCycle(edges)).toBeUndefined()
})

test('no two folders import each other', () => {
  const pairs = new Set(
    sources.flatMap((source) =>
      targetsOf(source)
        .filter((target) => !target.startsWith(GENERATED) && dirname(target) !== dirname(source.path))
        .map((target) => `${dirname(source.path)} ${dirname(target)}`),
    ),
  )
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' ').reverse().join(' ')))
  expect(mutual).toEqual([])
})

test('no file only re-exports others, and none is called index', () => {
  const barrels = sources.filter(
    ({ path, tree }) =>
      path.endsWith('/index.ts') ||
      (tree.statements.length > 0 && tree.statements.every((statement) => ts.isExportDeclaration(statement))),
  )
  expect(
    barrels.filter(({ path }) => path !== 'cli/index.ts' && path !== 'roles/index.ts').map(({ path }) => path),
  ).toEqual([])
  const stars = sources.filter(({ tree }) =>
    tree.statements.some(
      (statement) => ts.isExportDeclaration(statement) && !statement.exportClause && statement.moduleSpecifier,
    ),
  )
  expect(stars.map(({ path }) => path)).toEqual([])
})

/** The names that a file declares and exports. */
const namesOf = ({ tree }: Source): string[] =>
  tree.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(tree))
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    return isNamed && statement.name ? [statement.name.text] : []
  })

test('an exported name is declared in one file only', () => {
  const files = new Map<string, Set<string>>()
  for (const source of sources)
    for (const name of namesOf(source)) files.set(name, (files.get(name) ?? new Set()).add(source.path))
  const twice = [...files].filter(([, paths]) => paths.size > 1)
  expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
})

test('no file has a vague name such as utils or helpers', () => {
  const vague = sources.filter(({ path }) =>
    /(^|\/)(utils?|helpers?|common|misc|manager|service|types)\.ts$/.test(path),
  )
  expect(vague.map(({ path }) => path)).toEqual([])
})

/** The text of every property access, call and construction in a file. */
function readUses(tree: ts.SourceFile): string[] {
  const uses: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node)) uses.push(node.getText(tree))
    if (ts.isNewExpression(node) && !node.arguments?.length) uses.push(`new ${node.expression.getText(tree)}()`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return uses
}

test('only base/config reads the environment', () => {
  const wrong = sources.filter(({ path, tree }) => path !== 'base/config.ts' && readUses(tree).includes('process.env'))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('only base/clock reads the current time', () => {
  const clocks = ['Date.now', 'performance.now', 'new Date()', 'process.hrtime']
  const wrong = sources.filter(
    ({ path, tree }) => path !== 'base/clock.ts' && readUses(tree).some((use) => clocks.includes(use)),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

/** The kinds of pools, which some kinds of factories are called after. */
const POOL_KINDS = ['v2', 'v3', 'v4', 'coins', 'curve']
/** JavaScript's own words. */
const NO_VENUE = /(POSITIVE_|NEGATIVE_)?INFINITY|\bInfinity\b/g

/** Exchanges and launch venues by the names that presets and kinds of factories have, and the words that these begin with. */
function venueNames(): string[] {
  const folder = join(SRC, 'chain', 'presets')
  const launchpads = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).factories as { launchpad: string }[])
    .map(({ launchpad }) => launchpad)
  const names = [...VENUES, ...launchpads]
  const first = names.map((name) => name.split('_')[0] ?? '').filter((word) => word !== 'four')
  return [...new Set([...names, ...first])].filter((name) => !POOL_KINDS.includes(name))
}

/** Every identifier, text and import of a file as words in snake_case; comments, which cite sources, are none. */
function wordsOf(tree: ts.SourceFile): string[] {
  const words: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) words.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return words.map((word) => {
    const snake = word.replace(NO_VENUE, '').replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    return `_${snake.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_`
  })
}

test('neither book nor ledger names an exchange or a launch venue', () => {
  const names = venueNames()
  expect(names).toEqual(
    expect.arrayContaining(['uniswap', 'zora', 'four_meme', 'infinity_bin', 'aerodrome_slipstream']),
  )
  const namedBy = (tree: ts.SourceFile) =>
    wordsOf(tree).filter((word) => names.some((name) => word.includes(`_${name}_`)))
  const sample =
    "import { fee } from './uniswap-v4.ts'; const isZora = kind === 'infinity_bin' ? Number.POSITIVE_INFINITY : 0"
  expect(namedBy(ts.createSourceFile('sample.ts', sample, ts.ScriptTarget.Latest, true))).toHaveLength(3)
  const held = sources.filter(({ path }) => /^(book|ledger)\//.test(path))
  expect(held.length).toBeGreaterThan(90)
  expect(held.flatMap(({ path, tree }) => namedBy(tree).map((word) => `${path}: ${word}`))).toEqual([])
})

test('every dependency of package.json has its reason in docs/architecture.md', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const [, reasons = ''] = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8').split('\n## Dependencies\n')
  const names = Object.keys(dependencies)
  const named = [...reasons.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
  const hasReason = (name: string) =>
    named.some((text) => (text.endsWith('*') ? name.startsWith(text.slice(0, -1)) : text === name))
  expect(names.filter((name) => !hasReason(name))).toEqual([])
})

test('no support file of the tests hooks into test files at its top level, since it is loaded once for many of them', () => {
  const tests = join(ROOT, 'test')
  const support = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== join('support', 'setup.ts'),
  )
  expect(support.length).toBeGreaterThan(50)
  const hooked = support.filter((path) => /^(before|after)(All|Each)\(/m.test(readFileSync(join(tests, path), 'utf8')))
  expect(hooked).toEqual([])
})

/** Functions over 60 lines, and casts other than `as const`. The numbers may only fall: lower them with the code. */
const MOST = { longFunctions: 0, casts: 378 }

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

/** A function's lines, from its first word to its last bracket. */
const linesOf = (tree: ts.SourceFile, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.end).line - tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1

test('the number of functions over 60 lines, and that of casts, only falls', () => {
  const found = { longFunctions: 0, casts: 0 }
  for (const { tree } of sources) {
    const visit = (node: ts.Node) => {
      if (isFunction(node) && linesOf(tree, node) > 60) found.longFunctions += 1
      if (ts.isAsExpression(node) && node.type.getText(tree) !== 'const') found.casts += 1
      ts.forEachChild(node, visit)
    }
    visit(tree)
  }
  expect(found.longFunctions).toBeLessThanOrEqual(MOST.longFunctions)
  expect(found.casts).toBeLessThanOrEqual(MOST.casts)
})
