// The house: stations and their rooms in the order of the table in docs/architecture.md, packages where that table puts them,
// no cycles, no barrels, the environment and the time read in one place.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(ROOT, 'src')

/** Files at the root of `src`, after all stations. */
const ROOT_FILES = ['app', 'main']

/** What Prisma generates is neither kept in git nor held to the rules. */
const GENERATED = 'database/generated/'

interface Import {
  /** As written. */
  specifier: string
  typeOnly: boolean
}

interface Source {
  /** Relative to `src`, with `/`. */
  path: string
  /** Its folder, `chain/rpc`; a file at the root of `src` is a room by itself. */
  room: string
  imports: Import[]
  tree: ts.SourceFile
}

interface Room {
  name: string
  packages: string[]
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.startsWith(GENERATED))
  .map((path) => {
    const tree = ts.createSourceFile(path, readFileSync(join(SRC, path), 'utf8'), ts.ScriptTarget.Latest, true)
    return { path, room: roomOf(path), imports: readImports(tree), tree }
  })

/** `ledger/write/prefetch/chain.ts` lies in the room `ledger/write`, `ledger/head.ts` in the room `ledger`. */
function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.length === 0 ? path.replace(/\.ts$/, '') : folders.slice(0, 2).join('/')
}

/** Imports, re-exports and dynamic imports of a file. */
function readImports(tree: ts.SourceFile): Import[] {
  const imports: Import[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const specifier = (node.moduleSpecifier as ts.StringLiteral).text
      imports.push({ specifier, typeOnly: isTypeOnly(node) })
    }
    const [argument] = ts.isCallExpression(node) ? node.arguments : []
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && argument) {
      if (ts.isStringLiteral(argument)) imports.push({ specifier: argument.text, typeOnly: false })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return imports
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  const clause = node.importClause
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names = clause.namedBindings
  return !clause.name && !!names && ts.isNamedImports(names) && names.elements.every((element) => element.isTypeOnly)
}

/** The file in `src` that an import means; null: a package or a file outside. */
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

/** The table under "The stations" in docs/architecture.md. */
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

/** What a file imports of ours, types included. */
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

test("the ledger's rooms import none of each other", () => {
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

test('a package that a station or a room owns is imported by no other', () => {
  const owner = new Map(rooms.flatMap(({ name, packages }) => packages.map((dependency) => [dependency, name])))
  const wrong = sources.flatMap((source) =>
    source.imports
      .map(({ specifier }) => packageOf(specifier))
      .filter((name) => owner.has(name) && !`${source.room}/`.startsWith(`${owner.get(name)}/`))
      .map((name) => `${source.path} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

test("Prisma's generated types are used by the database, the ledger and the graph's builder alone", () => {
  const wrong = sources.filter(
    (source) =>
      targetsOf(source).some((target) => target.startsWith(GENERATED)) &&
      !/^(database|ledger)\//.test(source.path) &&
      source.path !== 'graph/builder.ts',
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('no import forms a cycle', () => {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      source.imports.flatMap((entry) => {
        const target = targetOf(source, entry)
        return target && !entry.typeOnly && !target.startsWith(GENERATED) ? [posix.normalize(target)] : []
      }),
    ]),
  )
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
  expect([...edges.keys()].map((path) => findCycle(path, [])).find((cycle) => cycle !== null)).toBeUndefined()
})

test('no file only passes on what others export, and none is called index', () => {
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

/** Names that a file declares and exports. */
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

test('an exported name stands for one thing', () => {
  const files = new Map<string, Set<string>>()
  for (const source of sources)
    for (const name of namesOf(source)) files.set(name, (files.get(name) ?? new Set()).add(source.path))
  const twice = [...files].filter(([, paths]) => paths.size > 1)
  expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
})

test('no file is named after everything and nothing', () => {
  const vague = sources.filter(({ path }) =>
    /(^|\/)(utils?|helpers?|common|misc|manager|service|types)\.ts$/.test(path),
  )
  expect(vague.map(({ path }) => path)).toEqual([])
})

/** Text of every property access, call and construction in a file. */
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

test('the environment is read by base/config alone', () => {
  const wrong = sources.filter(({ path, tree }) => path !== 'base/config.ts' && readUses(tree).includes('process.env'))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('the current time is read by base/clock alone', () => {
  const clocks = ['Date.now', 'performance.now', 'new Date()', 'process.hrtime']
  const wrong = sources.filter(
    ({ path, tree }) => path !== 'base/clock.ts' && readUses(tree).some((use) => clocks.includes(use)),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
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
