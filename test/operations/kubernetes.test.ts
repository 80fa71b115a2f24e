// The chart for Kubernetes: its values and settings held against its schema and the program. Where helm is installed, helm
// lints and renders it too, and what it renders is held against the program's roles and doors.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/base/config.ts'
import { SECRETS } from '../../src/base/secret-file.ts'
import { readVersion } from '../../src/base/version.ts'

const CHART = resolve(import.meta.dirname, '../../examples/kubernetes/chart')
const ROLES = ['alerts', 'api', 'index']
const MOUNT = '/run/secrets/assay'
/** What the program would read for these settings. */
const EXAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://u:p@db/assay',
  REDIS_URL: 'redis://redis',
  RPC_URL: 'https://rpc.example',
  SMTP_URL: 'smtp://mail',
  PUBLIC_URL: 'https://assay.example',
  TRUST_PROXY: '10.0.0.0/8',
}

interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  args: string[]
  env: { name: string; value: string }[]
  image: string
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe?: Probe
  lifecycle?: { preStop: { exec: { command: string[] } } }
  resources: { limits: { memory: string } }
  securityContext: object
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}
interface Pod {
  containers: Container[]
  securityContext: object
  terminationGracePeriodSeconds: number
  volumes: {
    name: string
    projected?: { defaultMode: number; sources: { secret: { name: string; items: { key: string; path: string }[] } }[] }
  }[]
}
interface Resource {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec: {
    replicas: number
    minAvailable: number
    selector: { matchLabels: Record<string, string> }
    template: { metadata: { labels: Record<string, string> }; spec: Pod }
  }
}
interface Values {
  secrets: Record<string, { name: string; key: string }>
  settings: Record<string, string>
}
interface Schema {
  properties: Record<string, Schema>
  definitions: { secret: { enum: string[] } }
}

const read = (path: string) => readFileSync(join(CHART, path), 'utf8')
const templates = readdirSync(join(CHART, 'templates')).map((name) => read(`templates/${name}`))
const values = parse(read('values.yaml')) as Values
const schema = JSON.parse(read('values.schema.json')) as Schema
const isValid = new Ajv({ strict: false }).compile(schema)

/** `a.b.c` for each value that is no mapping, and for each empty one. */
const pathsOf = (value: unknown, path: string[] = []): string[] => {
  const entries = value && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
  return entries.length === 0 ? [path.join('.')] : entries.flatMap(([key, each]) => pathsOf(each, [...path, key]))
}

/** The settings that the chart itself gives to a container. */
const fixedSettings = (): Record<string, string> =>
  Object.fromEntries(
    [...read('templates/_helpers.tpl').matchAll(/- name: ([A-Z_]+)\n +value: "?([^"{\n]+)"?\n/g)].map((found) => [
      `${found[1]}`,
      `${found[2]}`,
    ]),
  )
const settingsOf = ({ secrets, settings }: Values) => ({
  ...fixedSettings(),
  ...Object.fromEntries(Object.keys(secrets).map((name) => [`${name}_FILE`, `${MOUNT}/${name.toLowerCase()}`])),
  ...settings,
})

/** The program's configuration, with a file for each secret. */
function configure(settings: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const given = Object.entries(settings).map(([name, text]) => {
    if (!name.endsWith('_FILE')) return [name, text || EXAMPLES[name]]
    const path = text.replace(MOUNT, folder)
    writeFileSync(path, `${EXAMPLES[name.replace(/_FILE$/, '')]}\n`)
    return [name, path]
  })
  return readConfig(Object.fromEntries(given) as Record<string, string>)
}

test('the chart and its image have the version of the program', () => {
  expect(parse(read('Chart.yaml'))).toMatchObject({ version: readVersion(), appVersion: readVersion() })
  expect(templates.join()).toContain('.Values.image.tag | default .Chart.AppVersion')
})

