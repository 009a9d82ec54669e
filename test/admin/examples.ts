import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { operations as allOperations, type Operations } from '../../src/admin/operations.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'

/** A successful request to an operation of the admin API, and requests that it refuses. */
export interface Example {
  /** Prepares the simulator. */
  readonly arrange?: (simulator: Simulator) => unknown
  /** Values for the parameters of the path */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Invalid requests, with the field that the response names */
  readonly mistakes?: readonly Mistake[]
}

export interface Mistake {
  readonly body?: unknown
  readonly query?: string
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly field: string | null
  /** Where its first issue is */
  readonly path?: readonly (string | number)[]
}

const rule = { operation: 'listAnnotations', effect: { error: 'server_error' } } as const
const manyDeleted = { effect: { edit: [{ delete: { annotations: Array(50_000).fill(1) } }] } }
/** The last item has an issue that would be listed first. */
const hundredWrong = { effect: { edit: [...Array(100).fill(5), { nonsense: 1 }] } }

const open = ({ sandboxes }: Simulator) => sandboxes.create({ ttl_s: 60 })
const send = (simulator: Simulator) =>
  simulator.fetch('/api/projects/1/annotations/', {
    headers: { authorization: `Bearer ${simulator.defaults.key}` },
  })

const recording = {
  title: 'A list that failed',
  world: 'odd',
  steps: [{ as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }],
  test: {
    faults: [{ operation: 'listAnnotations', when: { times: 1 }, effect: { status: 503 } }],
    expect: [
      {
        failure: 'List annotations: failed with 503',
        received: { operation: 'listAnnotations', status: '2xx', at_least: 1 },
      },
    ],
  },
}

