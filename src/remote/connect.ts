import type { JournalAccess } from '../analysis/journal-access.ts'
import type { ResponseReasons } from '../analysis/reasons/response-reasons.ts'
import type { RunReport } from '../analysis/report/report-schema.ts'
import type { Faults } from '../sandbox/faults/faults.ts'
import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { JournalFilter } from '../sandbox/journal/filter.ts'
import type { SandboxInfo, SandboxRequest } from '../sandbox/sandboxes/sandboxes.ts'
import type { ResetOptions } from '../sandbox/simulator-base.ts'
import type { Snapshots } from '../sandbox/snapshots.ts'
import type { ListedScenario, Scenario } from '../scenarios/format/scenario.ts'
import type { RecordOptions } from '../scenarios/recording/capture-journal.ts'
import type { Recording } from '../scenarios/recording/recorder.ts'
import type { Replay } from '../scenarios/replay-server/replay.ts'
import type { ReplayResult } from '../scenarios/run/result.ts'
import type { SettingInfo } from '../settings/access.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import type { SettingId, SettingValue } from '../settings/setting.ts'
import { rejectUnknownFields } from '../utils/usage-error.ts'
import type { Clock, ClockSetting } from '../world/clock/clock.ts'
import type { AccessibleRows } from '../world/defaults.ts'
import type { AddedIds, NewRows } from '../world/edit/add-rows.ts'
import type { FoundRows, RowQuery } from '../world/edit/find-rows.ts'
import type { RowCounts } from '../world/edit/generate-rows.ts'
import type { Keys } from '../world/keys.ts'
import type { FixtureName } from '../world/load/build-world.ts'
import type { KeyRow } from '../world/rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import {
  ControlClient,
  type FollowOptions,
  followJournal,
  type Health,
  type RemoteReplayOptions,
  replayRemotely,
} from './client.ts'

/** Options of `connect`. */
export interface ConnectOptions {
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
  rejectUnknownFields(options, ['token'], 'connect')
  return createRemote(new ControlClient(url, options.token))
}

const isList = { has: Array.isArray }

function createRemote(client: ControlClient): Remote {
  const { url } = client
  const setClock = async (value: ClockSetting): Promise<void> => {
    const isObject = typeof value === 'object' && !(value instanceof Date)
    const body = isObject ? value : value === 'real' ? { mode: value } : { time: value }
    await client.call('setClock', { body })
  }
  const listSettings = (): Promise<SettingInfo[]> => client.call('listSettings', isList)
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
    },
    sandboxes: remoteSandboxes(client),
    snapshots: {
      list: () => client.call('listSnapshots', isList),
      save: (name) => client.call('createSnapshot', { body: { name } }),
      has: async (name) =>
        (await client.call<{ name: string }[]>('listSnapshots', isList)).some(
          (snapshot) => snapshot.name === name,
        ),
      restore: (name) => client.call('restoreSnapshot', { params: { name } }),
      delete: (name) => client.remove('deleteSnapshot', { name }),
    },
    clock: {
      read: () => client.call('readClock'),
      set: setClock,
      // JSON leaves out undefined fields.
      tick: (time) => setClock({ mode: 'ticking', time } as ClockSetting),
      freeze: () => setClock({ mode: 'frozen' }),
      release: () => setClock('real'),
      async advance(body) {
        await client.call('advanceClock', { body })
      },
    },
    keys: {
      list: () => client.call('listKeys', isList),
      issue: async (body = {}) => (await client.call<KeyRow>('issueKey', { body })).value,
      revoke: (value) => client.remove('revokeKey', { value }),
    },
    settings: {
      list: listSettings,
      get: async <Id extends SettingId>(id: Id) =>
        (await listSettings()).find((setting) => setting.id === id)?.value as SettingValue<Id>,
      async set(body) {
        await client.call('setSettings', { body })
      },
    },
    faults: {
      add: (body) => client.call('addFaults', { body }),
      list: () => client.call('listFaults'),
      remove: (id) => client.remove('removeFault', { id }),
      clear: () => client.call('clearFaults'),
    },
    journal: {
      find: (query) => client.call('listJournal', { query }),
      get: (id) => client.callOrUndefined('retrieveJournalEntry', { params: { id } }),
      verify: (body) => client.call('verifyRequests', { body }),
      mistakes: () => client.call('listMistakes'),
      toHar: (query) => client.call('exportHar', { query }),
      clear: () => client.call('clearJournal'),
      follow: (listener, options = {}) => followJournal(client, listener, options),
    },
    replaying: {
      read: () => client.call('readReplay'),
      rewind: () => client.call('rewindReplay'),
    },
    scenarios: {
      list: () => client.call('listScenarios'),
      get: (name) => client.callOrUndefined('retrieveScenario', { params: { name } }),
      replay: (scenario, options) => replayRemotely(client, scenario, options),
    },
    fetch: async (input, init) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? url + input : input, init),
    reset: (body = {}) => client.call('resetWorld', { body }),
    report: () => client.call('readReport'),
    explain: (entry) => client.call('explainEntry', { params: { id: Object(entry).id ?? entry } }),
    record: (body = {}) => client.call('recordJournal', { body }),
    example: () => client.call('readExample'),
    vocabulary: () => client.call('readVocabulary'),
    health: () => client.health(),
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
  readonly settings: RemoteSettings
  readonly faults: RemoteFaults
  readonly journal: RemoteJournal
  readonly replaying: RemoteReplay
  readonly scenarios: RemoteScenarios
  /** Sends a request to the simulated API. A path is resolved against `url`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Resets rows, keys, settings, clock and faults to those of the start. `only` names some of them. */
  reset(options?: ResetOptions): Promise<void>
  /** Reports what the requests in the journal exercised of the API, and on which evidence. */
  report(): Promise<RunReport>
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
  /** Lists the active sandboxes, the oldest first. */
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
      const sandbox = await client.call<RemoteSandboxInfo>('createSandbox', { body })
      return { ...sandbox, remote: createRemote(client.at(sandbox.url)) }
    },
    list: () => client.call('listSandboxes', isList),
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