test('every value is described, fits the schema and is used, and no other is', () => {
  expect(isValid(values), JSON.stringify(isValid.errors)).toBe(true)
  const { global: _, ...described } = schema.properties
  expect(Object.keys(described)).toEqual(Object.keys(values))
  expect(isValid({ ...values, further: 1 })).toBe(false)
  const blocks = read('values.yaml').trim().split('\n\n')
  expect(blocks.filter((block) => !block.startsWith('# '))).toEqual([])
  const used = new Set(
    templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => `${path}`)),
  )
  const paths = pathsOf(values)
  const under = (path: string, above: string) => `${path}.`.startsWith(`${above}.`)
  expect([...used].filter((path) => !paths.some((each) => under(each, path)))).toEqual([])
  expect(paths.filter((path) => ![...used].some((each) => under(path, each)))).toEqual([])
})

test('the settings are those of the program, with each secret out of a file', () => {
  const config = configure(settingsOf(values))
  const { DATABASE_URL, PUBLIC_URL } = EXAMPLES
  expect(config).toMatchObject({ DATABASE_URL, PUBLIC_URL, PORT: 4000, METRICS_PORT: 9400, DATA_DIR: '/data' })
  const names = Object.keys(settingsOf(values)).map((name) => name.replace(/_FILE$/, ''))
  expect(names.filter((name) => !(name in config))).toEqual([])
})

test('a secret is no plain setting, and what the chart sets is set once', () => {
  expect(schema.definitions.secret.enum).toEqual([...SECRETS])
  for (const name of [...SECRETS, ...Object.keys(fixedSettings())])
    expect([name, isValid({ settings: { [name]: '1' } })]).toEqual([name, false])
  expect(isValid({ settings: { START: '7d' } })).toBe(true)
  // Helm would write a large number as 2e+07.
  expect(isValid({ settings: { START_BLOCK: 20_000_000 } })).toBe(false)
})

const hasHelm = spawnSync('helm', ['version']).status === 0

