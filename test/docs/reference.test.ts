// The pages name everything that the code has, and nothing that it has not: variables, routes with their fields, commands.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Kind, parse, type SelectionSetNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { RESEARCH } from '../../research/scripts.ts'
import { FLOOR_REASONS } from '../../src/base/vocabulary.ts'
import type { Context } from '../../src/cli/context.ts'
import { createProgram } from '../../src/cli/program.ts'
import { ALERT_CONDITIONS } from '../../src/fields/filter.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { RISK_INPUTS } from '../../src/scoring/risk-inputs.ts'
import { BENCHES } from '../bench/scripts.ts'
import { STORMS } from '../storm/scripts.ts'
import { anchorsOf, linksOf, ROOT, readPage, readPages, sectionOf } from './pages.ts'

const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name).sort()

describe('the variables of the environment', () => {
  const variables = namesIn(read('src/base/config.ts'), /^ {2}([A-Z][A-Z0-9_]+): /gm)

  test('are the rows of the tables in docs/configuration.md', () => {
    expect(variables).toContain('DATABASE_URL')
    const rows = read('docs/configuration.md').match(/^\| `[A-Z].*$/gm) ?? []
    const named = rows.flatMap((row) => namesIn(row.split('|')[1] ?? '', /`([A-Z][A-Z0-9_]+)`/g))
    expect(named.sort()).toEqual(variables)
  })

  test('are the lines of .env.example', () => {
    expect(namesIn(read('.env.example'), /^#?([A-Z][A-Z0-9_]+)=/gm)).toEqual(variables)
  })
})

describe('docs/rest.md', () => {
  const { text } = readPage('docs/rest.md')
  const spell = (path: string) => `/v1${path.replace(/:(\w+)/, '{$1}')}`

  /** A section, with the sections of the same page that it links to. */
  function readSection(heading: string): string {
    const own = sectionOf(text, heading)
    const linked = linksOf(own).filter((target) => target.startsWith('#'))
    const headings = text.match(/^#{2,3} .+$/gm) ?? []
    const parts = linked.map((target) => headings.find((line) => anchorsOf(line)[0] === target.slice(1)) ?? '')
    return [own, ...parts.map((part) => sectionOf(text, part))].join('\n')
  }

  test.each(ROUTES.map((route) => [route.method, spell(route.path), route] as const))(
    'names every parameter and field of %s %s',
    (method, path, { query, document, status, unwraps }) => {
      const section = readSection(`### ${method} ${path}`)
      const fields = status === 204 ? [] : fieldsOf(document).filter((name) => name !== unwraps)
      const conditions = fields.includes('conditions') ? ALERT_CONDITIONS : []
      const names = [...Object.keys(query), ...fields, ...conditions]
      expect(section.length).toBeGreaterThan(50)
      expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([])
    },
  )

  test('has a section for every route and for no other', () => {
    const headings = namesIn(text, /^### ((?:GET|POST|PATCH|DELETE) \/v1.*)$/gm)
    expect(headings).toEqual(ROUTES.map(({ method, path }) => `${method} ${spell(path)}`).sort())
  })

  test('shows an answer of every route that has one', () => {
    for (const { method, path, status } of ROUTES) {
      const section = sectionOf(text, `### ${method} ${spell(path)}`)
      expect([method, path, section.includes('```json answer')]).toEqual([method, path, status !== 204])
    }
  })
})

/** The names of all fields in the answer of a route's document, below its root field. */
function fieldsOf(document: string): string[] {
  const names = new Set<string>()
  const collect = (set: SelectionSetNode | undefined) => {
    for (const field of set?.selections ?? []) {
      if (field.kind !== Kind.FIELD) throw new Error('the documents of the routes have no fragments')
      const name = (field.alias ?? field.name).value
      // Such an alias is no field of the answer; `_` alone stands for the field below it.
      if (name.startsWith('_') && name !== '_') continue
      if (name !== '_') names.add(name)
      collect(field.selectionSet)
    }
  }
  for (const definition of parse(document).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) collect(definition.selectionSet)
  }
  // `answer` is the root. The events of a wallet are inside the wallet, and alerts and keys are inside the payloads
  // of their mutations; these are taken out.
  for (const wrapper of ['answer', 'events', 'alert', 'api_key']) names.delete(wrapper)
  return [...names]
}

test('every floor of a score is named in docs/scores.md, or as a finding in docs/safety.md', () => {
  const pages = read('docs/scores.md') + read('docs/safety.md')
  expect(FLOOR_REASONS.filter((reason) => !pages.includes(`\`${reason}\``))).toEqual([])
})

test('every input of the risk model is explained in docs/scores.md', () => {
  const section = sectionOf(read('docs/scores.md'), '### The fitted inputs')
  const scales = { log: 'log', linear: 'linear', step: 'steps' }
  const rows = RISK_INPUTS.map(({ name, dimension, byOpening, scale }) => {
    const start = `| \`${name}\` | ${dimension}${byOpening ? ', by opening' : ''} | ${scales[scale]} |`
    return section.includes(start) || name
  })
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((found) => found !== true)).toEqual([])
})

