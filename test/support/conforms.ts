// Compares an answer with the OpenAPI description: status, headers and body, strictly, so that an unknown field is a
// fault too. Input: request and answer. Output: the faults.
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { LATER_WORD } from '../../src/describe/json-schema.ts'
import { createOpenApi } from '../../src/describe/openapi.ts'

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean
  [keyword: string]: unknown
}
interface Response {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: Schema }>
}
interface Operation {
  responses: Record<string, Response & { $ref?: string }>
}

const api = createOpenApi()
const components = api.components as unknown as {
  schemas: Record<string, Schema>
  responses: Record<string, Response>
  headers: Record<string, { schema: Schema; required?: boolean }>
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true })
ajv.addVocabulary(['x-unit'])
for (const name of ['date-time', 'uuid'] as const) ajv.addFormat(name, fullFormats[name] as never)
for (const name of ['double', 'int32', 'int64']) ajv.addFormat(name, { type: 'number', validate: () => true })
const LATER = `#/components/schemas/${LATER_WORD}`
const DEFINED = 'https://assay.example/api'
/** References to components as references to the definitions that ajv has. */
const localised = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${DEFINED}#/$defs/`))
ajv.addSchema({ $id: DEFINED, $defs: localised(close(components.schemas)) })

/** A server may add fields and words at any time; in its own tests none may come that is not described. */
function close<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.filter((one) => one?.$ref !== LATER).map(close) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, close(value)])
  return {
    ...Object.fromEntries(entries),
    ...('properties' in schema && 'type' in schema && { additionalProperties: false }),
  }
}

const compiled = new Map<string, ValidateFunction>()
function validatorOf(key: string, schema: Schema): ValidateFunction {
  const known = compiled.get(key) ?? ajv.compile(localised(schema))
  compiled.set(key, known)
  return known
}

const PATHS = Object.entries(api.paths).map(([path, operations]) => ({
  pattern: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  operations: operations as Record<string, Operation>,
}))

const lastOf = (reference: string) => reference.split('/').at(-1) ?? ''

/**
 * The differences from the description; none if the path or method is no operation and the answer is a common error.
 */
export function faultsOf(
  asked: { method: string; path: string },
  { status, headers, json }: { status: number; headers: Headers; json: unknown },
): string[] {
  const method = asked.method.toLowerCase()
  if (method === 'options' || !asked.path.startsWith('/v1/')) return []
  const operation = PATHS.find(({ pattern }) => pattern.test(asked.path))?.operations[
    method === 'head' ? 'get' : method
  ]
  const described = operation?.responses[status]
  if (operation && !described) return [`${asked.method} ${asked.path} answers ${status}, which is not described`]
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  if (!described)
    return status >= 400 && isJson ? bodyFaults('error', { $ref: '#/components/schemas/Error' }, json) : []
  const response = described.$ref === undefined ? described : components.responses[lastOf(described.$ref)]
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  if (status < 300 && response?.content && method !== 'head' && !(type in response.content))
    return [`${asked.method} ${asked.path} answers ${type}, which is not described`]
  const schema = isJson ? response?.content?.['application/json']?.schema : undefined
  const key = JSON.stringify(schema)
  return [
    ...headerFaults(response?.headers ?? {}, headers),
    ...(schema && method !== 'head' ? bodyFaults(key, schema, json) : []),
  ]
}

/** What of a value is not as a component of the description. */
export const faultsOfComponent = (name: string, json: unknown): string[] =>
  bodyFaults(name, { $ref: `#/components/schemas/${name}` }, json)

/** What of a value is not as a schema of the description. */
export const faultsOfSchema = (schema: object, json: unknown): string[] =>
  bodyFaults(JSON.stringify(schema), schema as Schema, json)

const bodyFaults = (key: string, schema: Schema, json: unknown): string[] => {
  const validate = validatorOf(key, schema)
  validate(json)
  return (validate.errors ?? []).map(
    (fault) => `${fault.instancePath} ${fault.message} ${JSON.stringify(fault.params)}`,
  )
}

function headerFaults(described: Record<string, { $ref: string }>, headers: Headers): string[] {
  return Object.keys(described).flatMap((name) => {
    const header = components.headers[name]
    const text = headers.get(name)
    if (!header) return [`${name} is not described`]
    if (text === null) return header.required ? [`${name} is missing`] : []
    const value = header.schema.type === 'integer' ? Number(text) : text
    return bodyFaults(`header ${name}`, header.schema, value).map((fault) => `${name}: ${text} ${fault}`)
  })
}
