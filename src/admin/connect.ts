import type { TestPhase } from '../import/scenario-simulator.ts'
import type { ScenarioSource } from '../scenarios/format/scenario.ts'
import type { RecordOptions } from '../scenarios/recording/capture-journal.ts'
import type { SimulatorRunOptions } from '../scenarios/run/options.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { EntryQuery, JournalFilter } from '../simulator/journal/filter.ts'
import type { ResetOptions } from '../simulator/options.ts'
import type { SandboxInfo, SandboxRequest } from '../simulator/sandboxes/sandboxes.ts'
import { refuseOthers, UsageError } from '../utils/errors.ts'
import { isDate } from '../utils/kinds.ts'
import type { ClockSetting, Duration, Time } from '../world/clock/clock.ts'
import type { NewRows, RowEdits } from '../world/edit/edit-rows.ts'
import type { FoundRows, RowQuery } from '../world/edit/world-access.ts'
import type { KeyRequest } from '../world/keys.ts'
import type { EditableList, Row } from '../world/world-json.ts'
import { type Body, Connection, type OperationName, type Result } from './connection.ts'

/**
 * Creates a client for the admin API of a running server. It mirrors the simulator in-process, and each call returns
 * a promise. Nothing is sent until the first call.
 *
 * @param url the URL of the server, of one of its sandboxes, or of the admin API of either
 * @param options its `token`, if the server was started with one (`--token`)
 * @throws UsageError for an invalid URL, and for an unknown option
 * @example
 * const remote = connect('http://127.0.0.1:4010')
 * const { key, remote: sandbox } = await remote.sandboxes.create({ from: 'empty' })
 * await sandbox.clock.set('2024-06-01T00:00:00Z')
 */
export function connect(
  url: string,
  options: { readonly token?: string | undefined } = {},
): Remote {
  refuseOthers(options, ['token'], 'connect')
  return createRemote(new Connection(url, options.token))
}

/** A simulator in another process. Every method but `fetch` can throw a `RemoteError` or an `UnreachableError`. */
export interface Remote extends ReturnType<typeof createRemote> {}

/** A new sandbox, with its keys and a client for it. */
export interface CreatedSandbox extends SandboxInfo {
  /** Controls that sandbox. Its `sandboxes` are those of the server. */
  readonly remote: Remote
}

type FindClient = (id: string) => Promise<Remote | undefined>

type List = EditableList
type Id = number | string