test('every command and option stands under "Command line" in docs/operations.md', () => {
  const section = sectionOf(read('docs/operations.md'), '## Command line')
  const allOf = (command: Command, path: string): [string, Command][] =>
    command.commands.flatMap((part) => {
      const name = `${path}${part.name()}`
      return part.commands.length > 0 ? allOf(part, `${name} `) : [[name, part] as [string, Command]]
    })
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  for (const [name, command] of allOf(
    createProgram({} as Context, () => {}),
    '',
  )) {
    const row = rows.find((line) => line.includes(`\`${name} `) || line.includes(`\`${name}\``)) ?? ''
    expect(row, `no row of the table is about ${name}`).not.toBe('')
    for (const { long } of command.options) expect([name, row.includes(long ?? '')]).toEqual([name, true])
  }
})

test('every sentence of the log in docs/operations.md is one that the program writes', () => {
  const source = readdirSync(`${ROOT}/src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => read(`src/${path}`))
    .join('\n')
  const section = sectionOf(read('docs/operations.md'), '### What the log says, and what to do')
  const sentences = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Symptom'))
    .flatMap((line) => namesIn(line.split(' | ')[1] ?? '', /`([^`]+)`/g))
  expect(sentences.length).toBeGreaterThan(30)
  // Values and names of settings differ from case to case.
  const fixed = (sentence: string) =>
    sentence.split(/\.\.\.|"|HISTORY_\w+|sending by email|^demo: |DATA_DIR|\d+|\(0x\w+\)/)
  const unknown = sentences.flatMap(fixed).filter((part) => part.length > 3 && !source.includes(part))
  expect(unknown).toEqual([])
})

const NAMED = [BENCHES, STORMS, RESEARCH]

/** The pages and sources, which name commands in text and in comments. */
const readNaming = (): string[] => [
  ...readPages().map(({ path }) => path),
  ...['src', 'test', 'research'].flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes('generated'))
      .map((path) => `${folder}/${path}`),
  ),
]

test.each(NAMED)('every script of npm run $command exists and stands in the pages', ({ command, base, scripts }) => {
  const text = readPages()
    .map((page) => page.text)
    .join('\n')
  const names = Object.keys(scripts)
  expect(names.filter((name) => !text.includes(`npm run ${command} -- ${name}`))).toEqual([])
  expect(names.filter((name) => !existsSync(new URL(scripts[name]?.file ?? '', base)))).toEqual([])
})

test('every npm script that a file names exists, with the name of its experiment, measurement or storm', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const known = new Map(NAMED.map((named) => [named.command, Object.keys(named.scripts)]))
  const wrong = readNaming().flatMap((path) =>
    [...read(path).matchAll(/npm run (?:-s )?([a-z][\w:-]*)(?: -- ([a-z][a-z-]*)\b)?/g)]
      .filter(([, script = '', name]) => {
        const names = known.get(script)
        return !(script in scripts) || (names !== undefined && name !== undefined && !names.includes(name))
      })
      .map(([text]) => `${path}: ${text}`),
  )
  expect(wrong).toEqual([])
})
