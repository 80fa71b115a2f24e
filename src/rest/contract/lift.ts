// Pure. Two conventions of the routes' documents. A field with the alias `_` takes the place of the object around it, so
// that `confidence: score { _: confidence }` is a field of one value. Other aliases that begin with `_` are read by the
// route's shape, and are no fields of the answer.
import { type FieldNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'

type Json = Record<string, unknown>

/** The alias of a field that takes the place of its object. */
export const LIFTED = '_'

/** Whether a field is no field of the answer. */
export const isHidden = (name: string): boolean => name.startsWith('_') && name !== LIFTED

/** The name of a field in the answer. */
export const nameOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** The only operation of a document. */
export function operationOf(document: string): OperationDefinitionNode {
  const [definition] = parse(document, { noLocation: true }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('the document of a route is one operation')
  return definition
}

/** The fields of a selection; the documents of the routes have no fragments. */
export const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
  (set?.selections ?? []).map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('the documents of the routes have no fragments')
    return selection
  })

/** Changes an answer in place, and returns what takes its place. */
type Lift = (given: unknown) => unknown

function liftOf(set: SelectionSetNode | undefined): Lift | null {
  const fields = fieldsOf(set)
  const lifted = fields.find((field) => nameOf(field) === LIFTED)
  const below = lifted && liftOf(lifted.selectionSet)
  const inner = fields.flatMap((field) => {
    const lift = liftOf(field.selectionSet)
    return lift ? [[nameOf(field), lift] as const] : []
  })
  if (!lifted && inner.length === 0) return null
  const one = (object: Json): unknown => {
    if (lifted) return below ? below(object[LIFTED]) : object[LIFTED]
    for (const [name, lift] of inner) object[name] = lift(object[name])
    return object
  }
  const lift: Lift = (given) => {
    if (Array.isArray(given)) return given.map(lift)
    return given === null || given === undefined ? null : one(given as Json)
  }
  return lift
}

const known = new Map<string, Lift | null>()

/** The answer of a document with every lifted field in its place. */
export function liftFields(document: string, answer: Json): Json {
  const lift = known.get(document) ?? liftOf(fieldsOf(operationOf(document).selectionSet)[0]?.selectionSet)
  known.set(document, lift)
  return lift ? (lift(answer) as Json) : answer
}
