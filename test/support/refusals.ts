import type { Rows } from '../../src/control/rows.ts'
import type { FaultRequest } from '../../src/simulator/faults/schema.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { UsageError } from '../../src/utils/errors.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { worlds } from '../world/load/bad-worlds.table.ts'
import { refusedFaults } from './refused-rules.ts'
import { refusedScenarios } from './refused-scenarios.ts'

/** A call of the library, with inputs that it refuses, and the other ways to make the same call. */
export interface RefusedCall {
  readonly call: (simulator: Simulator, input: never) => unknown
  /** The operation of the control API that takes the input as its body, or as this field of it */
  readonly operation?: keyof Rows
  readonly bodyField?: string
  readonly inputs: readonly unknown[]
}

const sandboxes: readonly unknown[] = [
  'empty',
  [],
  { from: 'emtpy' },
  { from: 5 },
  { form: 'empty' },
  { seed: 1.5 },
  { seed: null },
  { profile: 'lvie' },
  { settings: null },
  { settings: { 'limits.body': 0 } },
  { settings: { 'limits.bdy': 1 } },
  { clock: null },
  { clock: 'tomorrow' },
  { clock: { mode: 'still' } },
  { clock: { mode: 'real', time: '2024' } },
  { ttl_s: 0 },
  { ttl_s: '60' },
  { ttl_s: 1e15 },
  { keys: ['phx_mine'] },
  { keys: null },
  { keys: [] },
  { keys: 'phx_chosen' },
  { keys: 5 },
  { keys: { al: 'phx_1' } },
  { keys: { all: 'phx_1', zzz: 'phx_2' } },
  { keys: { all: 'phx_taken' } },
  { keys: { all: 'phx_same', none: 'phx_same' } },
  { keys: { all: ' phx_1' } },
  { keys: { all: 'x' } },
  { keys: { all: 5 } },
]

const settings: readonly unknown[] = [
  'live',
  { cookies: 'on' },
  { toString: 'on' },
  { 'key.places': 'header' },
  { 'keys.places': 'headers' },
  { 'methods.put': 'maybe' },
  { 'methods.put': ['on'] },
  { 'methods.put': 'toString' },
  { 'annotations.delete.status': 409 },
  { 'annotations.delete.status': '405_emty' },
  { 'annotations.delete.status': 403, 'keys.places': 'cookie' },
  { 'lists.limit.maximum': null },
  ...[0, 536_870_913, 1.5, '', 'x1', '1x', '-1', '1.5', '0x10', ' 5', [10], null].map((value) => ({
    'limits.body': value,
  })),
]

const expectations: readonly unknown[] = [
  'createAnnotation',
  [],
  { operation: 'createAnotation' },
  { operations: 'createAnnotation' },
  { count: -1 },
  { count: 1.5 },
  { status: '6xx' },
  { count: 1, at_least: 1 },
  { count: 0, at_most: 0 },
  { at_least: 2, at_most: 1 },
  { key: 'al', count: 0 },
  { key: 'phx_gone', at_most: 0 },
]

const filters: readonly unknown[] = [
  null,
  { limit: 0 },
  { limit: 1.5 },
  { since: 'yesterday' },
  { until: '9999-12-31T23:59:59-01:00' },
  { until: 1 },
  { status: '9xx' },
  { unmatched: 'no' },
  { keys: 'all' },
]

const rows: readonly unknown[] = [
  [],
  { annotation: [{}] },
  { annotations: {} },
  { annotations: null },
  { annotations: [{}, null] },
  { annotations: ['Launch'] },
  { keys: [null] },
  { repository: [5] },
  { annotations: [{}, { project: 77 }], keys: [{ scopes: ['read'] }] },
]

const row: readonly unknown[] = [
  { content: 'x'.repeat(401), scope: 'team', mine: 1 },
  { contnt: 'x' },
  { deleted: 'yes' },
  { project: 9, dashboard_item: 98, created_by: 97 },
  { id: 3 },
]

const keys: readonly unknown[] = [
  { value: ' x', scopes: ['annotation:read', 'annotation'], user: 1 },
  { user: 9, projects: [1, 8], organizations: [] },
  { value: 'phx_all', scopes: [] },
  { scope: 'annotation:read' },
]

const readings: readonly unknown[] = [
  { mode: 'still' },
  { mode: 'frozn' },
  { mode: 'frozen', tiem: '2024-06-01' },
  { mode: 'real', time: '2024-06-01' },
  { mode: 'ticking', now: 'noon' },
  { time: '2030-01-01', now: '2030-01-01' },
]

