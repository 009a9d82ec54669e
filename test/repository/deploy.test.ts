import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Flag, variableName } from '../../src/cli/command.ts'
import { flagsOf } from '../../src/cli/flags.ts'
import {
  type Container,
  composeErrors,
  composeFile,
  deployFolder,
  kustomization,
  type Labels,
  manifests,
  manifestsOf,
  readDeployFile,
  type Workload,
} from '../support/repository/deployment.ts'
import { root } from '../support/root.ts'

const numbers = [1, 2, 3, 4]
const [statefulSet] = manifestsOf('StatefulSet') as [Workload]
const [deployment] = manifestsOf('Deployment') as [Workload]
const workloads = [statefulSet, deployment]
const containersOf = ({ spec }: Workload) => spec.template.spec.containers
const [replica] = containersOf(statefulSet) as [Container]
const [nginx] = containersOf(deployment) as [Container]
const variables = new Map(replica.env?.map((variable) => [variable.name, variable]))
const { proxy, ...replicaServices } = composeFile.services
const services = Object.values(replicaServices)
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

/** The labels of the pods of a workload, also those that Kubernetes sets for a StatefulSet. */
const podLabels = ({ metadata, spec }: Workload): Labels[] =>
  numbers.map((n) => ({
    ...spec.template.metadata.labels,
    'statefulset.kubernetes.io/pod-name': `${metadata.name}-${n}`,
  }))

/** The workloads that have a pod with all the labels. */
const workloadsWith = (labels: Labels): Workload[] =>
  workloads.filter((workload) =>
    podLabels(workload).some((pod) =>
      Object.entries(labels).every(([name, value]) => pod[name] === value),
    ),
  )

const namesWith = (labels: Labels) => workloadsWith(labels).map(({ metadata }) => metadata.name)

test('every way to run the replicas sets a token, since nginx listens on all addresses', () => {
  const [, commands = ''] = readDeployFile('README.md').split('## Run it')
  const found = commands.split('\n## ')[0]?.match(/^```sh\n[\s\S]*?^```$/gm)
  const blocks = found?.filter((block) => /docker|kubectl| serve /.test(block))

  expect(blocks).toHaveLength(3)
  expect(blocks?.filter((block) => !block.includes('UNDERSTUDY_TOKEN='))).toEqual([])
})

test('the kustomization names every manifest, the image and the generated files', () => {
  const files = readdirSync(join(deployFolder, 'kubernetes')).map((name) => `kubernetes/${name}`)

  expect(kustomization).toMatchObject({
    resources: expect.arrayContaining(files),
    images: [{ name: replica.image, newTag: packageJson.version }],
    configMapGenerator: [{ name: 'understudy-proxy', files: ['nginx.conf'] }],
    secretGenerator: [{ name: 'understudy-token', envs: ['token.env'] }],
  })
  expect(replica.image).toBe(packageJson.name)
  // The file with the token stays on this machine.
  expect(readFileSync(join(root, '.gitignore'), 'utf8')).toContain('\ntoken.env\n')
  expect(packageJson.files).toContain('!src/server/deploy/token.env')
})

test('each manifest has a name of its own, and the version of its kind', () => {
  const versions = Object.fromEntries(manifests.map(({ kind, apiVersion }) => [kind, apiVersion]))
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)

  expect(versions).toEqual({
    StatefulSet: 'apps/v1',
    Deployment: 'apps/v1',
    Service: 'v1',
    PodDisruptionBudget: 'policy/v1',
    NetworkPolicy: 'networking.k8s.io/v1',
  })
  expect(new Set(names).size).toBe(names.length)
})

test('each selector selects pods of one workload, and each port has the name of a port of these', () => {
  const servicesWithPods = manifestsOf('Service').map(({ metadata, spec }) => {
    const ports = workloadsWith(spec.selector)
      .flatMap(containersOf)
      .map(({ ports: [port] }) => port)
    expect(spec.ports.map(({ targetPort }) => targetPort)).toEqual(ports.map((port) => port?.name))
    return [metadata.name, namesWith(spec.selector)]
  })

  expect(Object.fromEntries(servicesWithPods)).toEqual({
    understudy: ['understudy-proxy'],
    'understudy-replicas': ['understudy'],
    ...Object.fromEntries(numbers.map((n) => [`understudy-${n}`, ['understudy']])),
  })
  expect(statefulSet.spec.serviceName).toBe('understudy-replicas')
  for (const { metadata, spec } of [...workloads, ...manifestsOf('PodDisruptionBudget')]) {
    expect(namesWith(spec.selector.matchLabels)).toEqual([metadata.name])
  }
})