/** The client of one admin API, that of a server or of a sandbox. */
export function createRemote(to: Connection) {
  const { url } = to
  const get =
    <Name extends OperationName>(name: Name) =>
    (): Promise<Result<Name>> =>
      to.call(name)
  const send =
    <Name extends OperationName>(name: Name) =>
    (body: Body<Name>): Promise<Result<Name>> =>
      to.call(name, { body })
  const remove = (name: OperationName) => (id: string) => to.remove(name, id)
  const open = (info: SandboxInfo): CreatedSandbox => ({
    ...info,
    remote: createRemote(to.at(info.url)),
  })
  const info = async (id: string): Promise<SandboxInfo | undefined> =>
    (await to.call('GET /sandboxes')).find((sandbox) => sandbox.id === id)
  const client: FindClient = async (id) => {
    const sandbox = await info(id)
    return sandbox && open(sandbox).remote
  }
  const setClock = send('PUT /clock')
  return {
    /** The base URL of the simulated API, without a trailing slash */
    url,
    world: {
      /** Returns the whole world, in the format of fixtures. */
      read: get('GET /world'),
      /** Replaces the whole world, by a world or a fixture. An invalid one changes nothing. Returns the numbers of rows. */
      replace: send('PUT /world'),
      /** Adds rows, all or none. Missing fields get defaults. */
      add: (body: NewRows) => to.call('PATCH /world', { body }),
      /** Adds rows, then sets fields of some, then deletes some permanently: all of it or nothing. */
      edit: ({ rows, ...edits }: RowEdits) =>
        to.call('PATCH /world', { body: { ...rows, ...edits } }),
      /** Finds rows of a list, including deleted annotations. */
      find: <L extends List>(list: L, query: RowQuery = {}) =>
        to.call('GET /world/:list', { params: [list], query }) as Promise<FoundRows<Row<L>>>,
      /** Returns a row, or undefined if it does not exist. */
      get: <L extends List>(list: L, id: Id) =>
        to.find('GET /world/:list/:id', { params: [list, id] }) as Promise<Row<L> | undefined>,
      /** Updates fields of a row directly, without the checks of the API. */
      update: <L extends List>(list: L, id: Id, body: Partial<Row<L>>) =>
        to.call('PATCH /world/:list/:id', { params: [list, id], body }) as Promise<Row<L>>,
      /** Removes a row from the world. Returns false if it does not exist. */
      delete: (list: List, id: Id) => to.remove('DELETE /world/:list/:id', list, id),
    },
    sandboxes: {
      /** Creates an isolated world. The `remote` of the result controls it. */
      create: async (body: SandboxRequest = {}): Promise<CreatedSandbox> =>
        open(await to.call('POST /sandboxes', { body })),
      /** Lists the active sandboxes, the oldest first. */
      list: get('GET /sandboxes'),
      /** Describes a sandbox. Returns undefined if it does not exist. */
      info,
      /** Returns a client for a sandbox, or undefined if it does not exist. */
      get: client,
      /** Deletes a sandbox and frees its memory. Returns false if it does not exist. */
      delete: remove('DELETE /sandboxes/:id'),
    },
    clock: {
      read: get('GET /clock'),
      /** Sets the mode and the time. A time alone freezes the clock. */
      set: (value: ClockSetting) => setClock(toClockBody(value)),
      /** Lets the clock run at real speed, from a time or from its current time. */
      tick: (now?: Time) => setClock({ mode: 'ticking', ...(now !== undefined && { now }) }),
      /** Freezes the clock at its current time. */
      freeze: () => setClock({ mode: 'frozen' }),
      /** Returns to the time of the machine. */
      release: () => setClock({ mode: 'real' }),
      /** Moves the clock forward, or back by a negative duration. */
      advance: (advance: Duration) => setClock({ advance }),
    },
    keys: {
      list: get('GET /keys'),
      /** Issues a key, and returns its value. By default it has all scopes and a generated value. */
      issue: async (body: KeyRequest = {}) => (await to.call('POST /keys', { body })).value,
      /** Returns false if it does not exist. */
      revoke: remove('DELETE /keys/:value'),
    },
    settings: {
      list: get('GET /settings'),
      get: async <Name extends keyof SettingValues>(id: Name) =>
        (await to.call('GET /settings')).find((setting) => setting.id === id)
          ?.value as SettingValues[Name],
      /** Sets settings by id, all or none. Returns the values of all settings. */
      set: send('PATCH /settings'),
    },
    faults: {
      /** Adds a rule, or the rules of a preset. New rules take precedence. */
      add: send('POST /faults'),
      /** Lists the rules in the order of evaluation, with their counters. */
      list: get('GET /faults'),
      /** Removes a rule. The requests that it holds or delays go on. Returns false if it does not exist. */
      remove: remove('DELETE /faults/:id'),
      clear: get('DELETE /faults'),
    },
    journal: {
      /** Finds the entries that match a filter, in the order in which the requests arrived. */
      find: (query: EntryQuery = {}): Promise<JournalEntry[]> => to.call('GET /journal', { query }),
      /** Returns an entry, or undefined if its id is unknown or it was evicted. */
      get: (id: number): Promise<JournalEntry | undefined> =>
        to.find('GET /journal/:id', { params: [id] }),
      verify: send('POST /verify'),
      mistakes: get('GET /journal/mistakes'),
      /** Exports the entries as an HTTP archive (HAR 1.2). */
      toHar: (query: JournalFilter = {}) => to.call('GET /journal/har', { query }),
      clear: get('DELETE /journal'),
      /** Calls the listener with each new entry, over a connection that stays open. Returns a function that closes it. */
      follow: (listener: (entry: JournalEntry) => void, options: FollowOptions = {}) =>
        followJournal(to, listener, options),
    },
    scenarios: {
      list: get('GET /scenarios'),
      /** Returns a scenario, or undefined for an unknown name. */
      get: (name: string) => to.find('GET /scenarios/:name', { params: [name] }),
      /** Runs a scenario, or a listed one by its name, in its own world unless `in_place` is set. */
      run: (scenario: string | ScenarioSource, options: RemoteRunOptions = {}) =>
        to.call('POST /runs', { body: { scenario, ...options } }),
      /** Opens a recording: this world gets its rows, settings, clock and faults. Returns the key of its client. */
      open: (scenario: string | ScenarioSource, options: { readonly phase?: TestPhase } = {}) =>
        to.call('PUT /recording', { body: { scenario, ...options } }),
      /** Whether the requests to this world are as the test of a scenario expects. */
      verify: (scenario: string | ScenarioSource) =>
        to.call('POST /recording/verify', { body: { scenario } }),
    },
    /** Sends a request to the simulated API. A path is resolved against `url`. */
    fetch: async (input: Request | string | URL, init?: RequestInit) =>
      fetch(typeof input === 'string' && input.startsWith('/') ? url + input : input, init),
    /** Resets rows with keys, settings, clock and faults to those of the start. `only` names some of them. */
    reset: (body: ResetOptions = {}) => to.call('POST /reset', { body }),
    /** Reports the client mistakes, and the settings that responses depend on. */
    report: get('GET /report'),
    /** Explains a response by its journal entry: its reason, the settings that it depends on, and a request that succeeds. */
    explain: async (entry: Pick<JournalEntry, 'id'> | number) => {
      const id = Object(entry).id ?? entry
      if (typeof id === 'object') throw new UsageError(noEntry)
      return to.call('GET /journal/:id/reasons', { params: [id] })
    },
    /** Converts the requests in the journal to a scenario. */
    record: (body: RecordOptions = {}) => to.call('POST /record', { body }),
    /** Reads version and state of the server. @throws UsageError if it is not Understudy */
    health: () => to.health(),
  }
}

