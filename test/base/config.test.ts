import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/base/config.ts'

describe('the environment', () => {
  it('has a default for everything, and an empty variable counts as none', () => {
    const defaults = readConfig({})
    expect(defaults).toMatchObject({ PORT: 4000, HOST: '127.0.0.1', LOG_LEVEL: 'info', READY_MAX_LAG: 50 })
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', TRUST_PROXY: '' })).toEqual(defaults)
  })

  it('names every problem in one message, with exit code 78', () => {
    const wrong = {
      PORT: '70000',
      RPC_URL: 'ws://a',
      TLS_CERT: '/no/such/file',
      TRUST_PROXY: 'my-proxy',
      SUMMARY_MODEL: 'm',
      LOG_LEVEL: 'loud',
    }
    expect(() => readConfig(wrong)).toThrow(
      expect.objectContaining({
        exitCode: 78,
        message: expect.stringMatching(
          /PORT[\s\S]*RPC_URL[\s\S]*TLS_CERT[\s\S]*TRUST_PROXY[\s\S]*LOG_LEVEL: must be one of fatal, error, warn[\s\S]*TLS_KEY[\s\S]*SUMMARY_API_URL/,
        ),
      }),
    )
  })

  it.each([
    ['true', true],
    ['false', false],
    ['2', 2],
    ['loopback', 'loopback'],
    ['10.0.0.0/8, ::1,fd00::/8', '10.0.0.0/8, ::1,fd00::/8'],
    ['10.0.0.0/255.0.0.0', '10.0.0.0/255.0.0.0'],
  ])('TRUST_PROXY may be %s', (text, expected) => {
    expect(readConfig({ TRUST_PROXY: text }).TRUST_PROXY).toBe(expected)
  })

  it.each(['proxy.example', '10.0.0.0/33', '::/129', '10.0.0.0/0', '10.0.0.0/8/8', '1,x', '-1', '1.2.3', ','])(
    'TRUST_PROXY may not be %s',
    (text) => {
      expect(() => readConfig({ TRUST_PROXY: text })).toThrow(
        /TRUST_PROXY: must be true, a number of hops, or addresses/,
      )
    },
  )
})
