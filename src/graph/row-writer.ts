// Writes rows as the JSON that a document's selection gives, without running the document: for a selection of fields that are
// each computed from the row alone. Aliases, their order and the types' serialisation are those of the document and the schema.
import {
  type FieldNode,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql'
import { schema } from './schema.ts'

/** The text of a row, cut where the values of moving fields stand. */
export type WriteRow = (row: object) => string[]

/**
 * A writer for a selection of fields of a type; throws where one of them needs more than the row. Values of `moving` fields are
 * left out.
 */
export function createRowWriter(
  typeName: string,
  selection: readonly FieldNode[],
  moving: readonly string[],
): WriteRow {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} is no type`)
  const fields = type.getFields()
  const columns = selection.map(({ name: { value: name }, alias, arguments: given = [], selectionSet }) => {
    const field = fields[name]
    if (!field || given.length > 0 || selectionSet) throw new Error(`${typeName}.${name} is not a plain field`)
    const resolve = field.resolve as ((row: object, ...more: unknown[]) => unknown) | undefined
    return {
      key: JSON.stringify(alias?.value ?? name),
      read: (row: object): unknown =>
        serialise(field.type, resolve ? resolve(row, {}, {}, {}) : (row as Record<string, unknown>)[name]),
      isMoving: moving.includes(name),
    }
  })
  return (row) => {
    const parts: string[] = []
    let text = '{'
    for (const [at, { key, read, isMoving }] of columns.entries()) {
      text += `${at === 0 ? '' : ','}${key}:`
      if (!isMoving) {
        text += JSON.stringify(read(row))
        continue
      }
      parts.push(text)
      text = ''
    }
    parts.push(`${text}}`)
    return parts
  }
}

function serialise(type: GraphQLOutputType, value: unknown): unknown {
  if (isNonNullType(type)) return serialise(type.ofType, value)
  if (value === null || value === undefined) return null
  if (isListType(type)) return [...(value as Iterable<unknown>)].map((item) => serialise(type.ofType, item))
  if (!isLeafType(type)) throw new Error('a row has objects')
  return type.serialize(value)
}

/** The selections of a field; throws where there is a fragment. */
export function fieldsOf({ selectionSet }: Pick<FieldNode, 'selectionSet'>): FieldNode[] {
  return (selectionSet?.selections ?? []).map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('a document of ours has a fragment')
    return selection
  })
}