const options: readonly unknown[] = [
  null,
  { profle: 'live' },
  { telescope: 1 },
  { world: 'defualt' },
  { world: 'odd' },
  { world: './world.json' },
  { world: null },
  { world: 5 },
  { world: { generate: { annotations: 10 } } },
  { profile: 'lvie' },
  { profile: null },
  { settings: { 'annotations.delete.staus': 404 } },
  { settings: null },
  { settings: { __proto__: null, toString: 'x' } },
  { seed: 'seven' },
  { seed: 1.5 },
  { explain: 'yes' },
  { clock: 'tomorrow' },
  { clock: new Date(Number.NaN) },
  { baseUrl: 'example.com' },
  { journal: { entries: -1 } },
  { journal: { entries: Number.NaN } },
  { journal: { entires: 5 } },
  { journal: [] },
  { journal: { redacted: [] } },
  { journal: { size: 1 } },
  { journal: { entries: 1.5 } },
  { journal: { bytes: -1 } },
  { journal: { bytes: null } },
  { journal: { body: 0.5 } },
  { explain: null },
  { explain: 1 },
]

export const refusedCalls: Readonly<Record<string, RefusedCall>> = {
  createSimulator: {
    call: (_, input: SimulatorOptions) => createSimulator(input),
    inputs: options,
  },
  'a world': {
    call: (_, world: WorldJson) => createSimulator({ world }),
    operation: 'PUT /world',
    inputs: worlds.map(([, world]) => world),
  },
  'faults.add': {
    call: ({ faults }, input: FaultRequest) => faults.add(input),
    operation: 'POST /faults',
    inputs: refusedFaults,
  },
  'sandboxes.create': {
    call: ({ sandboxes }, input) => sandboxes.create(input),
    operation: 'POST /sandboxes',
    inputs: sandboxes,
  },
  'settings.set': {
    call: ({ settings }, input) => settings.set(input),
    operation: 'PATCH /settings',
    inputs: settings,
  },
  'journal.find': {
    call: ({ journal }, input) => journal.find(input),
    inputs: filters,
  },
  'journal.verify': {
    call: ({ journal }, input) => journal.verify(input),
    operation: 'POST /verify',
    inputs: expectations,
  },
  addRows: {
    call: (simulator, input) => simulator.addRows(input),
    operation: 'PATCH /world',
    inputs: rows,
  },
  'world.annotations.update': {
    call: ({ world }, input) => world.annotations.update(1, input),
    operation: 'PATCH /world/:list/:id',
    inputs: row,
  },
  'keys.issue': {
    call: ({ keys }, input) => keys.issue(input),
    operation: 'POST /keys',
    inputs: keys,
  },
  'clock.set': {
    call: ({ clock }, input) => clock.set(input),
    operation: 'PUT /clock',
    inputs: readings,
  },
  'clock.advance': {
    call: ({ clock }, input) => clock.advance(input),
    operation: 'PUT /clock',
    bodyField: 'advance',
    inputs: [{ hours: '1' }, { weeks: 1 }, { days: 1, hour: 2 }],
  },
  'snapshots.save': {
    call: ({ snapshots }, { name }: { name: string }) => snapshots.save(name),
    operation: 'POST /snapshots',
    inputs: ['v1.0', '', 'a b', 'ö', 'x'.repeat(101), 5].map((name) => ({ name })),
  },
  replay: {
    call: (simulator, input) => simulator.replay(input),
    operation: 'POST /replays',
    bodyField: 'scenario',
    inputs: refusedScenarios,
  },
  fork: {
    call: (simulator, input) => simulator.fork(input),
    inputs: [null, 'empty', [], { sede: 1 }, { settings: null }, { clock: null }, { seed: null }],
  },
  reset: {
    call: (simulator, input) => simulator.reset(input),
    operation: 'POST /reset',
    inputs: [{ only: ['row'] }, { only: ['row', 'key'] }, { onyl: ['rows'] }, { only: 'rows' }],
  },
}

/** Creates what the inputs refer to: a snapshot, and a sandbox with the key `phx_taken`. */
export function arrangeRefusals(simulator: Simulator): void {
  simulator.snapshots.save('saved')
  simulator.sandboxes.create({ keys: { all: 'phx_taken' } })
}

export interface Refused {
  readonly message: string
  readonly field: string | null
  readonly details: UsageError['details']
}

/** Makes a call of the library that is refused. */
export async function refusalOf(
  { call }: RefusedCall,
  simulator: Simulator,
  input: unknown,
): Promise<Refused> {
  try {
    await call(simulator, input as never)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { message, field, details } = error
    return { message, field, details }
  }
  throw new Error(`${JSON.stringify(input)} is not refused`)
}

/** The body of a request to the operation of a call. */
export function bodyOf({ bodyField }: RefusedCall, input: unknown): unknown {
  return bodyField === undefined ? input : { [bodyField]: input }
}

/** An input as a line of a list. */
export function shortInput(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
