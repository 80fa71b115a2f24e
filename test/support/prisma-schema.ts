// prisma/schema.prisma as tables: its columns, keys, indexes and foreign keys, in PostgreSQL's own words.
import { readFileSync } from 'node:fs'

/** A column as PostgreSQL would describe it. */
export interface Column {
  type: string
  nullable: boolean
  /** The expression; `identity` for a number that PostgreSQL gives; null: none. */
  default: string | null
}

/** A relation by its columns: from this table to the other one. */
interface Relation {
  columns: string[]
  table: string
  references: string[]
  /** Of a foreign key; null: the database has none for it. */
  onDelete: string | null
  optional: boolean
}

export interface Table {
  columns: Record<string, Column>
  indexes: string[]
  relations: Relation[]
  /** The fields that hold other models' rows, from both sides of each relation. */
  related: string[]
  model: string
}

interface Field {
  name: string
  type: string
  mark: string
  rest: string
}

const TYPES: Readonly<Record<string, string>> = {
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  String: 'text',
  Float: 'double precision',
  Json: 'jsonb',
  Bytes: 'bytea',
  '@db.Json': 'json',
  '@db.SmallInt': 'smallint',
  '@db.Timestamptz(6)': 'timestamp with time zone',
  '@db.Date': 'date',
  '@db.Uuid': 'uuid',
}

/** The arguments of an attribute, brackets inside them included; null: the text has no such attribute. */
function argumentsOf(text: string, attribute: string): string | null {
  const start = text.indexOf(`${attribute}(`)
  if (start < 0) return null
  let depth = 0
  for (let at = start + attribute.length; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && --depth === 0) return text.slice(start + attribute.length + 1, at)
  }
  throw new Error(`${attribute} is not closed: ${text}`)
}

const listIn = (text: string, before = ''): string[] =>
  new RegExp(`${before}\\[([^\\]]*)\\]`).exec(text)?.[1]?.split(', ') ?? []

const columnOf = ({ name, rest }: Field) => argumentsOf(rest, '@map')?.slice(1, -1) ?? name

function typeOf({ type, rest, mark }: Field): string {
  const native = /@db\.\w+(\([\d, ]+\))?/.exec(rest)?.[0] ?? ''
  const decimal = /^@db\.Decimal\((\d+), (\d+)\)/.exec(native)
  const scalar = decimal ? `numeric(${decimal[1]},${decimal[2]})` : (TYPES[native] ?? TYPES[type])
  if (!scalar) throw new Error(`${type} ${native} is no type that is known here`)
  return scalar + (mark === '[]' ? '[]' : '')
}

function defaultOf(field: Field): string | null {
  const given = argumentsOf(field.rest, '@default')
  if (given === null) return null
  if (given === 'autoincrement()') return 'identity'
  if (given === '[]') return `'{}'::${typeOf(field)}`
  if (given.startsWith('dbgenerated(')) return given.slice('dbgenerated("'.length, -2)
  return given.startsWith('"') ? `'${given.slice(1, -1)}'::text` : given
}

function indexesOf(table: string, fields: readonly Field[], body: string): string[] {
  const names = new Map(fields.map((field) => [field.name, columnOf(field)]))
  const key = fields.find(({ rest }) => /@id\b/.test(rest))?.name
  const keys = key ? [key] : listIn(body, '@@id\\(')
  const toSql = (unique: boolean, name: string, columns: string[], predicate?: string) => {
    const said = columns.map((column) => {
      const [, field = '', order] = /^(\w+)(\(sort: Desc\))?$/.exec(column) ?? []
      return `${names.get(field) ?? `?${column}`}${order ? ' DESC' : ''}`
    })
    const where = predicate === undefined ? '' : ` WHERE ${/^\w+$/.test(predicate) ? predicate : `(${predicate})`}`
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${table} USING btree (${said.join(', ')})${where}`
  }
  const declared = [...body.matchAll(/^ *@@(unique|index)\(\[(.*?)\], map: "(\w+)"(?:, where: raw\("(.*)"\))?\)$/gm)]
  return [
    toSql(true, `${table}_pkey`, keys),
    ...declared.map(([, kind, columns = '', name = '', predicate]) =>
      toSql(kind === 'unique', name, columns.split(', '), predicate),
    ),
    ...[...body.matchAll(/^ *\/\/ (CREATE .*)$/gm)].map(([, sql = '']) => sql),
  ].sort()
}

/** Every model of the text by the name of its table. */
export function readPrismaSchema(text = readFileSync('prisma/schema.prisma', 'utf8')): Record<string, Table> {
  const models = [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => {
    const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(\?|\[\])? *(.*)$/gm)].map(
      ([, field = '', type = '', mark = '', rest = '']): Field => ({ name: field, type, mark, rest }),
    )
    return { name, table: argumentsOf(body, '@@map')?.slice(1, -1) ?? name, body, fields }
  })
  const known = new Map(models.map((model) => [model.name, model]))
  const columnsOf = (model: string, fields: readonly string[]) =>
    fields
      .map((name) => known.get(model)?.fields.find((field) => field.name === name))
      .map((f) => (f ? columnOf(f) : '?'))
  return Object.fromEntries(
    models.map(({ name, table, body, fields }) => {
      const isColumn = ({ type }: Field) => !known.has(type)
      const relations = fields.filter((field) => !isColumn(field) && field.rest.includes('fields:'))
      return [
        table,
        {
          columns: Object.fromEntries(
            fields
              .filter(isColumn)
              .map((field) => [
                columnOf(field),
                { type: typeOf(field), nullable: field.mark === '?', default: defaultOf(field) },
              ]),
          ),
          indexes: indexesOf(table, fields.filter(isColumn), body),
          relations: relations.map((field) => ({
            columns: columnsOf(name, listIn(field.rest, 'fields: ')),
            table: known.get(field.type)?.table ?? '?',
            references: columnsOf(field.type, listIn(field.rest, 'references: ')),
            onDelete: /onDelete: (\w+)/.exec(field.rest)?.[1] ?? null,
            optional: field.mark === '?',
          })),
          related: fields.filter((field) => !isColumn(field)).map((field) => field.name),
          model: name,
        },
      ]
    }),
  )
}