/** The world of a simulator in another process. */
export interface RemoteWorld {
  /** Returns the whole world, in the format of fixtures. */
  read(): Promise<WorldJson>
  /**
   * Replaces the whole world. The server generates the rows that `generate` asks for. An invalid world changes nothing.
   *
   * @param world a world, or the name of a fixture of the package
   * @returns the number of rows in each list
   */
  replace(world: FixtureName | WorldJson): Promise<Record<string, number>>
  /** Adds rows, all or none. Missing fields get defaults. */
  add(rows: NewRows): Promise<AddedIds>
  /** Adds generated rows, by the number for each list. */
  generate(counts: RowCounts): Promise<AddedIds>
  /** Finds rows of a list, including deleted annotations. */
  find<List extends keyof AccessibleRows>(
    list: List,
    query?: RowQuery,
  ): Promise<FoundRows<AccessibleRows[List]>>
  /** Returns a row, or undefined if it does not exist. */
  get<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
  ): Promise<AccessibleRows[List] | undefined>
  /** Updates fields of a row directly, without the checks of the API. */
  update<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
    changes: Partial<AccessibleRows[List]>,
  ): Promise<AccessibleRows[List]>
  /** Removes a row from the world. Returns false if it does not exist. */
  delete(list: keyof AccessibleRows, id: number | string): Promise<boolean>
}

/** The snapshots of a simulator in another process. */
export type RemoteSnapshots = Promisified<
  Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'delete'>
>

/** The clock of a simulator in another process. */
export type RemoteClock = Promisified<
  Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
>

/** The API keys of a simulator in another process. */
export type RemoteKeys = Promisified<Pick<Keys, 'list' | 'issue' | 'revoke'>>

/** The fault rules of a simulator in another process. */
export type RemoteFaults = Promisified<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>

/** The settings of a simulator in another process. */
export interface RemoteSettings {
  list(): Promise<SettingInfo[]>
  get<Id extends SettingId>(id: Id): Promise<SettingValue<Id>>
  set(overrides: SettingOverrides): Promise<void>
}

/** The same methods, each of which returns a promise. */
type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}

/** The journal of a simulator in another process. */
export interface RemoteJournal
  extends Promisified<Pick<JournalAccess, 'get' | 'verify' | 'mistakes' | 'toHar' | 'clear'>> {
  /** Finds the entries that match a filter, in the order in which the requests arrived. */
  find(filter?: JournalFilter): Promise<JournalEntry[]>
  /**
   * Calls the listener with each new entry, over a connection that stays open.
   *
   * @returns a function that closes the connection
   */
  follow(listener: (entry: JournalEntry) => void, options?: FollowOptions): Promise<() => void>
}

/** The scenarios of a server. */
export interface RemoteScenarios {
  list(): Promise<ListedScenario[]>
  /** Returns a scenario, or undefined for an unknown name. */
  get(name: string): Promise<Scenario | undefined>
  /** Replays a scenario, or a listed one by its name, in a world of its own. */
  replay(scenario: string | Scenario, options?: RemoteReplayOptions): Promise<ReplayResult>
}

/** The recording that a server replays to its clients. */
export type RemoteReplay = Promisified<Pick<Replay, 'rewind'>> & {
  /** Returns the progress of the recording, or null without one. */
  read(): Promise<Pick<Replay, 'title' | 'requests' | 'unused' | 'unexpected'> | null>
}
