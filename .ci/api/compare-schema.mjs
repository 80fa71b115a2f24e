// Compares schema.graphql with that of the last release by graphql-inspector. A change that breaks a caller exits 1,
// and so does a changed default. Fields that the release had marked @deprecated may go.
import { readFileSync } from 'node:fs'
import { ChangeType, CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core'
import { buildSchema } from 'graphql'

const [before, after] = process.argv.slice(2).map((path) => buildSchema(readFileSync(path, 'utf8')))
const defaults = [ChangeType.FieldArgumentDefaultChanged, ChangeType.InputFieldDefaultValueChanged]
const breaks = (await diff(before, after, [DiffRule.suppressRemovalOfDeprecatedField])).filter(
  ({ type, criticality }) => criticality.level === CriticalityLevel.Breaking || defaults.includes(type),
)
process.stdout.write(breaks.map(({ message, path }) => `${path} breaks a caller: ${message}\n`).join(''))
process.stdout.write(`the schema beside that of the last release: ${breaks.length} changes that break a caller\n`)
process.exitCode = breaks.length > 0 ? 1 : 0