test('probes use the port of their container, and those of a replica an endpoint that needs no token', () => {
  for (const { ports, startupProbe, readinessProbe, livenessProbe } of [replica, nginx]) {
    const probes = [startupProbe ?? readinessProbe, readinessProbe, livenessProbe]
    const names = probes.map(({ httpGet, tcpSocket }) => (httpGet ?? tcpSocket)?.port)
    expect(names).toEqual([ports[0]?.name, ports[0]?.name, ports[0]?.name])
  }
  const { startupProbe, readinessProbe, livenessProbe } = replica
  expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toEqual([
    { path: '/__admin/health/live', port: 'http' },
    { path: '/__admin/health/ready', port: 'http' },
    { path: '/__admin/health/live', port: 'http' },
  ])
})

test('volumes, ConfigMaps and Secrets of pods exist', () => {
  for (const { spec } of workloads) {
    const { volumes = [], containers } = spec.template.spec
    const claims = spec.volumeClaimTemplates?.map(({ metadata }) => metadata) ?? []
    const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts)
    const names = [...volumes, ...claims].map(({ name }) => name)
    expect(mounts.map(({ name }) => name)).toEqual(names)
  }
  const configMaps = deployment.spec.template.spec.volumes?.flatMap(
    (volume) => volume.configMap ?? [],
  )
  expect(configMaps).toEqual([{ name: 'understudy-proxy' }])
  expect(variables.get('UNDERSTUDY_TOKEN')?.valueFrom?.secretKeyRef).toEqual({
    name: 'understudy-token',
    key: 'UNDERSTUDY_TOKEN',
  })
})

test('only the proxy and other replicas reach a replica, and pods reach only replicas and the DNS', () => {
  const [ofReplicas, ofProxy] = manifestsOf('NetworkPolicy')
  const pods = (peers: readonly { podSelector?: { matchLabels: Labels } }[] = []) =>
    peers.flatMap(({ podSelector }) => (podSelector ? namesWith(podSelector.matchLabels) : ['DNS']))

  expect(namesWith(ofReplicas?.spec.podSelector.matchLabels ?? {})).toEqual(['understudy'])
  expect(namesWith(ofProxy?.spec.podSelector.matchLabels ?? {})).toEqual(['understudy-proxy'])
  expect(ofReplicas?.spec.ingress.map(({ from, ports }) => [pods(from), ports])).toEqual([
    [['understudy-proxy', 'understudy'], [{ port: 'http' }]],
  ])
  for (const { spec } of manifestsOf('NetworkPolicy')) {
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(spec.egress.map(({ to, ports }) => [pods(to), ports.map(({ port }) => port)])).toEqual([
      [['understudy'], ['http']],
      [['DNS'], [53, 53]],
    ])
  }
})

