import { expect, test } from 'vitest'
import { etagOf, matchesEtag } from '../../src/rest/etag.ts'

test('a tag is strong, and another for another body or coding', () => {
  const tags = [etagOf('a', 'identity'), etagOf('b', 'identity'), etagOf('a', 'gzip'), etagOf('a', 'br')]
  expect(new Set(tags).size).toBe(4)
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
})

test('If-None-Match names tags in a list, weak ones too, or any with a star', () => {
  const tag = etagOf('a', 'identity')
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*', ` ${tag} `]) expect(matchesEtag(header, tag)).toBe(true)
  for (const header of [undefined, '', '"x"', tag.slice(1, -1)]) expect(matchesEtag(header, tag)).toBe(false)
})
