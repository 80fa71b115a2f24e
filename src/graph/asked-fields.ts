// Whether a query asks for more of a row than a short statement reads. To read, send and parse what nobody asked for takes longer than
// everything else about such a row.
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/**
 * Tells whether nothing but these fields is asked for below a field, and below its field `through` if it has one. Equal questions of one
 * answer are worked out once.
 */
export function createAsksOnly(names: readonly string[], through?: string): (info: GraphQLResolveInfo) => boolean {
  const allowed = new Set(['__typename', ...names])
  const known = new WeakMap<readonly FieldNode[], boolean>()
  return ({ fieldNodes, fragments }) => {
    const found = known.get(fieldNodes)
    if (found !== undefined) return found
    const seen = new Set<string>()
    const fits = (set: SelectionSetNode | undefined): boolean =>
      (set?.selections ?? []).every((selection) => {
        if (selection.kind === Kind.FIELD)
          return selection.name.value === through ? fits(selection.selectionSet) : allowed.has(selection.name.value)
        if (selection.kind === Kind.INLINE_FRAGMENT) return fits(selection.selectionSet)
        const { value } = selection.name
        // A fragment says the same wherever it is spread.
        if (seen.has(value)) return true
        seen.add(value)
        return fits(fragments[value]?.selectionSet)
      })
    const result = fieldNodes.every(({ selectionSet }) => fits(selectionSet))
    known.set(fieldNodes, result)
    return result
  }
}
