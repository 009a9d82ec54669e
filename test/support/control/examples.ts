import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { replayHandlers } from '../../../src/index.ts'
import type { Simulator } from '../../../src/simulator.ts'

/** A successful request to an operation of the control API, and requests that it refuses. */
export interface Example {
  /** Prepares the simulator. */
  readonly arrange?: (simulator: Simulator) => unknown
  /** Values for the parameters of the path */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  /** Invalid requests, with the field that the response names */
  readonly mistakes?: readonly Mistake[]
}

export interface Mistake {
  readonly body?: unknown
  readonly query?: string
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly field: string
}

const rule = { operation: 'listAnnotations', effect: { error: 'server_error' } } as const

const save = ({ snapshots }: Simulator) => snapshots.save('clean')
const open = ({ sandboxes }: Simulator) => sandboxes.create({ ttl_s: 60 })
const send = (simulator: Simulator) =>
  simulator.fetch('/api/projects/1/annotations/', {
    headers: { authorization: `Bearer ${simulator.defaults.key}` },
  })

const record = (simulator: Simulator) => {
  const steps = [{ method: 'GET', path: '/api/projects/' }]
  simulator.replaying = replayHandlers({ title: 'A recording', steps }).replay
}

/** An example for each operation of the control API, by its id. */
export const examples: Readonly<Record<string, Example>> = {
  readHealth: {},
  readWorld: {},
  replaceWorld: {
    body: defaultWorld,
    mistakes: [
      { body: { annotations: [{ id: 'one' }] }, field: 'annotations[0].id' },
      { body: { format_version: 2 }, field: 'format_version' },
      { body: { plugin: [] }, field: 'world' },
    ],
  },
  addRows: {
    body: { annotations: [{ content: 'Launch' }], keys: [{ scopes: ['annotation:read'] }] },
  },
  listRows: {
    params: { list: 'annotations' },
    query: '?search=release&deleted=false&limit=2',
    mistakes: [
      { query: '?limit=0', field: 'limit' },
      { query: '?since=noon', field: 'since' },
      { query: '?words=release', field: 'words' },
      { params: { list: 'plugins' }, query: '?scope=project', field: 'scope' },
    ],
  },
  retrieveRow: { params: { list: 'annotations', id: '1' } },
  updateRow: {
    params: { list: 'annotations', id: '1' },
    body: { deleted: true },
  },
  deleteRow: {
    params: { list: 'annotations', id: '1' },
    mistakes: [{ params: { list: 'projects', id: '1' }, field: 'id' }],
  },
  addGenerated: {
    body: { annotations: 20, plugins: 2 },
    mistakes: [
      { body: { annotations: -1 }, field: 'annotations' },
      { body: { annotation: 1 }, field: 'annotation' },
    ],
  },
  resetWorld: {
    body: { only: ['rows', 'faults'] },
  },
  listSandboxes: { arrange: open },
  createSandbox: {
    body: { from: 'odd', ttl_s: 60, profile: 'live', keys: { all: 'phx_mine' } },
  },
  retrieveSandbox: { arrange: open, params: { id: 'sandbox-1' } },
  deleteSandbox: { arrange: open, params: { id: 'sandbox-1' } },
  listSnapshots: { arrange: save },
  createSnapshot: {
    body: { name: 'clean' },
    mistakes: [
      { body: { name: 'v1.0' }, field: 'name' },
      { body: {}, field: 'name' },
    ],
  },
  deleteSnapshot: { arrange: save, params: { name: 'clean' } },
  restoreSnapshot: { arrange: save, params: { name: 'clean' } },
  readClock: {},
  setClock: {
    body: { mode: 'ticking', time: '2024-06-01T00:00:00Z' },
  },
  advanceClock: {
    body: { hours: 1, minutes: 30 },
  },
  listKeys: {},
  issueKey: {
    body: { label: 'reader', scopes: ['annotation:read'] },
  },
  revokeKey: { params: { value: 'phx_all' } },
  listSettings: {},
  setSettings: {
    body: { 'annotations.delete.status': 403, 'limits.body': 4096 },
  },
  listFaults: { arrange: ({ faults }) => faults.add(rule) },
  addFaults: {
    body: rule,
  },
  clearFaults: { arrange: ({ faults }) => faults.add(rule) },
  removeFault: { arrange: ({ faults }) => faults.add(rule), params: { id: 'fault-1' } },
  listJournal: {
    arrange: send,
    query: '?status=2xx',
    mistakes: [{ query: '?status=9xx', field: 'status' }],
  },
  clearJournal: { arrange: send },
  retrieveJournalEntry: { arrange: send, params: { id: '1' } },
  explainEntry: { arrange: send, params: { id: '1' } },
  exportHar: { arrange: send, mistakes: [{ query: '?since=noon', field: 'since' }] },
  listMistakes: { arrange: send },
  followJournal: { mistakes: [{ headers: { 'last-event-id': 'x' }, field: 'last-event-id' }] },
  verifyRequests: {
    arrange: send,
    body: { operation: 'listAnnotations', count: 1 },
  },
  recordJournal: {
    arrange: send,
    body: { title: 'A recording', after: 0, keep: true, limit: 5 },
    mistakes: [
      { body: { after: 'one' }, field: 'after' },
      { body: { keeps: true }, field: 'keeps' },
      { body: { status: 'ok' }, field: 'status' },
    ],
  },
  readReport: { arrange: send },
  readReplay: { arrange: record },
  rewindReplay: { arrange: record },
  listScenarios: {},
  retrieveScenario: { params: { name: 'soft-delete-and-restore' } },
  replayScenario: {
    body: { scenario: 'soft-delete-and-restore', profile: 'live' },
    mistakes: [
      { body: { scenario: 'soft-delete' }, field: 'scenario' },
      { body: { scenario: { title: 'None', steps: [{}] } }, field: 'steps[0]' },
      { body: { scenario: 'soft-delete-and-restore', profile: 'lvie' }, field: 'profile' },
      { body: {}, field: 'scenario' },
    ],
  },
  readExample: {},
  readVocabulary: {},
}

/** The path of an operation with the parameters of an example. */
export function controlPath(
  path: string,
  { params = {}, query = '' }: Pick<Example, 'params' | 'query'>,
): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '1') + query
}
