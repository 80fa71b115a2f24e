import { expect, test } from 'vitest'
import { readConfig } from '../../src/base/config.ts'
import { parseSentinelUrl } from '../../src/base/sentinel-url.ts'

test('a URL of Sentinels has several hosts, a name, and the user, password and database of Redis', () => {
  expect(parseSentinelUrl('redis+sentinel://one:26379,two,[::1]:5/assay')).toEqual({
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 26_379 },
      { host: '::1', port: 5 },
    ],
    name: 'assay',
    db: 0,
  })
  expect(parseSentinelUrl('redis+sentinel://me:p%40ss@one/assay/3')).toEqual({
    sentinels: [{ host: 'one', port: 26_379 }],
    ...{ name: 'assay', username: 'me', password: 'p@ss', db: 3 },
  })
})

test('a URL of Sentinels without a name, with a wrong host, or with more than 16 hosts is refused without being shown', () => {
  for (const wrong of [
    'redis+sentinel://one',
    'redis+sentinel:///assay',
    'redis+sentinel://one,,two/assay',
    'redis+sentinel://one:0/assay',
    'redis+sentinel://one:70000/assay',
    'redis+sentinel://:%E0%A4@one/assay',
    'redis+sentinel://one/a b',
    `redis+sentinel://${Array(17).fill('one').join(',')}/assay`,
  ]) {
    expect(parseSentinelUrl(wrong), wrong).toBeNull()
    const message = expect.stringMatching(/^(?!.*%E0)[\s\S]*REDIS_URL: must be a URL that starts with redis:\/\//)
    expect(() => readConfig({ REDIS_URL: wrong }), wrong).toThrow(expect.objectContaining({ exitCode: 78, message }))
  }
  const REDIS_URL = 'redis+sentinel://one:26379,two:26379/assay'
  expect(readConfig({ REDIS_URL }).REDIS_URL).toBe(REDIS_URL)
})
