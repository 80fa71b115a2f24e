// The tag of a release is on the commit that its section of CHANGELOG.md describes.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT } from './pages.ts'

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** A copy without git, or without tags, has none. */
const tags = existsSync(`${ROOT}/.git`) ? git('tag', '--list', 'v*').split('\n').filter(Boolean) : []

/** The date and the text of a version's section. */
function readSection(changelog: string, version: string): { date: string; text: string } {
  const [, rest = ''] = changelog.split(`\n## [${version}] - `)
  const [date = '', ...lines] = (rest.split('\n## ')[0] ?? '').split('\n')
  return { date, text: lines.join('\n').trim() }
}

test.skipIf(tags.length === 0)('a tagged release has the changelog and the version of its commit', () => {
  const changelog = readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8')
  for (const tag of tags) {
    const version = tag.slice(1)
    const { date, text } = readSection(changelog, version)
    expect(text, tag).not.toBe('')
    expect(text, tag).toBe(readSection(git('show', `${tag}:CHANGELOG.md`), version).text)
    expect(date, tag).toBe(git('log', '-1', '--format=%cs', `${tag}^{commit}`))
    expect(JSON.parse(git('show', `${tag}:package.json`)).version, tag).toBe(version)
  }
})
