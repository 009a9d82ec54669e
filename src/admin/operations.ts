import * as z from 'zod'
import { explainEntry } from '../explain/explain.ts'
import { openRecording, type TestPhase, verifyTest } from '../import/scenario-simulator.ts'
import type { ScenarioLibrary, ScenarioSource } from '../scenarios/format/scenario.ts'
import type { RecordOptions } from '../scenarios/recording/capture-journal.ts'
import type { Profile } from '../settings/profiles.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import {
  entryQuerySchema,
  journalFilterSchema,
  streamQuerySchema,
} from '../simulator/journal/filter.ts'
import type { Expectation } from '../simulator/journal/verify.ts'
import { type ResetOptions, resetParts } from '../simulator/options.ts'
import type { SandboxInfo, SandboxRequest } from '../simulator/sandboxes/sandboxes.ts'
import { unexpectedValue, unknownWord } from '../utils/errors.ts'
import { option, optionsSchema } from '../utils/options.ts'
import { parseOptions } from '../utils/schema-issues.ts'
import { packageName, version } from '../utils/version.ts'
import type { ClockModeAndTime, Duration } from '../world/clock/clock.ts'
import type { NewRows, RowEdits } from '../world/edit/edit-rows.ts'
import { annotationQuerySchema, type RowAccess } from '../world/edit/world-access.ts'
import type { KeyRequest } from '../world/keys.ts'
import { completeWorld, type FixtureName } from '../world/load/load-world.ts'
import type { KeyRow } from '../world/rows.ts'
import { editableLists, type RowId } from '../world/tables.ts'
import type { EditableList, Row, WorldJson } from '../world/world-json.ts'
import { type AdminCall, found, operation, queryOperation, unchecked } from './operation.ts'

/** What a server says of itself without a token, but not to pages of other sites. */
export interface Health {
  readonly name: string
  readonly status: 'ready'
  readonly version: string
  /** The fixture or file that is served, if it is known */
  readonly world?: string
}

/** A name that no fixture has is refused later, with the names that exist. */
const fixtureSchema = z.custom<FixtureName>((value) => typeof value === 'string')

/** A mode, a time, or both; or how far to advance. */
interface ClockChange extends Partial<ClockModeAndTime> {
  readonly advance?: Duration
}

const clockChangeSchema = optionsSchema<ClockChange>({
  mode: option.any,
  now: option.any,
  advance: option.any,
})

const scenarioSchema = z.union([z.string(), unchecked<ScenarioSource>()], {
  error: 'expected the name of a scenario, or a scenario',
})

const runSchema = z.strictObject({
  scenario: scenarioSchema,
  /** The world of a scenario that names none: a fixture. By default the current rows. */
  world: z.string().optional(),
  /** Replaces the profile of the scenario. */
  profile: z.custom<Profile>().optional(),
  /** Overrides settings of the scenario. */
  settings: z.custom<SettingOverrides>().optional(),
  /** Whether the steps run in this world, without the setup and the faults of the scenario. False by default. */
  in_place: z.boolean().optional(),
})

const recordingSchema = z.strictObject({
  scenario: scenarioSchema,
  /**
   * Adds the faults of the scenario's test in place of those of its steps: `after-commit` for those with a failed create
   * carried out.
   */
  phase: z.enum(['recorded', 'after-commit'] satisfies TestPhase[]).exactOptional(),
})

