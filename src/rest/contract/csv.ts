// Pure. A list as CSV (RFC 4180): a header, and a row for each item. The columns come from the route's document, so that
// they are the same for an empty list. An object becomes a column for each of its fields; a list of objects is JSON.
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { toCell } from '../../base/csv-cell.ts'
import { schema } from '../../graph/run/schema.ts'
import { fieldsOf, isHidden, LIFTED, nameOf, operationOf } from './lift.ts'

type Json = Record<string, unknown>
/** The names of the fields from an item to a value. */
type Path = readonly string[]

const isList = (type: unknown): boolean => isListType(isNonNullType(type) ? getNullableType(type) : type)

function columnsBelow(type: GraphQLObjectType, set: SelectionSetNode | undefined, path: Path): Path[] {
  return fieldsOf(set).flatMap((node) => {
    const name = nameOf(node)
    const field = type.getFields()[node.name.value]
    const inner = field && getNamedType(field.type)
    if (!inner || isHidden(name)) return []
    const isLifted = fieldsOf(node.selectionSet).some((below) => nameOf(below) === LIFTED)
    if (!isObjectType(inner) || isLifted || isList(field.type)) return [[...path, name]]
    return columnsBelow(inner, node.selectionSet, [...path, name])
  })
}

/** The columns of the list `data` in a document's answer. */
function columnsOf(document: string): Path[] {
  const find = (type: GraphQLObjectType, set: SelectionSetNode | undefined): Path[] | null => {
    for (const node of fieldsOf(set)) {
      const field = type.getFields()[node.name.value]
      const inner = field && getNamedType(field.type)
      if (!isObjectType(inner)) continue
      const found =
        nameOf(node) === 'data' ? columnsBelow(inner, node.selectionSet, []) : find(inner, node.selectionSet)
      if (found) return found
    }
    return null
  }
  const query = schema.getQueryType()
  return (query && find(query, operationOf(document).selectionSet)) ?? []
}

const known = new Map<string, Path[]>()

/** The list of an answer as CSV. `adds` names fields that are not in the document. */
export function toCsv(document: string, adds: readonly string[], { data }: { data: readonly Json[] }): string {
  const own = known.get(document) ?? columnsOf(document)
  known.set(document, own)
  const columns = [...own, ...adds.map((name) => [name])]
  const lines = data.map((item) =>
    columns
      .map((path) => toCell(path.reduce<unknown>((value, name) => (value as Json | null)?.[name], item)))
      .join(','),
  )
  return `${[columns.map((path) => path.join('.')).join(','), ...lines].join('\r\n')}\r\n`
}
