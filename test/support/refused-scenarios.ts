const get = (more: object = {}) => ({ method: 'GET', path: '/api/', ...more })
const post = (more: object = {}) => ({ ...get(more), method: 'POST' })
const at = (path: string, more: object = {}) => get({ path, ...more })
const saves = (path: string, name: string) => at(path, { save: { [name]: '/a' } })
const saved = { $saved: 'gone' }
const story = (...steps: unknown[]): object => ({ title: 'A', steps })

/** A body of so many levels that its scenario has one more than the limit. */
const tooDeep: unknown = JSON.parse(`${'['.repeat(898)}${']'.repeat(898)}`)

/** Heads of a scenario. */
const heads: readonly object[] = [
  { title: 5, steps: [] },
  { name: 'A', steps: 5 },
  { format_version: 2, chapters: [] },
  { format_version: 0 },
  { format_version: '2' },
  { world: null },
  { world: [] },
  { world: 5 },
  { world: { project: [] } },
  { world: { annotations: [{ id: 1, project: 1, scope: 'team' }] } },
  { clock: 'noon' },
  { clock: { mode: 'ticking', time: 'noon' } },
  { clock: 5 },
  { seed: 1.5 },
  { profile: 5, settings: { 'methods.put': 'on' } },
  { profile: 'lvie' },
  { settings: 5 },
  { settings: { 'methods.put': [] } },
  { settings: { 'annotations.delete': '405' } },
  { profile: 'other', settings: { 'methods.put': 'maybe' } },
  // An issue of the schema hides none of the other checks.
  {
    title: 5,
    clock: 'noon',
    settings: { 'limits.boddy': 5 },
    world: { next_ids: { plugins: 0 } },
    steps: [
      at('/a', { save: { id: '/id', 'bad name': '/id' } }),
      at('/{id}/{other}', { headers: { 'bad header': 'x' }, expect: { body: { $match: 'uid' } } }),
      at('/{missing}/'),
      { rest: true },
    ],
  },
]

/** Steps of one scenario each. */
const steps: readonly unknown[] = [
  5,
  null,
  [get()],
  {},
  { title: 'a', save: {}, expect: {} },
  { title: 'a', metod: 'GET' },
  { expect: {}, restor: 'a', b: 1 },
  { zzz: 1 },
  // Requests
  at('api'),
  get({ method: 'FETCH' }),
  get({ headers: { 'a b': 'c' } }),
  get({ expect: [], headers: 5 }),
  get({ body: null }),
  get({ text: '' }),
  get({ method: 'HEAD', body: 1 }),
  get({ expects: {} }),
  get({ as: 5 }),
  get({ as: 'al' }),
  get({ save: { id: 'id' } }),
  get({ expect: { status: 99 } }),
  get({ expect: { broken: true, status: 0 } }),
  get({ expect: { broken: false, status: 200 } }),
  post({ expect: { text: 5 } }),
  post({ body: 1, text: '' }),
  post({ text: { $match: 'text' } }),
  post({ as: '', headers: { AUTHORIZATION: 'x' } }),
  // Values that are sent
  post({ body: [{ a: { $match: 'id' } }, { $match: 'text' }, { $not: 1 }] }),
  post({ body: { a: 1, $b: { $c: 1 } } }),
  post({ body: { a: { $saved: 5 } } }),
  post({ body: tooDeep }),
  // Values that are expected
  get({ expect: { body: { $matches: 'id' } } }),
  get({ expect: { body: { $match: 'id', or: 'uuid' } } }),
  get({ expect: { body: { $not: [{ $match: 'ids' }] } } }),
  get({ expect: { body: { id: { $match: 5 } } } }),
  get({ expect: { body: { $text: 5 } } }),
  get({ expect: { exact_body: { $match: 'toString' } } }),
  get({ expect: { headers: { a: { $text: null }, b: { $match: 'word' } } } }),
  // Values that no step saves, wherever they are
  at('/{gone}'),
  at('/{base_url}/{id}/{id}'),
  at('/{bas_url}'),
  get({ query: { search: '{gone}' } }),
  get({ headers: { 'x-id': '{gone}' } }),
  post({ body: { a: [saved] } }),
  post({ text: { $text: '{gone}' } }),
  get({ expect: { body: saved } }),
  get({ expect: { headers: { location: { $text: '{gone}' } } } }),
  { rows: { annotations: [{ content: { $text: '{gone}' } }] } },
  { delete: { annotations: [saved] } },
  at('/{id}', { save: { id: '/id' } }),
  // Changes
  { clock: 'real', advance: {}, title: 'a' },
  { title: 5, reset: true },
  { reset: true, save: {} },
  { reset: true, titel: 'a' },
  { reset: false },
  { reset: ['rows', 'fault'] },
  { restore: 'before' },
  { snapshot: 5 },
  { clock: 'noon' },
  { clock: { $match: 'time' } },
  { advance: 5 },
  { advance: { weeks: 1 } },
  { advance: { days: 'a' } },
  { profile: 'lve' },
  { settings: { 'limits.body': 0 } },
  { fault: 5 },
  { fault: { preset: 'flaki' } },
  { fault: { effect: { eror: 'throttled' } } },
  { remove: 'rule-1' },
  { remove: { $match: 'text' } },
  { clear: 'rows' },
  { revoke: 5 },
  { rows: { annotations: [{ scope: 5 }] } },
  { rows: { annotations: [{ content: { $match: 'text' } }] } },
  { update: { annotations: [{ content: 'New text' }] } },
  { update: { keys: [] } },
  { delete: { annotations: [1, 'two'] } },
  { world: { projects: [{ id: 1, organization: 'none' }] } },
  { world: { projects: { $match: 'list' } } },
]

/** Steps that only together are an issue. */
const sequences: readonly (readonly object[])[] = [
  [get({ save: { first: '/id' } }), at('/{fist}')],
  [at('/{id}'), get({ save: { id: '/id' } })],
  [saves('/{b}', 'a'), saves('/{a}', 'b')],
  // A circle of three, and a step beside it that only waits for one of them
  [saves('/{b}', 'a'), saves('/{c}', 'b'), saves('/{a}', 'c')],
  [at('/{a}'), saves('/{b}', 'a'), saves('/{c}', 'b'), saves('/{b}', 'c')],
  [saves('/{b}', 'a'), saves('/{z}', 'b')],
  [at('x', { save: 5 }), at('/{id}')],
  [{ restore: 'a' }, { snapshot: 'a' }],
  // An invalid step saves its values and its snapshot, too.
  [{ snapshot: 'a', b: 1 }, { restore: 'a' }],
  [{ snapshot: 5 }, { restore: '5' }],
  // A key is known from the step that adds it on, by its label if it has one.
  [get({ as: 'new' }), { rows: { keys: [{ user: 1, scopes: ['*'], label: 'new' }] } }],
  [{ rows: { keys: [{ user: 1, value: 'phx_1', label: 'new' }] } }, get({ as: 'phx_1' })],
]

/** Scenarios that are refused before they run, by any command or call that takes one. */
export const refusedScenarios: readonly unknown[] = [
  null,
  5,
  [],
  ...heads.map((head) => ({ ...story(get()), ...head })),
  ...steps.map((step) => story(step)),
  ...sequences.map((sequence) => story(...sequence)),
]
