// The files for Kubernetes: rendered by kubectl where it is installed, and held against the program's settings, roles
// and doors.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/base/config.ts'
import { SECRETS } from '../../src/base/secret-file.ts'
import { readVersion } from '../../src/base/version.ts'

const FOLDER = resolve(import.meta.dirname, '../../examples/kubernetes')
const ROLES = ['alerts', 'api', 'index']

interface Container {
  args: string[]
  image: string
  ports: { name: string; containerPort: number }[]
  livenessProbe: { httpGet: { path: string; port: string } }
  readinessProbe?: { httpGet: { path: string; port: string } }
  resources: { requests: object; limits: { memory: string } }
  securityContext: object
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}
interface Resource {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec: {
    replicas: number
    minAvailable: number
    selector: { matchLabels: Record<string, string> }
    template: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Container[]; securityContext: object }
    }
  }
}

const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const title = (text: string) => `${text}${kubectl ? '' : ' (skipped: kubectl is not installed)'}`

const render = (): Resource[] =>
  parseAllDocuments(execFileSync('kubectl', ['kustomize', FOLDER], { stdio: 'pipe' }).toString()).map(
    (document) => document.toJS() as Resource,
  )
const settings = () =>
  Object.fromEntries(
    readFileSync(join(FOLDER, 'settings.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('the settings are those of the program, with each secret out of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const value = {
    database: 'postgres://u:p@db/assay',
    redis: 'redis://redis',
    rpc: 'https://rpc.example',
    smtp: 'smtp://mail',
  }
  const given = Object.entries(settings()).map(([name, text]): [string, string] => {
    if (!name.endsWith('_FILE')) return [name, text]
    expect(SECRETS).toContain(name.replace(/_FILE$/, ''))
    const path = join(folder, text.replace('/run/secrets/assay/', ''))
    writeFileSync(path, value[text.replace(/.*\/|_url$/g, '') as keyof typeof value])
    return [name, path]
  })
  const config = readConfig(Object.fromEntries(given))
  expect(config).toMatchObject({ DATABASE_URL: value.database, RPC_URL: [value.rpc], PORT: 4000, METRICS_PORT: 9400 })
  expect(Object.keys(settings()).filter((name) => !(name.replace(/_FILE$/, '') in config))).toEqual([])
})

test('every file of the folder is named, and is YAML or settings', () => {
  const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml')
  const text = readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8')
  expect(files.filter((name) => !text.includes(name))).toEqual([])
  for (const name of files.filter((each) => each.endsWith('.yaml')))
    expect(() => parseAllDocuments(readFileSync(join(FOLDER, name), 'utf8')).map((it) => it.toJS())).not.toThrow()
  expect(parse(text).images).toEqual([{ name: 'assay', newTag: readVersion() }])
})

test.skipIf(!kubectl)(
  title('each role is a deployment of two pods, without rights, with a budget and probes of doors'),
  () => {
    const all = render()
    const of = (kind: string) => all.filter((each) => each.kind === kind)
    const deployments = of('Deployment')
    const { PORT, METRICS_PORT } = settings()
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(ROLES.map((role) => `assay-${role}`))
    for (const [at, { spec }] of deployments.entries()) {
      const [container] = spec.template.spec.containers
      expect(container?.args).toEqual(['serve', '--roles', ROLES[at]])
      expect(spec.replicas).toBe(2)
      expect(container?.image).toBe(`assay:${readVersion()}`)
      const ports = { http: Number(PORT), metrics: Number(METRICS_PORT) }
      for (const { name, containerPort } of container?.ports ?? []) expect(containerPort).toBe(ports[name as 'http'])
      const doors = [container?.livenessProbe, container?.readinessProbe].flatMap((probe) =>
        probe ? [probe.httpGet] : [],
      )
      for (const { path, port } of doors)
        expect(port === 'http' ? ['/healthz', '/readyz'] : ['/metrics']).toContain(path)
      expect(container?.securityContext).toMatchObject({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      })
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true })
      expect(container?.volumeMounts.find(({ mountPath }) => mountPath === '/run/secrets/assay')?.readOnly).toBe(true)
      expect(container?.resources.limits.memory).toMatch(/Mi|Gi/)
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    }
    const budgets = of('PodDisruptionBudget').map(({ spec }) => spec)
    expect(
      budgets.map(({ selector, minAvailable }) => [selector.matchLabels['app.kubernetes.io/component'], minAvailable]),
    ).toEqual(ROLES.map((role) => [role, 1]))
    expect(of('PodMonitor')).toHaveLength(1)
    expect(of('ConfigMap')[0]?.data).toEqual(settings())
  },
)
