// Reads numbers and booleans of a document that is not validated yet, as literals or through variables.
import { Kind, type OperationDefinitionNode, type SelectionNode, type ValueNode } from 'graphql'

/** Returns the value of a variable; undefined if none was given. */
export type Values = (variable: string) => unknown

/** A variable has the value that was sent, else the operation's default. */
export function readValues(operation: OperationDefinitionNode | null, sent: Record<string, unknown>): Values {
  const defaults = new Map(
    operation?.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  )
  return (name) => (Object.hasOwn(sent, name) ? sent[name] : readValue(defaults.get(name), () => undefined))
}

/** Returns a number, boolean or null unchanged, undefined without a value, and `NaN` for anything else. */
export function readValue(node: ValueNode | undefined, values: Values): unknown {
  switch (node?.kind) {
    case undefined:
      return undefined
    case Kind.NULL:
      return null
    case Kind.INT:
      return Number(node.value)
    case Kind.BOOLEAN:
      return node.value
    case Kind.VARIABLE:
      return values(node.name.value)
    default:
      return Number.NaN
  }
}

/** Whether `@skip` or `@include` certainly leaves a selection out of the answer. */
export function isLeftOut({ directives = [] }: SelectionNode, values: Values): boolean {
  return directives.some(({ name, arguments: args }) => {
    const condition = readValue(args?.find((argument) => argument.name.value === 'if')?.value, values)
    return (name.value === 'skip' && condition === true) || (name.value === 'include' && condition === false)
  })
}
