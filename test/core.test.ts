import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CORE } from './core.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test('the core of the tests names files that exist, and each once', () => {
  const files = CORE.flatMap((path) => {
    const all = readdirSync(`${ROOT}/${dirname(path)}`).filter((name) => name.endsWith('.test.ts'))
    const named = all.filter((name) => name === basename(path) || basename(path) === '*.test.ts')
    expect(named, path).not.toEqual([])
    return named.map((name) => `${dirname(path)}/${name}`)
  })
  expect(files.filter((path, at) => files.indexOf(path) !== at)).toEqual([])
})
