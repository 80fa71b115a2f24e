// The files for operators: Docker, compose, Prometheus, Grafana, nginx, Caddy. Each is checked by its own tool where that is
// installed, and held against the program: metrics that exist, paths that exist.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const OPERATIONS = join(ROOT, 'examples/operations')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const has = (tool: string) => spawnSync('which', [tool]).status === 0
const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { cwd: OPERATIONS, stdio: 'pipe' }).toString()

/** Names that the source registers, and those of prom-client's own collectors. */
function listMetrics(): Set<string> {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const own = files.flatMap((path) =>
    [...read(`src/${path}`).matchAll(/'(assay_[a-z0-9_]+)'/g)].map(([, name]) => `${name}`),
  )
  return new Set([...own, 'up', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
}

const namesIn = (text: string) => [...text.matchAll(/\b((?:assay|nodejs|process)_[a-z0-9_]+)/g)].map(([name]) => name)
const withoutSuffix = (name: string) => name.replace(/_(count|bucket|sum)$/, '')

describe('the files for operators', () => {
  it('name only metrics that the program has', () => {
    const known = listMetrics()
    expect(known.size).toBeGreaterThan(15)
    const files = ['alerts.yml', 'alerts.test.yml', 'grafana/dashboards/assay.json']
    const unknown = files.flatMap((file) =>
      namesIn(read(`examples/operations/${file}`)).filter(
        (name) => !known.has(name) && !known.has(withoutSuffix(name)),
      ),
    )
    expect(unknown).toEqual([])
  })

  it('copy and mount only existing files', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      `${paths}`.split(' '),
    )
    const mounted = [...read('compose.yaml').matchAll(/- \.\/(\S+?):\//g)].map(([, path]) => `${path}`)
    expect([...copied, ...mounted].length).toBeGreaterThan(6)
    expect([...copied, ...mounted].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('start the program as in package.json', () => {
    const entry = (JSON.parse(read('package.json')) as { bin: { assay: string } }).bin.assay
    expect(read('Dockerfile')).toContain(`ENTRYPOINT ["node", "${entry}"]`)
    expect(read('examples/operations/assay.service')).toContain(`ExecStart=/usr/bin/node ${entry} serve`)
  })

  it('let the embedded database make its links while the image is built, since its user may not', async () => {
    const [, file, name] =
      /import\('\/app\/package\/dist\/(\S+)\.js'\)\.then\(\(\{ (\w+) \}\)/.exec(read('Dockerfile')) ?? []
    const made = (await import(join(ROOT, `src/${file}.ts`)))[`${name}`]() as Record<string, string>
    expect(Object.values(made).filter((path) => !existsSync(path))).toEqual([])
    expect(made).toHaveProperty('postgres')
  })

  it('keep secrets out of the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.assay', '.git']))
  })
})

describe('their own tools (each skipped where it is not installed)', () => {
  it.skipIf(!has('promtool'))('promtool takes the rules, and their tests pass', () => {
    expect(run('promtool', 'check', 'config', 'prometheus.yml')).toContain('SUCCESS')
    expect(run('promtool', 'test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  })

  it.skipIf(!has('caddy'))('Caddy takes its file', () => {
    expect(run('caddy', 'adapt', '--config', 'Caddyfile', '--adapter', 'caddyfile', '--validate')).toContain(
      'reverse_proxy',
    )
  })

  it.skipIf(!has('nginx') || !has('openssl'))('nginx takes its file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-nginx-'))
    try {
      const [key, cert, conf] = ['key.pem', 'cert.pem', 'nginx.conf'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ]
      const request = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ]
      run('openssl', ...request, '-subj', '/CN=assay.example', '-keyout', key, '-out', cert)
      const text = read('examples/operations/nginx.conf')
        .replace('/etc/assay/cert.pem', cert)
        .replace('/etc/assay/key.pem', key)
      writeFileSync(conf, `pid ${join(folder, 'nginx.pid')};\n${text}`)
      expect(spawnSync('nginx', ['-t', '-c', conf, '-p', folder]).stderr.toString()).toContain('test is successful')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.skipIf(!has('systemd-analyze'))(
    'systemd accepts the unit, except for the program that is not installed here',
    () => {
      const { stderr } = spawnSync('systemd-analyze', ['verify', join(OPERATIONS, 'assay.service')])
      const ours = stderr
        .toString()
        .split('\n')
        .filter((line) => line.includes('assay.service') && !line.includes('not executable'))
      expect(ours).toEqual([])
    },
  )
})
