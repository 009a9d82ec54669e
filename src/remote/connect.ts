import type { ResponseReasons } from '../analysis/reasons/response-reasons.ts'
import type { RunReport } from '../analysis/report/run-report.ts'
import type { PolicyId, PolicySetting } from '../policies/policies.ts'
import type { PolicyInfo } from '../policies/policy-access.ts'
import type { RowProvenance } from '../sandbox/history/provenance.ts'
import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { SandboxInfo, SandboxRequest } from '../sandbox/sandboxes/sandboxes.ts'
import type { ResetOptions } from '../sandbox/simulator-base.ts'
import type { RecordOptions } from '../scenarios/recording/record-journal.ts'
import type { Recording } from '../scenarios/recording/recorder.ts'
import { rejectUnknownFields } from '../utils/usage-error.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import type { KeyRow } from '../world/rows.ts'
import { ControlClient, type Health, type ReplicaChoice, sandboxRouting } from './client.ts'
import {
  type RemoteActors,
  type RemoteClock,
  type RemoteFaults,
  type RemoteJournal,
  type RemoteKeys,
  type RemotePolicies,
  type RemoteReplay,
  type RemoteScenarios,
  type RemoteSnapshots,
  type RemoteWorld,
  remoteJournal,
  replayRemotely,
} from './resources.ts'

/** Options of `connect`. */
export interface ConnectOptions extends ReplicaChoice {
  /** The token that the server was started with (`--token`) */
  readonly token?: string
}

/**
 * Creates a client for the control API of a running server. It mirrors the simulator in-process, and each call returns
 * a promise. Nothing is sent until the first call.
 *
 * @param url the URL of the server, of one of its sandboxes, or of the control API of either
 * @throws RemoteError for an invalid URL
 * @throws UsageError for an unknown option
 * @example
 * const remote = connect('http://127.0.0.1:4010')
 * const { key, remote: sandbox } = await remote.sandboxes.create({ from: 'empty' })
 * await sandbox.clock.set('2024-06-01T00:00:00Z')
 */
export function connect(url: string, options: ConnectOptions = {}): Remote {
  rejectUnknownFields(options, ['token', 'replica', 'key'], 'connect')
  const { token, ...route } = options
  return createRemote(new ControlClient(url, token, route))
}

function createRemote(client: ControlClient): Remote {
  const { url } = client
  const setClock = async (setting: ClockSetting): Promise<void> => {
    const isObject = typeof setting === 'object' && !(setting instanceof Date)
    const body = isObject ? setting : setting === 'real' ? { mode: setting } : { time: setting }
    await client.call('setClock', { body })
  }
  const listSnapshots: RemoteSnapshots['list'] = () => client.call('listSnapshots')
  const listPolicies = (): Promise<PolicyInfo[]> => client.call('listPolicies')
  return {
    url,
    world: {
      read: () => client.call('readWorld'),
      replace: (body) => client.call('replaceWorld', { body }),
      add: (body) => client.call('addRows', { body }),
      generate: (body) => client.call('addGenerated', { body }),
      find: (list, query = {}) => client.call('listRows', { params: { list }, query }),
      get: (list, id) => client.callOrUndefined('retrieveRow', { params: { list, id } }),
      update: (list, id, body) => client.call('updateRow', { params: { list, id }, body }),
      delete: (list, id) => client.remove('deleteRow', { list, id }),
      timeline: (query = {}) => client.call('readTimeline', { query }),
    },
    sandboxes: remoteSandboxes(client),
    snapshots: {
      list: listSnapshots,
      save: (name) => client.call('createSnapshot', { body: { name } }),
      has: async (name) => (await listSnapshots()).some((snapshot) => snapshot.name === name),
      restore: (name) => client.call('restoreSnapshot', { params: { name } }),
      get: (name) => client.callOrUndefined('retrieveSnapshot', { params: { name } }),
      import: (name, body) => client.call('importSnapshot', { params: { name }, body }),
      delete: (name) => client.remove('deleteSnapshot', { name }),
    },
    clock: {
      read: () => client.call('readClock'),
      set: setClock,
      tick: (time) => setClock({ mode: 'ticking', ...(time !== undefined && { time }) }),
      freeze: () => setClock({ mode: 'frozen' }),
      release: () => setClock('real'),
      async advance(body) {
        await client.call('advanceClock', { body })
      },
    },
    keys: {
      list: () => client.call('listKeys'),
      issue: async (body = {}) => (await client.call<KeyRow>('issueKey', { body })).value,
      revoke: (value) => client.remove('revokeKey', { value }),
    },
    policies: {
      list: listPolicies,
      get: async <Id extends PolicyId>(id: Id) =>
        (await listPolicies()).find((policy) => policy.id === id)?.setting as PolicySetting<Id>,
      async set(body) {
        await client.call('setPolicies', { body })
      },
    },
    faults: {
      add: (body) => client.call('addFaults', { body }),
      list: () => client.call('listFaults'),
      remove: (id) => client.remove('removeFault', { id }),
      clear: () => client.call('clearFaults'),
    },
    journal: remoteJournal(client),
    actors: {
      add: (body) => client.call('addActor', { body }),
      list: () => client.call('listActors'),
      remove: (id) => client.remove('removeActor', { id }),
      clear: () => client.call('clearActors'),
    },
    replaying: {
      read: () => client.call('readReplay'),
      rewind: () => client.call('rewindReplay'),
    },
    scenarios: {
      list: () => client.call('listScenarios'),
      get: (name) => client.callOrUndefined('retrieveScenario', { params: { name } }),
      replay: (scenario, options) => replayRemotely(client, scenario, options),
      sweep: (scenario, options) =>
        client.call('sweepScenario', { body: { scenario, ...options } }),
    },
    fetch: async (input, init) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? url + input : input, init),
    reset: (body = {}) => client.call('resetWorld', { body }),
    report: () => client.call('readReport'),
    metrics: async () => (await client.send('readMetrics')).text(),
    why: (resource, id) => client.callOrUndefined('explainRow', { query: { resource, id } }),
    explain: (entry) => client.call('explainEntry', { params: { id: Object(entry).id ?? entry } }),
    record: (body = {}) => client.call('recordJournal', { body }),
    example: () => client.call('readExample'),
    vocabulary: () => client.call('readVocabulary'),
    health: () => client.health(),
    openapi: () => client.call('readOpenapi'),
  }
}

