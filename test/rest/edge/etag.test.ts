import { expect, test } from 'vitest'
import { etagOf, matchesEtag } from '../../../src/rest/edge/etag.ts'

test('an entity tag is strong and differs for another body or content coding', () => {
  const tags = [etagOf('a', 'identity'), etagOf('b', 'identity'), etagOf('a', 'gzip'), etagOf('a', 'br')]
  expect(new Set(tags).size).toBe(4)
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
})

test('If-None-Match matches a tag in a list, a weak tag, and any tag with *', () => {
  const tag = etagOf('a', 'identity')
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*', ` ${tag} `]) expect(matchesEtag(header, tag)).toBe(true)
  for (const header of [undefined, '', '"x"', tag.slice(1, -1)]) expect(matchesEtag(header, tag)).toBe(false)
})