/** An example for each operation of the admin API: no operation without one. */
export const examples: Readonly<Record<keyof Operations, Example>> = {
  'GET /health': {},
  'GET /world': {},
  'PUT /world': {
    body: defaultWorld,
    mistakes: [
      { body: { annotations: [{ id: 'one' }] }, field: 'annotations[0].id' },
      { body: { format_version: 2 }, field: 'format_version' },
      { body: { plugin: [] }, field: 'plugin' },
    ],
  },
  'PATCH /world': {
    body: { annotations: [{ content: 'Launch' }], keys: [{ scopes: ['annotation:read'] }] },
    mistakes: [{ body: { update: { annotations: [{ id: 77 }] } }, field: null }],
  },
  'GET /world/:list': {
    params: { list: 'annotations' },
    query: '?search=release&deleted=false&limit=2',
    mistakes: [
      { query: '?limit=0', field: 'limit' },
      { query: '?words=release', field: 'words' },
      { params: { list: 'plugins' }, query: '?scope=project', field: 'scope' },
    ],
  },
  'GET /world/:list/:id': { params: { list: 'annotations', id: '1' } },
  'PATCH /world/:list/:id': { params: { list: 'annotations', id: '1' }, body: { deleted: true } },
  'DELETE /world/:list/:id': {
    params: { list: 'annotations', id: '1' },
    mistakes: [{ params: { list: 'projects', id: '1' }, field: 'id' }],
  },
  'POST /reset': {
    body: { only: ['rows', 'faults'] },
    mistakes: [{ body: { only: ['fault'] }, field: 'only[0]' }],
  },
  'GET /sandboxes': { arrange: open },
  'POST /sandboxes': {
    body: { from: 'odd', ttl_s: 60, profile: 'live', keys: [{ label: 'all', value: 'phx_mine' }] },
    mistakes: [
      { body: { from: 'old' }, field: 'from' },
      { body: { settings: { 'keys.places': 'no' } }, field: 'settings.keys.places' },
      {
        body: { keys: [{ label: 'zz', value: 'phx_mine' }] },
        field: 'keys[0].label',
        path: ['keys', 0, 'label'],
      },
    ],
  },
  'DELETE /sandboxes/:id': { arrange: open, params: { id: 'sandbox-1' } },
  'GET /clock': {},
  'PUT /clock': { body: { mode: 'frozen', now: '2024-06-01T00:00:00Z' } },
  'GET /keys': {},
  'POST /keys': { body: { label: 'reader', scopes: ['annotation:read'] } },
  'DELETE /keys/:value': { params: { value: 'phx_all' } },
  'GET /settings': {},
  'PATCH /settings': { body: { 'annotations.delete.status': '403', 'limits.body': 4096 } },
  'GET /faults': { arrange: ({ faults }) => faults.add(rule) },
  'POST /faults': {
    body: rule,
    mistakes: [
      { body: hundredWrong, field: 'effect.edit[0]' },
      { body: manyDeleted, field: 'effect.edit' },
    ],
  },
  'DELETE /faults': { arrange: ({ faults }) => faults.add(rule) },
  'DELETE /faults/:id': { arrange: ({ faults }) => faults.add(rule), params: { id: 'fault-1' } },
  'GET /journal': {
    arrange: send,
    query: '?status=2xx&bodies=false',
    mistakes: [
      { query: '?status=9xx', field: 'status' },
      { query: '?limit=many', field: 'limit' },
      { query: '?unmatched=yes', field: 'unmatched' },
    ],
  },
  'DELETE /journal': { arrange: send },
  'GET /journal/:id': { arrange: send, params: { id: '1' } },
  'GET /journal/:id/reasons': { arrange: send, params: { id: '1' } },
  'GET /journal/har': { arrange: send, mistakes: [{ query: '?limit=x', field: 'limit' }] },
  'GET /journal/mistakes': { arrange: send },
  'GET /journal/events': {
    arrange: send,
    query: '?bodies=false',
    headers: { 'last-event-id': '0' },
    mistakes: [
      { headers: { 'last-event-id': 'x' }, field: 'last-event-id' },
      { query: '?bodies=few', field: 'bodies' },
    ],
  },
  'POST /verify': {
    arrange: send,
    body: { operation: 'listAnnotations', query: { search: 'spring' }, count: 0 },
  },
  'POST /record': {
    arrange: send,
    body: { title: 'A recording', entries: [1] },
    mistakes: [
      { body: { entries: ['one'] }, field: 'entries[0]' },
      { body: { keeps: true }, field: 'keeps' },
    ],
  },
  'GET /report': { arrange: send },
  'GET /scenarios': {},
  'GET /scenarios/:name': { params: { name: 'soft-delete-and-restore' } },
  'POST /runs': {
    body: { scenario: 'soft-delete-and-restore', profile: 'live' },
    mistakes: [
      { body: { scenario: 'soft-delete' }, field: 'scenario' },
      { body: { scenario: { title: 'None', steps: [{}] } }, field: 'steps[0]' },
      { body: { scenario: 'soft-delete-and-restore', profile: 'lvie' }, field: 'profile' },
      { body: { scenario: 'soft-delete-and-restore', world: 'fulll' }, field: 'world' },
      { body: {}, field: 'scenario' },
    ],
  },
  'PUT /recording': {
    body: { scenario: recording, phase: 'recorded' },
    mistakes: [
      { body: { scenario: 'response-lost' }, field: 'scenario' },
      { body: { scenario: { title: 'None', steps: [{}] } }, field: 'steps[0]' },
      { body: { scenario: 'soft-delete-and-restore', phase: 'after' }, field: 'phase' },
    ],
  },
  'POST /recording/verify': {
    arrange: send,
    body: { scenario: recording },
    mistakes: [{ body: {}, field: 'scenario' }],
  },
}

/** Each operation with its example. */
export const operations = Object.entries(allOperations).map(([line, { body, query }]) => {
  const [method = '', path = ''] = line.split(' ')
  const example = examples[line as keyof Operations]
  return { line, method, path, hasBody: body !== null, hasQuery: query !== null, example }
})

/** The path of an operation with the parameters of an example. */
export function adminPath(
  path: string,
  { params = {}, query = '' }: Pick<Example, 'params' | 'query'>,
): string {
  return `/__admin${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '1')}${query}`
}