/** The operations of the admin API, by method and path below `/__admin`. */
export const operations = {
  'GET /health': {
    ...operation(
      'Read the version and the state of the server.',
      ({ world }): Health => ({
        name: packageName,
        status: 'ready',
        version,
        ...(world !== undefined && { world }),
      }),
    ),
    isOpen: true,
  },

  'GET /world': operation('Read the whole world, in the format of fixtures.', ({ simulator }) =>
    simulator.world.toJSON(),
  ),

  'PUT /world': operation(
    'Replace the whole world, by a world or the name of a fixture. A reset returns to the new one.',
    z.union([fixtureSchema, unchecked<WorldJson>()], { error: 'expected a world, or its name' }),
    async ({ simulator, body }) => {
      simulator.replaceWorld(await completeWorld(body))
      return simulator.world.counts
    },
  ),

  'PATCH /world': operation(
    'Add rows to lists of the world, then `update` and `delete` others: all or none. Missing fields of new rows get defaults. Returns the ids of new rows.',
    unchecked<NewRows & Omit<RowEdits, 'rows'>>(),
    ({ simulator, body: { update, delete: deleted, ...rows } }) =>
      simulator.world.edit({ rows, update, delete: deleted }),
  ),

  'POST /reset': operation(
    `Reset ${resetParts.join(', ')} to the start, or only some of them. The journal stays.`,
    unchecked<ResetOptions>(),
    ({ simulator, body }) => simulator.reset(body),
  ),

  'GET /world/:list': queryOperation(
    'Find and count rows of a list, also deleted ones: search, offset, limit; of annotations project, scope, deleted, too.',
    annotationQuerySchema,
    ({ simulator, query }, list: string) => simulator.world.find(parseList(list), query),
  ),

  'GET /world/:list/:id': operation(
    'Read a row, in the format of fixtures.',
    ({ simulator }, list: string, id: string) => {
      const name = parseList(list)
      return foundRow(accessTo(simulator, name).get(parseRowId(name, id)), name, id)
    },
  ),

  'PATCH /world/:list/:id': operation(
    'Update fields of a row. The field deleted deletes or restores an annotation.',
    unchecked<Record<string, unknown>>(),
    ({ simulator, body }, list: string, id: string) => {
      const name = parseList(list)
      const rows = accessTo(simulator, name)
      const rowId = parseRowId(name, id)
      foundRow(rows.get(rowId), name, id)
      return rows.update(rowId, body)
    },
  ),

  'DELETE /world/:list/:id': operation(
    'Remove a row from the world. A row that other rows refer to is refused.',
    ({ simulator }, list: string, id: string) => {
      const name = parseList(list)
      foundRow(accessTo(simulator, name).delete(parseRowId(name, id)), name, id)
    },
  ),

  'GET /sandboxes': operation(
    'List the active sandboxes, the oldest first: URL, keys, projects and expiry.',
    ({ server, origin }) => server.sandboxes.list().map((info) => toServed(info, origin)),
  ),

  'POST /sandboxes': operation(
    'Create an isolated world with its own keys and URL, like the start of the server. Without ttl_s it stays until it is deleted.',
    unchecked<SandboxRequest>(),
    async ({ server: { sandboxes }, origin, body }) => {
      await sandboxes.offerFixture(body.from)
      return toServed(sandboxes.create(body), origin)
    },
  ),

  'DELETE /sandboxes/:id': operation(
    'Delete a sandbox and free its memory.',
    ({ server: { sandboxes } }, id: string) => {
      found(sandboxes.delete(id), 'id', `Sandbox ${id}`)
    },
  ),

  'GET /clock': operation('Read the time and the mode of the clock.', ({ simulator }) =>
    simulator.clock.read(),
  ),

  'PUT /clock': operation(
    'Set the mode (real, frozen or ticking), the time as now, or both; a time alone freezes the clock. Or advance it, by the sum of the given units.',
    unchecked<ClockChange>(),
    ({ simulator: { clock }, body }) => {
      parseOptions(clockChangeSchema, body, 'set the clock')
      const { advance, ...setting } = body
      const isSet = Object.keys(setting).length > 0
      if (isSet === (advance !== undefined)) {
        throw unexpectedValue('set the clock', 'a mode, a time, or both, or advance', body)
      }
      if (advance !== undefined) clock.advance(advance)
      else clock.set({ mode: 'frozen', ...setting })
      return clock.read()
    },
  ),

  'GET /keys': operation('List the API keys with their values and scopes.', ({ simulator }) =>
    simulator.keys.list(),
  ),

  'POST /keys': operation(
    'Issue an API key. Missing fields get defaults: all scopes, and a generated value.',
    unchecked<KeyRequest>(),
    ({ simulator: { keys, state }, body }) => state.tables.keys.get(keys.issue(body)) as KeyRow,
  ),

  'DELETE /keys/:value': operation('Revoke an API key.', ({ simulator }, value: string) => {
    found(simulator.keys.revoke(value), 'value', 'Key')
  }),

  'GET /settings': operation(
    'List the settings: question, value, and the possible values with their evidence.',
    ({ simulator }) => simulator.settings.list(),
  ),

  'PATCH /settings': operation(
    'Set settings by id, all or none. Returns the values of all settings.',
    unchecked<SettingOverrides>(),
    ({ simulator: { settings }, body }) => {
      settings.set(body)
      return settings.values
    },
  ),

  'GET /faults': operation(
    'List the fault rules in evaluation order, with their counters.',
    ({ simulator }) => simulator.faults.list(),
  ),

  'POST /faults': operation(
    'Add a fault rule, or the rules of a preset. New rules take precedence.',
    unchecked<FaultRequest>(),
    ({ simulator, body }) => simulator.faults.add(body),
  ),

  'DELETE /faults': operation('Remove all fault rules.', ({ simulator }) =>
    simulator.faults.clear(),
  ),

  'DELETE /faults/:id': operation('Remove a fault rule.', ({ simulator }, id: string) => {
    found(simulator.faults.remove(id), 'id', `Fault ${id}`)
  }),

  'GET /journal': queryOperation(
    'List the requests with their responses, the oldest first: operation, method, path, key, status, unmatched, limit. The parameter bodies=false leaves out headers and bodies. The header understudy-evicted counts those that made room for later ones.',
    entryQuerySchema,
    ({ simulator, query, setHeader }) => {
      setHeader('understudy-evicted', simulator.state.journal.evictedCount)
      return simulator.journal.show(query)
    },
  ),

  'DELETE /journal': operation(
    'Remove all entries, and what is known of sandboxes that ended. The numbering continues.',
    ({ simulator, server, run }) => {
      simulator.journal.clear()
      if (simulator === server) run.clear()
    },
  ),

  'GET /journal/events': queryOperation(
    'Follow the journal as server-sent events. Last-Event-ID continues after an entry. The parameter bodies=false leaves out headers and bodies.',
    streamQuerySchema,
    ({ simulator, query, ...call }) => {
      const { lastEventId: last, closed } = call
      if (last !== null && !/^\d{1,15}$/.test(last)) {
        const expected = 'the id of an entry in Last-Event-ID'
        throw unexpectedValue('follow the journal', expected, last, undefined, 'last-event-id')
      }
      return simulator.journal.events(last === null ? null : Number(last), closed, query)
    },
  ),

  'GET /journal/har': queryOperation(
    'Export the journal as a HAR 1.2 archive, with the filter of the list.',
    journalFilterSchema,
    ({ simulator, query }) => simulator.journal.toHar(query),
  ),

  'GET /journal/mistakes': operation(
    'List the client mistakes that the journal shows. That of the server has those in sandboxes, too, with their names.',
    ({ simulator, server, run }) =>
      simulator === server ? run.mistakes() : simulator.journal.mistakes(),
  ),

  'GET /journal/:id': operation(
    'Read one request with its response, and the changes that it made.',
    ({ simulator }, id: string) => foundEntry(simulator.journal.get(Number(id)), id),
  ),

  'GET /journal/:id/reasons': operation(
    'Explain a response: its reason, the settings that it depends on, and a request that succeeds.',
    ({ simulator }, id: string) => foundEntry(explainEntry(Number(id), simulator.state), id),
  ),

  'POST /verify': operation(
    'Verify that the expected requests were received, and list the nearest ones. A failed verification is a result.',
    unchecked<Expectation>(),
    ({ simulator, body }) => simulator.journal.verify(body),
  ),

  'POST /record': operation(
    'Convert the journal to a scenario that can be run again.',
    unchecked<RecordOptions>(),
    ({ simulator, body }) => simulator.record(body),
  ),

  'GET /report': operation(
    'Report the client mistakes, and the settings that responses depend on.',
    ({ simulator, server, run }) => (simulator === server ? run.report() : simulator.report()),
  ),

  'GET /scenarios': operation(
    'List the scenarios of the package and of the folder named by --scenarios. An invalid one is listed with its error.',
    ({ scenarios }) => scenarios.list(),
  ),

  'GET /scenarios/:name': operation(
    'Read a scenario file.',
    async ({ scenarios }, name: string) => {
      const scenario = await scenarios.read(name)
      const names = scenario ? [] : await scenarios.names()
      return found(scenario, 'name', `Scenario ${name}`, name, names)
    },
  ),

  'POST /runs': operation(
    'Run a scenario, or a listed one by its name, in its own world unless in_place is set.',
    runSchema,
    async ({ simulator, scenarios, body: { scenario: named, ...options } }) => {
      const scenario = await resolveScenario(named, scenarios)
      const { sandboxes } = simulator
      await sandboxes.offerFixture(scenario.world)
      await sandboxes.offerFixture(options.world)
      const { world } = options
      // The scenario may name another world.
      if (world !== undefined) sandboxes.loadSource(world)
      return simulator.run(scenario, options)
    },
  ),

  'PUT /recording': operation(
    'Open a recording: this world gets its rows, settings and clock, and the faults that its client met. A reset returns to them. Returns the key of that client.',
    recordingSchema,
    async ({ simulator, scenarios, body: { scenario: named, phase } }) => {
      const scenario = await resolveScenario(named, scenarios)
      await simulator.sandboxes.offerFixture(scenario.world)
      return openRecording(simulator, scenario, phase)
    },
  ),

  'POST /recording/verify': operation(
    'Verify that the requests to this world are as the test of a scenario expects. A failed verification is a result.',
    recordingSchema,
    async ({ simulator, scenarios, body: { scenario } }) =>
      verifyTest(simulator, await resolveScenario(scenario, scenarios)),
  ),
}