test('containers have few privileges and limited resources', () => {
  for (const { spec } of workloads) {
    // With links, Kubernetes sets UNDERSTUDY_PORT to the URL of a Service.
    expect(spec.template.spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
  }
  const resources = { cpu: expect.any(String), memory: expect.stringMatching(/^\d+[MG]i$/) }
  for (const container of [replica, nginx]) {
    expect(container).toMatchObject({
      resources: { requests: resources, limits: resources },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    })
  }
  for (const service of [...services, proxy]) {
    expect(service).toMatchObject({
      mem_limit: expect.any(String),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
})

test('the files use the name, user, port and folder of the image', () => {
  const { runAsUser, runAsGroup, fsGroup } = statefulSet.spec.template.spec.securityContext
  const states = services.map(({ environment }) => environment.UNDERSTUDY_STATE)
  const mounts = services.map(({ volumes }) => volumes[0]?.split(':')[1])

  expect(image).toContain(`\nUSER ${runAsUser}:${runAsGroup}\n`)
  expect(fsGroup).toBe(runAsGroup)
  expect(image).toContain(` UNDERSTUDY_PORT=${replica.ports[0]?.containerPort} `)
  expect(image).toMatch(/\nWORKDIR \/app\n/)
  expect(image).toMatch(/ --chown=1000:1000 \S+ \.\/data\n/)
  expect(replica.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/app/data'])
  expect(new Set(mounts)).toEqual(new Set(['/app/data']))
  expect(new Set([...states, variables.get('UNDERSTUDY_STATE')?.value])).toEqual(
    new Set([posix.join('/app/data', 'state.json')]),
  )
  for (const service of services) {
    expect(service.image).toBe(`${packageJson.name}:${packageJson.version}`)
    expect(join(deployFolder, service.build, 'Dockerfile')).toBe(join(root, 'Dockerfile'))
  }
})

test('every variable belongs to a flag of serve that accepts its value', () => {
  const flags = new Map(
    Object.entries<Flag>(flagsOf('serve')).map(([name, flag]) => [variableName(name), flag]),
  )
  const { POD_INDEX: _, ...ofReplica } = Object.fromEntries(
    [...variables].map(([name, { value }]) => [name, value?.replace('$(POD_INDEX)', '2')]),
  )
  for (const environment of [ofReplica, ...services.map((service) => service.environment)]) {
    for (const [name, value = 'a-token'] of Object.entries(environment)) {
      const text = String(value).replace(/^\$\{\w+:[-?](.*)\}$/, '$1')
      const flag = flags.get(name)
      expect([name, flag?.text]).toEqual([name, expect.any(String)])
      expect(() => flag?.parse?.(text, name, [] as never)).not.toThrow()
    }
  }
  // Kubernetes replaces only variables that are defined before.
  expect([...variables.keys()].slice(0, 2)).toEqual(['POD_INDEX', 'UNDERSTUDY_REPLICA'])
})

test('all files have the same four replicas', () => {
  const names = numbers.map((n) => `understudy-${n}`)
  const url = 'http://understudy-{n}:4010'

  expect(statefulSet.spec).toMatchObject({ replicas: 4, ordinals: { start: 1 } })
  expect(variables.get('UNDERSTUDY_REPLICA')?.value).toBe('$(POD_INDEX)/4')
  expect(variables.get('UNDERSTUDY_REPLICA_URL')?.value).toBe(url)
  expect(Object.keys(replicaServices)).toEqual(names)
  expect(services.map(({ environment }) => environment)).toMatchObject(
    numbers.map((n) => ({ UNDERSTUDY_REPLICA: `${n}/4`, UNDERSTUDY_REPLICA_URL: url })),
  )
  for (const file of ['nginx.conf', 'haproxy.cfg']) {
    const addresses = readDeployFile(file).match(/understudy-\d+:\d+/g)
    expect([file, new Set(addresses)]).toEqual([file, new Set(names.map((name) => `${name}:4010`))])
  }
})

test('nginx writes only to /tmp, and listens on the port of its container', () => {
  const text = readDeployFile('nginx.conf')
  const paths = [...text.matchAll(/^\s*(?:pid|\w+_temp_path|\w+_log) ([^ ;]+)/gm)].map(
    ([, path]) => path,
  )
  const start = ['nginx', '-c', '/etc/understudy/nginx.conf', '-g', 'daemon off;']

  expect(paths.filter((path) => !path?.startsWith('/tmp/'))).toEqual([
    'stderr',
    'off',
    // Each location
    ...Array(6).fill('stderr'),
  ])
  expect(text).toContain(`listen ${nginx.ports[0]?.containerPort} `)
  expect([nginx.command, proxy.entrypoint]).toEqual([start, start])
  expect(nginx.image).toBe(proxy.image)
  expect(proxy.image).toMatch(/^nginx:1\.28\.\d+-alpine@sha256:[\da-f]{64}$/)
  expect(nginx.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/etc/understudy', '/tmp'])
  expect(proxy.volumes).toEqual(['./nginx.conf:/etc/understudy/nginx.conf:ro'])
  expect(proxy.tmpfs).toEqual(['/tmp'])
})

test('by the commands without containers, a proxy without a token serves only this machine', () => {
  const commands = readDeployFile('README.md').match(/^sed .* (?=>)/gm) ?? []
  const texts = commands.map((command) => execFileSync('sh', ['-c', command], { cwd: root }))
  const addresses = texts.map((text) =>
    String(text)
      .match(/^\s*(?:listen|bind) \S+/m)?.[0]
      .trim(),
  )

  expect(addresses).toEqual(['listen 127.0.0.1:8080', 'bind 127.0.0.1:8080'])
  for (const text of texts) {
    const replicas = new Set(String(text).match(/(?:127\.0\.0\.1:401|understudy-)\d/g))
    expect([...replicas]).toEqual(numbers.map((n) => `127.0.0.1:401${n}`))
  }
})

test('the compose file matches the Compose Specification', () => {
  expect(composeErrors(composeFile)).toBeNull()
})

test('in the compose file each replica has a volume and an address, and only the proxy has a port', () => {
  const addresses = services.map(({ networks }) => networks.replicas.ipv4_address)
  const hosts = numbers.map((n) => `understudy-${n}:${addresses[n - 1]}`)

  expect(Object.keys(composeFile.volumes)).toEqual(
    services.map(({ volumes }) => volumes[0]?.split(':')[0]),
  )
  expect(new Set(addresses).size).toBe(4)
  expect(proxy.extra_hosts).toEqual(hosts)
  expect(services.flatMap(({ ports = [] }) => ports)).toEqual([])
  expect(proxy.ports).toEqual(['127.0.0.1:8080:8080'])
  expect(Object.keys(proxy.depends_on)).toEqual(Object.keys(replicaServices))
  expect(composeFile.networks.replicas.internal).toBe(true)
  for (const { environment } of services) {
    expect(environment.UNDERSTUDY_TOKEN).toMatch(/^\$\{UNDERSTUDY_TOKEN:\?/)
  }
})
