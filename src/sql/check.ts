// Pure. Decides whether a statement may run. Input: the statement as DuckDB's own parser reads it, in its JSON form.
// Whatever is not known to be harmless is refused: kinds of nodes, tables, functions.
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from './functions.ts'

/** A refusal whose message is for the caller. */
export class SqlRefusal extends Error {
  override name = 'SqlRefusal'
}

/** What a statement reads. */
export interface SqlReads {
  views: ReadonlySet<string>
  /** Every name in the statement, in lower case; null: it may read every column. */
  names: ReadonlySet<string> | null
}

const NODES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE', 'CTE_NODE'])
const TABLES = new Set([
  ...['BASE_TABLE', 'SUBQUERY', 'JOIN', 'TABLE_FUNCTION', 'EXPRESSION_LIST', 'EMPTY', 'SHOW_REF', 'PIVOT'],
])
const EXPRESSIONS = new Set([
  ...['STAR', 'CONSTANT', 'COLUMN_REF', 'FUNCTION', 'CAST', 'OPERATOR', 'CONJUNCTION', 'COMPARISON', 'BETWEEN', 'CASE'],
  ...['SUBQUERY', 'WINDOW', 'LAMBDA', 'LAMBDA_REF', 'COLLATE', 'POSITIONAL_REFERENCE'],
])
const SHOWN = new Set(['DESCRIBE', 'SUMMARY'])

type Node = Record<string, unknown>
type Scope = ReadonlySet<string>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const lower = (value: unknown): string => String(value ?? '').toLowerCase()
const refuse = (message: string): never => {
  throw new SqlRefusal(message)
}

/** Throws a `SqlRefusal` unless it is one SELECT that reads the views and nothing else. */
export function checkStatement(serialized: string, views: readonly string[]): SqlReads {
  const parsed = JSON.parse(serialized) as { error: boolean; error_message?: string; statements?: { node: unknown }[] }
  if (parsed.error) {
    const isOther = /^Only SELECT/.test(parsed.error_message ?? '')
    return refuse(isOther ? 'it must be a SELECT' : (parsed.error_message ?? 'it cannot be read'))
  }
  const { statements = [] } = parsed
  if (statements.length !== 1) return refuse('it must be one statement')
  const found: Found = { views, read: new Set(), names: new Set(), rows: new Set(), references: [], readsAll: false }
  visit(found, statements[0], new Set())
  // A table's name in place of a column is its whole row.
  const readsAll = found.readsAll || found.references.some((name) => found.rows.has(name))
  return { views: found.read, names: readsAll ? null : found.names }
}

/** Facts about the nodes visited so far. */
interface Found {
  views: readonly string[]
  read: Set<string>
  names: Set<string>
  /** Tables by the names that a column can be qualified with. */
  rows: Set<string>
  /** The last names of columns. */
  references: string[]
  readsAll: boolean
}

/** `scope` has the names of WITH that are known at this place. */
function visit(found: Found, value: unknown, scope: Scope, isTableFunction = false): void {
  if (typeof value === 'string') found.names.add(value.toLowerCase())
  if (Array.isArray(value)) for (const each of value) visit(found, each, scope)
  if (!isNode(value)) return
  const { type } = value
  const isStatement = String(type).endsWith('_NODE')
  if ('class' in value) visitExpression(found, value, isTableFunction)
  else if ('sample' in value && !isStatement) visitTable(found, value, scope)
  else if (isStatement && !NODES.has(String(type))) refuse(`${type} is not supported`)
  const inner = 'cte_map' in value ? visitParts(found, value.cte_map, scope) : scope
  // A part that repeats sees itself in its second half alone; in the first one its name is a relation of the database.
  const own = type === 'RECURSIVE_CTE_NODE' ? new Set([...inner, lower(value.cte_name)]) : inner
  for (const [key, each] of Object.entries(value))
    if (key !== 'cte_map')
      visit(found, each, key === 'right' ? own : inner, type === 'TABLE_FUNCTION' && key === 'function')
}

function visitTable(found: Found, table: Node, scope: Scope): void {
  const { type, table_name: name, alias } = table
  if (!TABLES.has(String(type))) refuse(`${type} cannot be read from`)
  if (alias) found.rows.add(lower(alias))
  if (type === 'PIVOT' || table.ref_type === 'NATURAL') found.readsAll = true
  if (type === 'SHOW_REF') {
    found.readsAll = true
    if (!isNode(table.query) || !SHOWN.has(String(table.show_type))) refuse('SHOW is not supported: use DESCRIBE')
  }
  if (type === 'TABLE_FUNCTION') {
    const called = lower((table.function as Node | undefined)?.function_name)
    if (!ALLOWED_TABLE_FUNCTIONS.has(called)) refuse(`${called} cannot be read from`)
  }
  if (type !== 'BASE_TABLE') return
  found.rows.add(lower(name))
  visitNamed(found, table, scope)
}

function visitNamed({ views, read }: Found, table: Node, scope: Scope): void {
  const { table_name: name, schema_name: schema, catalog_name: catalog } = table
  if (table.at_clause) refuse('AT is not supported')
  const isPlain = catalog === '' && schema === ''
  if (isPlain && scope.has(lower(name))) return
  if (!(isPlain || (catalog === '' && schema === 'main')) || !views.includes(lower(name)))
    refuse(`there is no table ${JSON.stringify(String(name))}: the tables are ${views.join(', ')}`)
  read.add(lower(name))
}

function visitExpression(found: Found, expression: Node, isTableFunction: boolean): void {
  const { class: kind, function_name: called, schema, catalog } = expression
  if (!EXPRESSIONS.has(String(kind))) refuse(kind === 'PARAMETER' ? 'it has no parameters' : `${kind} is not supported`)
  if (kind === 'STAR' || kind === 'POSITIONAL_REFERENCE') found.readsAll = true
  if (kind === 'COLUMN_REF') found.references.push(lower((expression.column_names as unknown[]).at(-1)))
  if (typeof called !== 'string' || isTableFunction) return
  const isOwn = (catalog ?? '') === '' && ['', 'main'].includes(String(schema ?? ''))
  if (!isOwn || !ALLOWED_FUNCTIONS.has(called.toLowerCase()))
    refuse(`the function ${JSON.stringify(called)} is not available`)
}

/** Reads WITH: each part sees those before it, and what follows sees all. */
function visitParts(found: Found, map: unknown, scope: Scope): Scope {
  const parts = (isNode(map) && Array.isArray(map.map) ? map.map : []) as { key: unknown; value: unknown }[]
  let inner = scope
  for (const { key, value } of parts) {
    const name = lower(key)
    if (!/^[a-z_]\w*$/.test(name) || /^(sqlite_|duckdb_|pragma_|pg_)/.test(name))
      refuse(`WITH cannot name a part ${JSON.stringify(String(key))}`)
    visit(found, value, inner)
    inner = new Set([...inner, name])
  }
  return inner
}
