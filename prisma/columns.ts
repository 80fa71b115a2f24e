// Writes the columns of numbers that src/fields declares, and that prisma/schema.prisma lacks, into that file, and a
// migration that adds them. Columns that are there already stay: a release has them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FieldRow, toSnake } from '../src/fields/field.ts'
import { ALERT_NUMBERS, SCORED_NUMBERS, STORED_NUMBERS, TOKEN_FIELDS } from '../src/fields/token.ts'

const SCHEMA = new URL('schema.prisma', import.meta.url)
const MIGRATIONS = new URL('migrations/', import.meta.url)
const PRISMA_TYPES = { integer: 'Int', double: 'Float' } as const
const SQL_TYPES = { integer: 'integer', double: 'double precision' } as const

const bodyOf = (schema: string, model: string): string =>
  new RegExp(`^model ${model} \\{\\n(.*?)^\\}`, 'ms').exec(schema)?.[1] ?? ''
const hasField = (schema: string, model: string, name: string): boolean =>
  new RegExp(`^ +${name} `, 'm').test(bodyOf(schema, model))

/** The schema with these lines after the columns of the model. */
function addLines(schema: string, model: string, lines: readonly string[]): string {
  const body = bodyOf(schema, model)
  const [columns = '', ...rest] = body.split('\n\n')
  return schema.replace(body, [[columns, ...lines].join('\n'), ...rest].join('\n\n'))
}

let schema = readFileSync(SCHEMA, 'utf8')
const statements: string[] = []
const added: string[] = []
/** Adds a column to the model of tokens; returns its name. */
function addToToken(name: string, shown: FieldRow['shown'], type: string): string {
  const column = toSnake(name)
  const comment = shown ? [`  /// ${shown.text}`] : []
  schema = addLines(schema, 'Token', [...comment, `  ${name} ${type} @map("${column}")`])
  added.push(column)
  return column
}

for (const [name, type, nullable] of STORED_NUMBERS) {
  if (hasField(schema, 'Token', name)) continue
  const { earlier, shown }: FieldRow = TOKEN_FIELDS[name]
  if (!earlier) throw new Error(`src/fields: ${name} lacks "earlier", its SQL for tokens of an earlier version`)
  const column = addToToken(name, shown, `${PRISMA_TYPES[type]}${nullable ? '?' : ' @default(0)'}`)
  statements.push(`ALTER TABLE token ADD COLUMN ${column} ${SQL_TYPES[type]}${nullable ? '' : ' DEFAULT 0 NOT NULL'};`)
  statements.push(`UPDATE token SET ${column} = ${earlier};`)
}
for (const name of SCORED_NUMBERS) {
  if (hasField(schema, 'Token', name)) continue
  const { shown }: FieldRow = TOKEN_FIELDS[name]
  statements.push(`ALTER TABLE token ADD COLUMN ${addToToken(name, shown, 'Float?')} double precision;`)
}
for (const name of ALERT_NUMBERS) {
  if (hasField(schema, 'AlertBaseline', name)) continue
  const column = toSnake(name)
  schema = addLines(schema, 'AlertBaseline', [`  ${name} Float @map("${column}")`])
  statements.push(
    `ALTER TABLE alert_baseline ADD COLUMN ${column} double precision;`,
    `UPDATE alert_baseline b SET ${column} = coalesce((SELECT t.${column} FROM token t WHERE t.id = b.token_id), 'NaN');`,
    `ALTER TABLE alert_baseline ALTER COLUMN ${column} SET NOT NULL;`,
  )
  if (!added.includes(column)) added.push(column)
}
if (added.length > 0) {
  const last =
    readdirSync(MIGRATIONS)
      .filter((folder) => /^\d{4}_/.test(folder))
      .sort()
      .at(-1) ?? '0000'
  const folder = new URL(`${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}_${added.join('_')}/`, MIGRATIONS)
  mkdirSync(folder)
  writeFileSync(new URL('migration.sql', folder), `-- Columns that src/fields declares.\n${statements.join('\n')}\n`)
  writeFileSync(SCHEMA, schema)
}
