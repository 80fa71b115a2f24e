import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROUTES } from '../../src/rest/contract/routes.ts'

const read = (path: string) => readFileSync(new URL(`../../clients/${path}`, import.meta.url), 'utf8')
const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** A client has one key and makes no others. */
const wanted = ROUTES.map(({ id }) => id).filter((id) => !/Keys?$/.test(id))

test('the clients have a method for each operation of REST but those of keys', () => {
  const [typescript, python] = [read('typescript/src/client.ts'), read('python/assay_client/client.py')]
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.filter((id) => !typescript.includes(`    ${id}:`))).toEqual([])
  expect(wanted.filter((id) => !python.includes(`def ${toSnake(id)}(`))).toEqual([])
})
