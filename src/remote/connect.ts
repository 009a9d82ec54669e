import type { JournalAccess } from '../analysis/journal-access.ts'
import type { ResponseReasons } from '../analysis/reasons/response-reasons.ts'
import type { RunReport } from '../analysis/report/report-schema.ts'
import type { Health } from '../control/rows.ts'
import type { ReplayRequest } from '../control/scenarios.ts'
import type { ListedScenario, Scenario } from '../scenarios/format/scenario.ts'
import type { RecordOptions } from '../scenarios/recording/capture-journal.ts'
import type { Recording } from '../scenarios/recording/recorder.ts'
import type { Replay } from '../scenarios/replay-server/replay.ts'
import type { ReplayResult } from '../scenarios/run/result.ts'
import type { SettingInfo } from '../settings/access.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import type { SettingId, SettingValue } from '../settings/setting.ts'
import type { Faults } from '../simulator/faults/faults.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { JournalFilter } from '../simulator/journal/filter.ts'
import type { SandboxInfo, SandboxRequest, WithKey } from '../simulator/sandboxes/sandboxes.ts'
import type { ResetOptions } from '../simulator/service.ts'
import type { Snapshots } from '../simulator/snapshots.ts'
import { rejectUnknownFields } from '../utils/errors.ts'
import type { Clock, ClockSetting } from '../world/clock/clock.ts'
import type { AccessibleRows } from '../world/defaults.ts'
import type { AddedIds, NewRows } from '../world/edit/add-rows.ts'
import type { FoundRows, RowQuery } from '../world/edit/find-rows.ts'
import type { RowCounts } from '../world/edit/generate-rows.ts'
import type { Keys } from '../world/keys.ts'
import type { FixtureName } from '../world/load/build-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import { Connection } from './connection.ts'
import { type FollowOptions, followJournal } from './follow-journal.ts'

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
 * @throws UsageError for an invalid URL, and for an unknown option
 * @example
 * const remote = connect('http://127.0.0.1:4010')
 * const { key, remote: sandbox } = await remote.sandboxes.create({ from: 'empty' })
 * await sandbox.clock.set('2024-06-01T00:00:00Z')
 */
export function connect(url: string, options: ConnectOptions = {}): Remote {
  rejectUnknownFields(options, ['token'], 'connect')
  return createRemote(new Connection(url, options.token))
}

function createRemote(to: Connection): Remote {
  const { url } = to
  const open = (info: SandboxInfo): CreatedSandbox => ({
    ...info,
    remote: createRemote(to.at(info.url)),
  })
  const setClock = async (value: ClockSetting): Promise<void> => {
    const isObject = typeof value === 'object' && !(value instanceof Date)
    await to.call('PUT /clock', {
      body: isObject ? value : value === 'real' ? { mode: value } : { time: value },
    })
  }
  const listSandboxes = () => to.call('GET /sandboxes')
  const listSettings = () => to.call('GET /settings')
  return {
    url,
    world: {
      read: () => to.call('GET /world'),
      replace: (body) => to.call('PUT /world', { body }),
      add: (body) => to.call('PATCH /world', { body }),
      generate: (generate) => to.call('PATCH /world', { body: { generate } }),
      find: (list, query = {}) =>
        to.call('GET /world/:list', { params: [list], query }) as Promise<never>,
      get: (list, id) => to.find('GET /world/:list/:id', { params: [list, id] }) as Promise<never>,
      update: (list, id, body) =>
        to.call('PATCH /world/:list/:id', { params: [list, id], body }) as Promise<never>,
      delete: (list, id) => to.remove('DELETE /world/:list/:id', list, id),
    },
    sandboxes: {
      create: (async (body: SandboxRequest = {}) =>
        open(await to.call('POST /sandboxes', { body }))) as RemoteSandboxes['create'],
      list: listSandboxes,
      info: async (id) => (await listSandboxes()).find((info) => info.id === id),
      get: async (id) => {
        const info = (await listSandboxes()).find((info) => info.id === id)
        return info && open(info).remote
      },
      delete: (id) => to.remove('DELETE /sandboxes/:id', id),
    },
    snapshots: {
      list: () => to.call('GET /snapshots'),
      save: (name) => to.call('POST /snapshots', { body: { name } }),
      has: async (name) => (await to.call('GET /snapshots')).some((one) => one.name === name),
      restore: (name) => to.call('POST /snapshots/:name/restore', { params: [name] }),
      delete: (name) => to.remove('DELETE /snapshots/:name', name),
    },
    clock: {
      read: () => to.call('GET /clock'),
      set: setClock,
      // JSON leaves out undefined fields.
      tick: (time) => setClock({ mode: 'ticking', time } as ClockSetting),
      freeze: () => setClock({ mode: 'frozen' }),
      release: () => setClock('real'),
      advance: async (advance) => void (await to.call('PUT /clock', { body: { advance } })),
    },
    keys: {
      list: () => to.call('GET /keys'),
      issue: async (body = {}) => (await to.call('POST /keys', { body })).value,
      revoke: (value) => to.remove('DELETE /keys/:value', value),
    },
    settings: {
      list: listSettings,
      get: async <Id extends SettingId>(id: Id) =>
        (await listSettings()).find((setting) => setting.id === id)?.value as SettingValue<Id>,
      set: async (body) => void (await to.call('PATCH /settings', { body })),
    },
    faults: {
      add: (body) => to.call('POST /faults', { body }),
      list: () => to.call('GET /faults'),
      remove: (id) => to.remove('DELETE /faults/:id', id),
      clear: () => to.call('DELETE /faults'),
    },
    journal: {
      find: (query) => to.call('GET /journal', { query }),
      get: (id) => to.find('GET /journal/:id', { params: [id] }),
      verify: (body) => to.call('POST /verify', { body }),
      mistakes: () => to.call('GET /journal/mistakes'),
      toHar: (query) => to.call('GET /journal/har', { query }),
      clear: () => to.call('DELETE /journal'),
      follow: (listener, options = {}) => followJournal(to, listener, options),
    },
    replaying: {
      read: () => to.call('GET /replay'),
      rewind: () => to.call('POST /replay/rewind'),
    },
    scenarios: {
      list: () => to.call('GET /scenarios'),
      get: (name) => to.find('GET /scenarios/:name', { params: [name] }),
      replay: (scenario, options) => to.call('POST /replays', { body: { scenario, ...options } }),
    },
    fetch: async (input, init) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? url + input : input, init),
    reset: (body = {}) => to.call('POST /reset', { body }),
    report: () => to.call('GET /report'),
    explain: (entry) =>
      to.call('GET /journal/:id/reasons', { params: [Object(entry).id ?? entry] }),
    record: (body = {}) => to.call('POST /record', { body }),
    health: () => to.health(),
  }
}

