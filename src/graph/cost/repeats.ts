// Counts how often a document names the same field of the answer in the same place. Validation compares each such pair, so
// their number bounds its time. The expanded size of the document must be bounded already.
import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Counts pairs of fields with the same name in the same place, including the fields below them, which the answer merges. */
export function countRepeats(set: SelectionSetNode, fragments: Fragments): number {
  return countIn([set], fragments)
}

/** `sets` are the selection sets of fields that merge, so they are one place. */
function countIn(sets: readonly SelectionSetNode[], fragments: Fragments): number {
  const places = new Map<string, { fields: number; below: SelectionSetNode[] }>()
  for (const set of sets) collect(set, fragments, places)
  let pairs = 0
  for (const { fields, below } of places.values()) {
    pairs += (fields * (fields - 1)) / 2
    if (below.length > 0) pairs += countIn(below, fragments)
  }
  return pairs
}

function collect(
  set: SelectionSetNode,
  fragments: Fragments,
  places: Map<string, { fields: number; below: SelectionSetNode[] }>,
): void {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value
      const place = places.get(name) ?? { fields: 0, below: [] }
      places.set(name, place)
      place.fields += 1
      if (selection.selectionSet) place.below.push(selection.selectionSet)
    } else {
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments.get(selection.name.value)?.selectionSet
      if (inner) collect(inner, fragments, places)
    }
  }
}
