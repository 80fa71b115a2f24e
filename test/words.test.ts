// Comments and tests' titles read in one go.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findFaults, sentencesOfSource } from './support/sentences.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const HELD = ['clients', 'examples', 'prisma', 'research', 'src', 'test', 'web']

/** Prisma's and GraphQL's generated code, the client's types of OpenAPI, and built files. */
const isWritten = (path: string) => !/\/generated\/|\/openapi\.ts$|^web\/dist\//.test(path)

const filesOf = (folder: string): string[] =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(tsx?|m?js)$/.test(path) && isWritten(path))

test('finds long sentences and phrases without a noun, in comments and titles alone', () => {
  const long = `// ${'word '.repeat(26)}\n`
  const source = `${long}const value = 'that which is said'\n/** Fields of the answer, that which moves. */\n`
  expect(findFaults(sentencesOfSource('a.ts', source))).toEqual([
    `1: 26 words: ${'word '.repeat(26).trim()}`,
    '3: "that which": Fields of the answer, that which moves.',
  ])
  expect(findFaults(sentencesOfSource('a.test.ts', "test('tells what is wrong', () => {})"))).toHaveLength(1)
})

test.each(HELD)('every comment and title under %s reads in one go', (folder) => {
  const faults = filesOf(folder).flatMap((path) =>
    findFaults(sentencesOfSource(path, readFileSync(`${ROOT}/${path}`, 'utf8'))).map((fault) => `${path}:${fault}`),
  )
  expect(faults).toEqual([])
})