/** The same methods, each of which returns a promise. */
type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}

/** A simulator in another process. Every method can throw a `RemoteError` or an `UnreachableError`. */
export interface Remote {
  /** The base URL of the simulated API, without a trailing slash */
  readonly url: string
  readonly world: RemoteWorld
  readonly sandboxes: RemoteSandboxes
  readonly snapshots: Promisified<Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'delete'>>
  readonly clock: Promisified<
    Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
  >
  readonly keys: Promisified<Pick<Keys, 'list' | 'issue' | 'revoke'>>
  readonly settings: {
    list(): Promise<SettingInfo[]>
    get<Id extends SettingId>(id: Id): Promise<SettingValue<Id>>
    set(overrides: SettingOverrides): Promise<void>
  }
  readonly faults: Promisified<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>
  readonly journal: RemoteJournal
  /** The recording that a server replays to its clients. */
  readonly replaying: Promisified<Pick<Replay, 'rewind'>> & {
    /** Returns the progress of the recording, or null without one. */
    read(): Promise<Pick<Replay, 'title' | 'requests' | 'unused' | 'unexpected'> | null>
  }
  readonly scenarios: {
    list(): Promise<ListedScenario[]>
    /** Returns a scenario, or undefined for an unknown name. */
    get(name: string): Promise<Scenario | undefined>
    /** Replays a scenario, or a listed one by its name, in a world of its own. */
    replay(
      scenario: string | Scenario,
      options?: Omit<ReplayRequest, 'scenario'>,
    ): Promise<ReplayResult>
  }
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
  /** Reads version and state of the server. @throws UsageError if it is not Understudy */
  health(): Promise<Health>
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
  replace(world: FixtureName | WorldJson): Promise<Readonly<Record<string, number>>>
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

/** The sandboxes of a server. */
export interface RemoteSandboxes {
  /** Creates an isolated world. The `remote` of the result controls that world only. */
  create(
    request: SandboxRequest & { readonly from: FixtureName },
  ): Promise<CreatedSandbox & WithKey>
  create(request?: SandboxRequest): Promise<CreatedSandbox>
  /** Lists the active sandboxes, the oldest first. */
  list(): Promise<SandboxInfo[]>
  /** Returns the URL, keys, projects and expiry of a sandbox, or undefined if it does not exist. */
  info(id: string): Promise<SandboxInfo | undefined>
  /** Returns a client for a sandbox, or undefined if it does not exist. */
  get(id: string): Promise<Remote | undefined>
  /** Deletes a sandbox and frees its memory. Returns false if it does not exist. */
  delete(id: string): Promise<boolean>
}

/** A new sandbox, with its keys and a client for it. */
export interface CreatedSandbox extends SandboxInfo {
  readonly remote: Remote
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