describe.skipIf(!hasHelm)(`helm${hasHelm ? '' : ' (skipped: it is not installed)'}`, () => {
  const helm = (...args: string[]) => execFileSync('helm', args, { stdio: 'pipe' }).toString()
  const render = (...sets: string[]) =>
    parseAllDocuments(helm('template', 'assay', CHART, ...sets.flatMap((set) => ['--set', set])), { version: '1.1' })
      .map((document) => document.toJS() as Resource | null)
      .filter((resource) => resource !== null)
  const namesOf = (all: Resource[], kind: string) =>
    all.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)
  const podsOf = (all: Resource[]) =>
    all.flatMap(({ kind, spec }) => (kind === 'Deployment' ? [spec.template.spec] : []))

  test('finds no fault in the chart', () => {
    expect(helm('lint', '--strict', CHART)).toContain('0 chart(s) failed')
  })

  test('makes each role a deployment of two pods, without rights, with a budget and readiness probes', () => {
    const all = render()
    const { PORT, METRICS_PORT } = fixedSettings()
    const ports = { http: Number(PORT), metrics: Number(METRICS_PORT) }
    const deployments = all.filter(({ kind }) => kind === 'Deployment')
    expect(namesOf(all, 'Deployment')).toEqual(ROLES.map((role) => `assay-${role}`))
    for (const [at, { spec }] of deployments.entries()) {
      const pod = spec.template.spec
      const [container] = pod.containers as [Container]
      expect(container.args).toEqual(['serve', '--roles', ROLES[at]])
      expect(spec.replicas).toBe(2)
      expect(container.image).toBe(`assay:${readVersion()}`)
      expect(Object.fromEntries(container.env.map(({ name, value }) => [name, value]))).toEqual(settingsOf(values))
      for (const { name, containerPort } of container.ports) expect(containerPort).toBe(ports[name as 'http'])
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        if (!probe) continue
        const doors = probe.httpGet.port === 'http' ? ['/healthz', '/readyz'] : ['/metrics']
        expect(doors).toContain(probe.httpGet.path)
        expect(container.ports.map(({ name }) => name)).toContain(probe.httpGet.port)
      }
      expect(container.securityContext).toMatchObject({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      })
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, fsGroup: 1000 })
      expect(container.volumeMounts.find(({ mountPath }) => mountPath === MOUNT)?.readOnly).toBe(true)
      const mounted = container.volumeMounts.map(({ name }) => name)
      expect(pod.volumes.map(({ name }) => name)).toEqual(mounted)
      expect(container.resources.limits.memory).toMatch(/Mi|Gi/)
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    }
    const budgets = all.filter(({ kind }) => kind === 'PodDisruptionBudget')
    expect(budgets.map(({ spec }) => [spec.selector.matchLabels, spec.minAvailable])).toEqual(
      deployments.map(({ spec }) => [spec.selector.matchLabels, 1]),
    )
    expect(namesOf(all, 'Service')).toEqual(['assay-api'])
  })

  test('a pod that is alive, though not ready for hours, is not started again', () => {
    const [api] = podsOf(render()).flatMap(({ containers }) => containers.filter((each) => each.readinessProbe))
    expect(api?.readinessProbe?.httpGet.path).toBe('/readyz')
    expect([api?.startupProbe.httpGet.path, api?.livenessProbe.httpGet.path]).toEqual(['/healthz', '/healthz'])
  })

  test('the drain is as long as asked, and leaves time to stop', () => {
    for (const { containers, terminationGracePeriodSeconds: seconds } of podsOf(render('drainSeconds=30'))) {
      expect(seconds).toBe(45)
      const { preStop } = containers[0]?.lifecycle ?? {}
      if (preStop) expect(preStop.exec.command).toEqual(['sleep', '30'])
    }
  })

  test('a secret comes from where it is, such as that of CloudNativePG, or is left out', () => {
    const [pod] = podsOf(
      render('secrets.DATABASE_URL.name=db-app', 'secrets.DATABASE_URL.key=uri', 'secrets.SMTP_URL=null'),
    )
    const { defaultMode, sources = [] } = pod?.volumes[0]?.projected ?? {}
    expect(defaultMode).toBe(0o440)
    const places = sources.flatMap(({ secret }) => secret.items.map(({ key, path }) => [secret.name, key, path]))
    expect(places).toEqual([
      ['db-app', 'uri', 'database_url'],
      ['assay', 'redis_url', 'redis_url'],
      ['assay', 'rpc_url', 'rpc_url'],
    ])
    expect(pod?.containers[0]?.env.map(({ name }) => name)).not.toContain('SMTP_URL_FILE')
  })

  test('a role of one pod has no budget; the monitor and the ingress are there when asked for', () => {
    const all = render('alerts.replicas=1', 'serviceMonitor.enabled=true', 'ingress.enabled=true')
    expect(namesOf(all, 'PodDisruptionBudget')).toEqual(['assay-api', 'assay-index'])
    expect(namesOf(all, 'ServiceMonitor')).toEqual(['assay'])
    expect(namesOf(all, 'Ingress')).toEqual(['assay'])
    const metrics = all.find(({ metadata }) => metadata.name === 'assay-metrics')
    const monitor = all.find(({ kind }) => kind === 'ServiceMonitor')
    expect(metrics?.metadata.labels).toMatchObject(monitor?.spec.selector.matchLabels ?? { never: '' })
    expect(namesOf(render('podDisruptionBudget.enabled=false'), 'PodDisruptionBudget')).toEqual([])
  })

  test.each([
    'apii.replicas=3',
    'settings.DATABASE_URL=postgres://u:p@db/assay',
    'settings.PORT=80',
    'settings.START_BLOCK=20000000',
    'secrets.PUBLIC_URL.name=assay',
    'drainSeconds=-1',
  ])('--set %s is refused', (set) => {
    expect(() => render(set)).toThrow("don't meet the specifications of the schema")
  })
})