/** A response says nothing of its entry, unlike one of a simulator in this process. */
const noEntry =
  'Failed to explain a response: expected an entry of the journal, or its id. The latest entry is the first of journal.find({ limit: 1 }).'

function toClockBody(value: ClockSetting): Body<'PUT /clock'> {
  if (value === 'real') return { mode: value }
  return typeof value === 'object' && !isDate(value) ? value : { now: value }
}

/** Options of `scenarios.run`. */
export interface RemoteRunOptions
  extends Pick<SimulatorRunOptions, 'profile' | 'settings' | 'in_place'> {
  /** A fixture, for a scenario that names none. By default the current rows */
  readonly world?: string
}

/** Options of `journal.follow`. */
export interface FollowOptions {
  /** The id of an entry. Following starts with the entries after it that are still stored. */
  readonly after?: number
  /** False leaves out headers and bodies. Defaults to true */
  readonly bodies?: boolean
  /** Called with the number of entries that were evicted before they were read. */
  readonly onMissed?: (entries: number) => void
  /** Called with errors of the connection and of the listener. By default console.error. */
  readonly onError?: (error: unknown) => void
  /** Called when the server ends the stream, as it does when a sandbox ends. */
  readonly onEnd?: () => void
}

const names = ['after', 'bodies', 'onMissed', 'onError', 'onEnd'] satisfies (keyof FollowOptions)[]

const print = (error: unknown) => console.error(error)

async function followJournal(
  connection: Connection,
  listener: (entry: JournalEntry) => void,
  options: FollowOptions,
) {
  refuseOthers(options, names, 'follow the journal')
  const { after, bodies = true, onMissed, onError = print, onEnd } = options
  const controller = new AbortController()
  const { signal } = controller
  const headers = { ...(after !== undefined && { 'last-event-id': String(after) }) }
  const query = bodies ? {} : { bodies }
  const response = await connection.send('GET /journal/events', {
    query,
    init: { signal, headers },
  })
  const read = async () => {
    for await (const { event, data } of readServerSentEvents(response)) {
      if (signal.aborted) return
      try {
        if (event === 'missed') onMissed?.(JSON.parse(data).entries)
        else listener(JSON.parse(data))
      } catch (error) {
        onError(error)
      }
    }
    if (!signal.aborted) onEnd?.()
  }
  read().catch((cause) => {
    const message =
      'journal.follow() has ended, because the connection to its server broke. Call the function that it returns before you close the server, or handle the end by onError.'
    if (!signal.aborted) onError(onError === print ? message : new Error(message, { cause }))
  })
  return () => controller.abort()
}

/**
 * Reads the server-sent events of a response. It supports what an Understudy server sends, a part of the HTML standard:
 * lines end with LF, and an event has one line of data, after its name. Comments are skipped.
 */
export async function* readServerSentEvents(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = 'message', data] = /(?:event: (\w+)\n)?data: ([^\n]*)/.exec(block) ?? []
      if (data !== undefined) yield { event, data }
    }
  }
}
