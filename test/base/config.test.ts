import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseChains } from '../../src/base/chains.ts'
import { chooseChain, furtherChains, readCertificate, readConfig } from '../../src/base/config.ts'
import { PAGES } from '../../src/describe/pages.ts'
import { CODEX_PATH } from '../../src/rest/compatible/codex.ts'
import { GOPLUS_PATH } from '../../src/rest/compatible/goplus.ts'
import { PAGE_PATHS } from '../../src/rest/page/card.ts'
import { makeFolder } from '../support/folder.ts'

const folder = makeFolder('config')

describe('the environment', () => {
  it('every variable has a default, and an empty variable counts as unset', () => {
    const defaults = readConfig({})
    expect(defaults).toMatchObject({
      PORT: 4000,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      READY_MAX_LAG: { seconds: 300 },
    })
    expect(readConfig({ READY_MAX_LAG: '50' }).READY_MAX_LAG).toBe(50)
    expect(readConfig({ READY_MAX_LAG: '90s' }).READY_MAX_LAG).toEqual({ seconds: 90 })
    expect(readConfig({ WEBHOOK_PORTS: '443, 8443' }).WEBHOOK_PORTS).toEqual([443, 8443])
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', TRUST_PROXY: '' })).toEqual(defaults)
  })

  it('every invalid variable is named in one message with exit code 78', () => {
    const wrong = {
      PORT: '70000',
      RPC_URL: 'ws://a',
      TLS_CERT: '/no/such/file',
      TRUST_PROXY: 'my-proxy',
      WEBHOOK_PORTS: '443,0',
      SUMMARY_MODEL: 'm',
      LOG_LEVEL: 'loud',
    }
    expect(() => readConfig(wrong)).toThrow(
      expect.objectContaining({
        exitCode: 78,
        message: expect.stringMatching(
          /PORT[\s\S]*RPC_URL[\s\S]*TLS_CERT[\s\S]*TRUST_PROXY[\s\S]*LOG_LEVEL: must be one of fatal, error, warn[\s\S]*WEBHOOK_PORTS[^\n]*: must be at least 1[\s\S]*TLS_KEY[\s\S]*SUMMARY_API_URL/,
        ),
      }),
    )
  })

  it('signing up needs a mail server, and the error names both variables', () => {
    expect(readConfig({}).SIGNUP).toBe('off')
    expect(readConfig({ SIGNUP: 'open', SMTP_URL: 'smtp://127.0.0.1' }).SIGNUP).toBe('open')
    for (const SIGNUP of ['open', 'invite'])
      expect(() => readConfig({ SIGNUP })).toThrow('SIGNUP: needs SMTP_URL, the server that sends the links')
    expect(() => readConfig({ SIGNUP: 'on' })).toThrow('SIGNUP: must be off, open or invite')
  })

  it('an authorization server is encrypted or on this machine, and needs the address that its tokens are for', () => {
    const PUBLIC_URL = 'https://assay.example'
    for (const OAUTH_ISSUER of ['https://login.example/tenant', 'http://127.0.0.1:8080'])
      expect(readConfig({ OAUTH_ISSUER, PUBLIC_URL })).toMatchObject({ OAUTH_ISSUER, OAUTH_PLAN: 'free' })
    expect(() => readConfig({ OAUTH_ISSUER: 'http://login.example', PUBLIC_URL })).toThrow(
      'OAUTH_ISSUER: must be a URL that starts with https://, or with http:// on this machine',
    )
    expect(() => readConfig({ OAUTH_ISSUER: 'https://login.example' })).toThrow('OAUTH_ISSUER: needs PUBLIC_URL')
    expect(() => readConfig({ OAUTH_SCOPE: 'read write' })).toThrow('OAUTH_SCOPE: must be one scope')
  })

  it('several chains have names and URLs, the first is the default one, and a fault never shows a URL', () => {
    const CHAINS = 'ethereum=https://a.example/k,https://b.example/k, base=https://c.example/k,toy=demo'
    const config = readConfig({ CHAINS, PUBLIC_URL: 'https://assay.example/' })
    expect(config.CHAINS).toEqual([
      { name: 'ethereum', schema: undefined, urls: ['https://a.example/k', 'https://b.example/k'] },
      { name: 'base', schema: 'base', urls: ['https://c.example/k'] },
      { name: 'toy', schema: 'toy', urls: undefined },
    ])
    expect([config.RPC_URL, config.schema]).toEqual([['https://a.example/k', 'https://b.example/k'], undefined])
    expect(furtherChains(config).map(({ name }) => name)).toEqual(['base', 'toy'])
    const one = readConfig({ CHAINS, CHAIN: 'base', PUBLIC_URL: 'https://assay.example/' })
    expect([one.RPC_URL, one.schema, one.PUBLIC_URL]).toEqual([
      ['https://c.example/k'],
      'base',
      'https://assay.example/base',
    ])
    expect(furtherChains(one)).toEqual([])
    expect(chooseChain(config, 'toy')).toMatchObject({ RPC_URL: undefined, schema: 'toy' })
    expect(() => chooseChain(config, 'other')).toThrow('There is no chain other: CHAINS has ethereum, base, toy.')
    for (const path of [
      '/graphql',
      '/mcp',
      CODEX_PATH,
      GOPLUS_PATH,
      ...Object.keys(PAGES),
      ...PAGE_PATHS.map(({ source }) => source),
    ]) {
      const [, name] = /^\^?\\?\/([a-z0-9_]+)(?=[\\/$]|$)/.exec(path) ?? []
      if (name) expect(parseChains(`${name}=demo`), name).toContain('is no name for a chain')
    }
    const url = 'https://node.example/secret'
    for (const [given, message] of [
      [url, 'must be like ethereum=URL,base=URL'],
      [`Base=${url}`, 'a name must be small letters'],
      [`base;drop=${url}`, 'a name must be small letters'],
      [`graphql=${url}`, 'graphql is no name for a chain'],
      [`pg_toast=${url}`, 'pg_toast is no name for a chain'],
      [`a=${url},a=${url}`, 'a is there twice'],
      [`a=${url},b=ws://secret`, 'b must have a URL that starts with http://'],
      [`a=demo,${url}`, 'a cannot have a URL beside the demo chain'],
      [Array.from({ length: 21 }, (_, n) => `c${n}=${url}`).join(), 'must be at most 20 chains'],
    ] as const) {
      expect(() => readConfig({ CHAINS: given })).toThrow(`CHAINS: ${message}`)
      expect(() => readConfig({ CHAINS: given })).not.toThrow(/secret/)
    }
    expect(() => readConfig({ CHAINS, RPC_URL: url })).toThrow('RPC_URL: cannot be set together with CHAINS')
    expect(() => readConfig({ CHAINS, HEADS_URL: 'wss://a.example' })).toThrow('HEADS_URL: needs CHAIN')
    expect(() => readConfig({ CHAINS, CHAIN: 'polygon' })).toThrow('CHAIN: CHAINS has no chain polygon')
    expect(() => readConfig({ CHAIN: 'base' })).toThrow('CHAIN: needs CHAINS')
  })

  it('a folder of history must exist, and needs a node', () => {
    const RPC_URL = 'http://127.0.0.1:8545'
    expect(readConfig({ RPC_URL, HISTORY_FILES: folder }).HISTORY_FILES).toBe(folder)
    expect(() => readConfig({ RPC_URL, HISTORY_FILES: join(folder, 'none') })).toThrow(
      'HISTORY_FILES: must be a folder that exists',
    )
    expect(() => readConfig({ HISTORY_FILES: folder })).toThrow('HISTORY_FILES: needs RPC_URL')
  })

  it('a folder for old events must exist, is used after 30 days, and excludes that events are deleted', () => {
    const { HISTORY_DIR, HISTORY_AFTER_DAYS } = readConfig({ HISTORY_DIR: folder })
    expect([HISTORY_DIR, HISTORY_AFTER_DAYS]).toEqual([folder, 30])
    expect(() => readConfig({ HISTORY_DIR: join(folder, 'none') })).toThrow('HISTORY_DIR: must be a folder that exists')
    expect(() => readConfig({ HISTORY_DIR: folder, EVENTS_KEPT_DAYS: '90' })).toThrow(
      'HISTORY_DIR: cannot be set together with EVENTS_KEPT_DAYS',
    )
    expect(() => readConfig({ HISTORY_AFTER_DAYS: '40' })).toThrow(
      'HISTORY_AFTER_DAYS: needs HISTORY_DIR or HISTORY_URL',
    )
    expect(() => readConfig({ HISTORY_DIR: folder, HISTORY_AFTER_DAYS: '7' })).toThrow('must be at least 8')
  })

  it('HISTORY_URL names one database, and replaces HISTORY_DIR', () => {
    const HISTORY_URL = 'http://assay:hunter2@history.example:8123/assay'
    expect(readConfig({ HISTORY_URL, HISTORY_AFTER_DAYS: '9' })).toMatchObject({ HISTORY_URL, HISTORY_AFTER_DAYS: 9 })
    expect(() => readConfig({ HISTORY_URL, HISTORY_DIR: folder })).toThrow(
      'HISTORY_URL: cannot be set together with HISTORY_DIR, because a history is in one place',
    )
    expect(() => readConfig({ HISTORY_URL, EVENTS_KEPT_DAYS: '90' })).toThrow(
      'HISTORY_URL: cannot be set together with EVENTS_KEPT_DAYS',
    )
    for (const wrong of [
      'http://assay:hunter2@history.example:8123',
      `${HISTORY_URL}/more`,
      `${HISTORY_URL}?log_level=TRACE`,
      `${HISTORY_URL}#more`,
      'clickhouse://history.example/assay',
    ])
      expect(() => readConfig({ HISTORY_URL: wrong }), wrong).toThrow(/HISTORY_URL: must (?!.*hunter2)/)
  })

  it('a WebSocket that tells of new blocks needs a node, and blocks that are read at once', () => {
    const [RPC_URL, HEADS_URL] = ['http://127.0.0.1:8545', 'wss://127.0.0.1:8546/key']
    expect(readConfig({ RPC_URL, HEADS_URL }).HEADS_URL).toBe(HEADS_URL)
    expect(() => readConfig({ HEADS_URL })).toThrow('HEADS_URL: needs RPC_URL')
    expect(() => readConfig({ RPC_URL, HEADS_URL: RPC_URL })).toThrow('HEADS_URL: must be a URL that starts with ws://')
    expect(() => readConfig({ RPC_URL, HEADS_URL, HEAD_READS: 'saving' })).toThrow(
      'HEADS_URL: needs HEAD_READS=latency or block',
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

  it.each([
    ['all', 1],
    ['none', 0],
    ['0.01', 0.01],
    ['.5', 0.5],
    ['', undefined],
  ])('ACCESS_LOG may be "%s"', (text, expected) => {
    expect(readConfig({ ACCESS_LOG: text }).ACCESS_LOG).toBe(expected)
  })

  it.each(['some', '1.5', '-0.1', '1%', '1e-3'])('ACCESS_LOG may not be "%s"', (text) => {
    expect(() => readConfig({ ACCESS_LOG: text })).toThrow(/ACCESS_LOG: must be all, none, or a share such as 0\.01/)
  })

  it('the certificate files are read again each time, and an unreadable file is named', () => {
    const [cert, key] = ['cert', 'key'].map((name) => join(folder, name))
    const files = { TLS_CERT: cert, TLS_KEY: key }
    for (const content of ['old', 'new']) {
      writeFileSync(cert ?? '', content)
      writeFileSync(key ?? '', content)
      expect(readCertificate(files)).toEqual({ cert: content, key: content })
    }
    expect(readCertificate({})).toBeNull()
    expect(() => readCertificate({ ...files, TLS_KEY: '/no/such/file' })).toThrow(
      'the file /no/such/file cannot be read',
    )
  })
})
