// Writes the types of both clients anew from the OpenAPI description: `npm run clients`.
import { readFileSync, writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'
import { toPythonTypes } from './python-types.ts'

const at = (path: string) => new URL(path, import.meta.url)
const api = JSON.parse(readFileSync(at('../docs/openapi.json'), 'utf8'))
const NOTE = '// Made by `npm run clients` from docs/openapi.json: not to be edited.\n\n'
writeFileSync(at('typescript/src/openapi.ts'), NOTE + astToString(await openapi(api, { defaultNonNullable: false })))
writeFileSync(at('python/assay_client/types.py'), toPythonTypes(api))
