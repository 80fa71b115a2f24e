// How often a document names the same answer's field in one place, as fields that merge must be compared with each other. In: a
// document whose expanded size is bounded. Out: the pairs, for which validation takes its time.
import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Pairs of fields under one name in one place, and below such pairs, as the answer merges them. */
export function countRepeats(set: SelectionSetNode, fragments: Fragments): number {
  return countIn([set], fragments)
}

/** The selection sets of fields that merge are one place. */
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
