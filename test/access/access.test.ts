import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { tellOfOutages } from '../../src/access/access.ts'

test('an outage of Redis is told once when it begins and once when it ends, however often it is tried', () => {
  const told: string[] = []
  const tell = (_: object, message: string) => void told.push(message.slice(0, 13))
  const redis = new EventEmitter()
  tellOfOutages(redis, { info: tell, warn: tell })
  redis.emit('ready')
  for (let outage = 0; outage < 2; outage += 1) {
    for (let tries = 0; tries < 5; tries += 1) redis.emit('error', new Error('connect ECONNREFUSED'))
    redis.emit('ready')
  }
  expect(told).toEqual(['Redis does no', 'Redis answers', 'Redis does no', 'Redis answers'])
})
