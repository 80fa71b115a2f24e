// Pure. The components of the OpenAPI description as TypedDicts.

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: (string | null)[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}
interface Operation {
  parameters?: { name: string; schema: Schema }[]
}
interface Api {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const HEAD = `"""The types of the API. Made by \`npm run clients\` from docs/openapi.json: not to be edited."""

from __future__ import annotations

from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """One page of a list."""

    data: list[Item]
    total: int
    page: int
    limit: int
`

/** Words that callers send, by the names that the client gives them. */
const WORDS = [
  ['TokenSort', '/tokens', 'sort'],
  ['RiskFlag', '/tokens', 'exclude_flags'],
  ['EventType', '/events', 'type'],
  ['Classification', '/stream/events', 'wallet_classification'],
  ['AlertStatus', '/alerts', 'status'],
  ['Order', '/events', 'order'],
  ['Interval', '/tokens/{address}/candles', 'interval'],
  ['TraderOrder', '/tokens/{address}/traders', 'sort'],
  ['WalletOrder', '/wallets', 'sort'],
  ['WalletKind', '/wallets', 'kind'],
  ['Confidence', '/wallets', 'min_confidence'],
  ['PositionStatus', '/wallets/{address}/positions', 'status'],
  ['PositionOrder', '/wallets/{address}/positions', 'sort'],
] as const

export function toPythonTypes({ paths, components }: Api): string {
  const all = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Page'))
  const values = all.filter(([, { properties }]) => !properties).map(([name, schema]) => `${name} = ${typeOf(schema)}`)
  const words = WORDS.flatMap(([name, path, parameter]) => {
    const schema = paths[path]?.get?.parameters?.find((known) => known.name === parameter)?.schema
    const type = typeOf(schema?.items ?? schema ?? {})
    return type === name ? [] : [`${name} = ${type}`]
  })
  const classes = all.filter(([, { properties }]) => properties).map(([name, schema]) => classOf(name, schema))
  return [HEAD, `${[...values, ...words].join('\n')}\n`, ...classes].join('\n\n')
}

/** Names of fields that a class of Python cannot have. */
const KEYWORDS: ReadonlySet<string> = new Set(['from'])

function classOf(name: string, { description, properties = {}, required = [] }: Schema): string {
  const typeIn = (field: string, one: Schema) =>
    required.includes(field) ? typeOf(one) : `NotRequired[${typeOf(one)}]`
  if (Object.keys(properties).some((field) => KEYWORDS.has(field))) {
    const items = Object.entries(properties).map(
      ([field, one]) => `        # ${one.description ?? field}\n        "${field}": "${typeIn(field, one)}",`,
    )
    return `# ${description ?? name}\n${name} = TypedDict(\n    "${name}",\n    {\n${items.join('\n')}\n    },\n)\n`
  }
  const fields = Object.entries(properties).flatMap(([field, one]) => {
    return [`    ${field}: ${typeIn(field, one)}`, ...(one.description ? [`    """${one.description}"""`] : [])]
  })
  return `class ${name}(TypedDict):\n    """${description ?? name}"""\n\n${fields.join('\n')}\n`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

function typeOf({ $ref, type, enum: words, items, oneOf, anyOf }: Schema): string {
  const choices = oneOf ?? anyOf
  if (choices) return choices.map(typeOf).join(' | ')
  if ($ref) return $ref.split('/').at(-1) ?? ''
  if (words) {
    const literal = `Literal[${words
      .filter((word) => word !== null)
      .map((word) => JSON.stringify(word))
      .join(', ')}]`
    return words.includes(null) ? `${literal} | None` : literal
  }
  if (items) return `list[${typeOf(items)}]${type?.includes('null') ? ' | None' : ''}`
  return [type ?? 'string']
    .flat()
    .map((name) => NAMES[name] ?? 'object')
    .join(' | ')
}
