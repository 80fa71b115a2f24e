// Links and paths of the pages lead somewhere, and the README stays short.
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, linksOf, ROOT, readPage, readPages } from './pages.ts'

const pages = readPages()

test('README.md is 8 KB at most', () => {
  expect(Buffer.byteLength(readPage('README.md').text)).toBeLessThanOrEqual(8 * 1024)
})

test('every relative link of the pages leads to a file, and every anchor to a heading', () => {
  const broken = pages.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => !leadsSomewhere(path, target))
      .map((target) => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every page under docs is reached by links from README.md', () => {
  const reached = new Set<string>()
  const visit = (path: string) => {
    if (reached.has(path) || !path.endsWith('.md') || !existsSync(`${ROOT}/${path}`)) return
    reached.add(path)
    for (const target of linksOf(readPage(path).text)) {
      if (!/^(https?|mailto|#)/.test(target)) visit(resolveFrom(path, target))
    }
  }
  visit('README.md')
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([])
})

test('every file and folder of the project that the pages name exists', () => {
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|research|web|clients|examples|demo|prisma|docs)\/[\w./-]+)`/g)]
      .map(([, named = '']) => named)
      .filter((named) => !existsSync(`${ROOT}/${named}`) && !isMade(named))
      .map((named) => `${path}: ${named}`),
  )
  expect(missing).toEqual([])
})

/** What a build or the generator makes. */
const isMade = (path: string) => path.includes('/generated')

function leadsSomewhere(from: string, target: string): boolean {
  const [, anchor] = target.split('#')
  const path = target.startsWith('#') ? from : resolveFrom(from, target)
  if (!existsSync(`${ROOT}/${path}`)) return false
  return anchor === undefined || anchorsOf(readPage(path).text).includes(anchor)
}

const resolveFrom = (from: string, target: string): string =>
  posix.join(posix.dirname(from), target.split('#')[0] ?? '')