/** A simulator in another process. Every method can throw a `RemoteError`. */
export interface Remote {
  /** The base URL of the simulated API, without a trailing slash */
  readonly url: string
  readonly world: RemoteWorld
  readonly sandboxes: RemoteSandboxes
  readonly snapshots: RemoteSnapshots
  readonly clock: RemoteClock
  readonly keys: RemoteKeys
  readonly policies: RemotePolicies
  readonly faults: RemoteFaults
  readonly journal: RemoteJournal
  readonly actors: RemoteActors
  readonly replaying: RemoteReplay
  readonly scenarios: RemoteScenarios
  /** Sends a request to the simulated API. A path is resolved against `url`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Resets rows, keys, policies, clock, faults and second actors to those of the start. `only` names some of them. */
  reset(options?: ResetOptions): Promise<void>
  /** Reports what the requests in the journal exercised of the API, and on which evidence. */
  report(): Promise<RunReport>
  /** Reads the metrics of the server and of all its sandboxes, in the format of Prometheus. */
  metrics(): Promise<string>
  /** Shows which request, second actor or edit each field of a row comes from. Returns undefined for an unknown row. */
  why(resource: string, id: number | string): Promise<RowProvenance | undefined>
  /** Explains a response by its journal entry: the rule of each part, its evidence, and a request that succeeds. */
  explain(entry: Pick<JournalEntry, 'id'> | number): Promise<ResponseReasons>
  /** Converts the requests in the journal to a scenario. */
  record(options?: RecordOptions): Promise<Recording>
  /** Checks that the server is ready, and an Understudy server. */
  health(): Promise<Health>
  /** Returns a curl command that lists annotations and works as it is, or null if no key may. */
  example(): Promise<{ readonly curl: string | null }>
  /** Lists the names that rules and rows can use. */
  vocabulary(): Promise<Vocabulary>
  /** Returns the OpenAPI document of the control API. */
  openapi(): Promise<Record<string, unknown>>
}

/** What a client needs to use a sandbox of a server. */
export interface RemoteSandboxInfo extends SandboxInfo {
  /** A curl command that lists the annotations of its first project, or null if no key may */
  readonly curl: string | null
}

/** A new sandbox, with its keys and a client for it. */
export interface CreatedSandbox extends RemoteSandboxInfo {
  readonly remote: Remote
}

/** The sandboxes of a server. */
export interface RemoteSandboxes {
  /** Creates an isolated world. The `remote` of the result controls that world only. */
  create(request?: SandboxRequest): Promise<CreatedSandbox>
  list(): Promise<RemoteSandboxInfo[]>
  /** Returns the URL, keys, projects and expiry of a sandbox, or undefined if it does not exist. */
  info(id: string): Promise<RemoteSandboxInfo | undefined>
  /** Returns a client for a sandbox, or undefined if it does not exist. */
  get(id: string): Promise<Remote | undefined>
  /** Deletes a sandbox and frees its memory. Returns false if it does not exist. */
  delete(id: string): Promise<boolean>
}

function remoteSandboxes(client: ControlClient): RemoteSandboxes {
  const info = (id: string): Promise<RemoteSandboxInfo | undefined> =>
    client.callOrUndefined('retrieveSandbox', { params: { id } })
  return {
    info,
    async create(body = {}) {
      const init = { headers: sandboxRouting(body) }
      const sandbox = await client.call<RemoteSandboxInfo>('createSandbox', { body, init })
      return { ...sandbox, remote: createRemote(client.at(sandbox.url)) }
    },
    list: () => client.call('listSandboxes'),
    async get(id) {
      const sandbox = await info(id)
      return sandbox && createRemote(client.at(sandbox.url))
    },
    delete: (id) => client.remove('deleteSandbox', { id }),
  }
}

/** The names that rules, filters and rows can use. */
export interface Vocabulary {
  readonly operations: readonly {
    readonly id: string
    readonly summary: string
    readonly method: string
    readonly path: string
  }[]
  /** The names of the errors of the service */
  readonly errors: readonly string[]
  readonly presets: readonly { readonly name: string; readonly description: string }[]
  readonly annotation_scopes: readonly string[]
  /** The scopes of keys that the operations know */
  readonly key_scopes: readonly string[]
  /** The names of the fixtures that a sandbox can start from */
  readonly fixtures: readonly string[]
}