/** The operations of the admin API, for clients, which know only the types. */
export type Operations = typeof operations

function parseList(text: string) {
  const list = editableLists.find((name) => name === text)
  if (list) return list
  throw unknownWord('find the list', editableLists, text, 'list')
}

/** A caller that does not know the list has ids of either type. */
function accessTo({ world }: AdminCall['simulator'], list: EditableList) {
  return world[list] as RowAccess<Row<EditableList>, RowId>
}

/** Only organizations have ids that are strings. Another text than a number is the id of nothing. */
function parseRowId(list: EditableList, text: string): RowId {
  return list !== 'organizations' && /^\d+$/.test(text) ? Number(text) : text
}

function foundRow<T>(resource: T | undefined | false, list: string, id: string) {
  return found(resource, 'id', `Row ${id} of ${list}`)
}

/** A server can have several names. */
function toServed(info: SandboxInfo, origin: string): SandboxInfo {
  return { ...info, url: origin + new URL(info.url).pathname }
}

async function resolveScenario(scenario: string | ScenarioSource, scenarios: ScenarioLibrary) {
  if (typeof scenario !== 'string') return scenario
  const listed = await scenarios.read(scenario)
  if (listed) return listed
  throw unknownWord('find the scenario', await scenarios.names(), scenario, 'scenario')
}

function foundEntry<T>(entry: T | undefined, id: string) {
  return found(entry, 'id', `Entry ${id}`)
}
