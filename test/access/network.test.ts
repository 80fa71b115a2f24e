import { expect, test } from 'vitest'
import { networkOf } from '../../src/access/network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the client address %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('a shorter network has fewer groups of an IPv6 address, and all of an IPv4 address', () => {
  expect(networkOf('2001:db8:1:2::9', 3)).toBe('2001:db8:1::/48')
  expect(networkOf('203.0.113.7', 3)).toBe('203.0.113.7')
})
