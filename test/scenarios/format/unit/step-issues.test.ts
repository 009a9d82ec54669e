import { expect, test } from 'vitest'
import { findStepIssues } from '../../../../src/scenarios/format/check-step.ts'
import { changeKinds } from '../../../../src/scenarios/format/schema.ts'

const get = (more: object = {}) => ({ method: 'GET', path: '/api/', ...more })
const post = (more: object = {}) => ({ ...get(more), method: 'POST' })
const issuesOf = (step: unknown) => findStepIssues(step, 'at')

test.each([
  [5, 'expected a request or a change, got 5'],
  [null, 'expected a request or a change, got null'],
  [[get()], 'expected a request or a change, got [{"method":"GET","path":"/api/"}]'],
  [{ clock: 'real', advance: {}, title: 'a' }, 'expected one change, got clock and advance'],
])('the step %j is none', (step, issue) => {
  expect(issuesOf(step)).toEqual([`at: ${issue}`])
})

test.each([
  [{}, '""', ''],
  [{ title: 'a', save: {}, expect: {} }, '""', ''],
  [{ title: 'a', metod: 'GET' }, '"metod"', '. Did you mean method?'],
  [{ expect: {}, restor: 'a', b: 1 }, '"restor"', '. Did you mean restore?'],
  [{ zzz: 1 }, '"zzz"', ''],
])('the kind of %j is unknown', (step, got, hint) => {
  expect(issuesOf(step)).toEqual([
    `at: expected a step with one of method, ${changeKinds.join(', ')}, got ${got}${hint}`,
  ])
})

const matcherNames = 'any, absent, id, uuid, time, text, number, boolean, list, object'
const keyword = (got: string) =>
  `expected one of $saved, $text, $match, $pattern, $not, $literal as the only field, got "${got}". Wrap a plain value in { "$literal": … }`
const notSent = (got: string) =>
  `expected a value to send, got ${got}, which only expect can contain`

test.each<[object, string[]]>([
  [get(), []],
  [get({ title: 'a', as: 'all', query: { a: 1 }, headers: { a: 'b' }, expect: {}, save: {} }), []],
  [get({ body: undefined, text: undefined }), []],
  [get({ body: null }), ['body: a GET request has no body']],
  [
    get({ text: '', base64: '' }),
    ['text: a GET request has no body', 'base64: expected text or base64, got both'],
  ],
  [get({ base64: '' }), ['base64: a GET request has no body']],
  [{ ...get({ text: '' }), method: 'OPTIONS' }, []],
  [
    { ...get({ body: 1, base64: '' }), method: 'HEAD' },
    ['body: a HEAD request has no body', 'base64: expected body or base64, got both'],
  ],
  [post({ body: 1, text: '', base64: '' }), ['text: expected body or text, got both']],
  [post({ as: 'all', headers: { a: 'b' } }), []],
  [post({ headers: { AUTHORIZATION: 'x' } }), []],
  [
    post({ as: '', headers: { AUTHORIZATION: 'x' } }),
    ['headers.authorization: expected as or headers.authorization, got both'],
  ],
  [get({ expect: { broken: true } }), []],
  [
    get({ expect: { broken: true, status: 0 } }),
    ['expect.status: expected broken or status, got both'],
  ],
  [
    get({ expect: { broken: false, status: 200 } }),
    ['expect.broken: expected one of true, got false'],
  ],
  [
    get({ expect: [], headers: 5 }),
    ['headers: expected object, got 5', 'expect: expected object, got []'],
  ],
  // Values that are sent.
  [
    post({ body: [{ a: { $match: 'id' } }, { $pattern: 'a' }, { $not: 1 }] }),
    [
      `body[0].a: ${notSent('$match')}`,
      `body[1]: ${notSent('$pattern')}`,
      `body[2]: ${notSent('$not')}`,
    ],
  ],
  [
    post({
      body: { a: { $saved: 'id' }, b: { $text: '{id}' }, c: { $literal: { $a: 1 } }, d: null },
    }),
    [],
  ],
  [post({ body: { $a: 1 } }), [`body: ${keyword('$a')}`]],
  [post({ body: { a: 1, $b: { $c: 1 } } }), [`body: ${keyword('$b')}`]],
  [post({ body: { a$: 1 } }), []],
  [post({ body: { a: { $saved: 5 } } }), ['body.a.$saved: expected a string, got 5']],
  // Values that are expected.
  [
    get({ expect: { body: { $not: [{ $match: 'ids' }] } } }),
    [`expect.body.$not[0].$match: expected one of ${matcherNames}, got "ids". Did you mean id?`],
  ],
  [
    get({ expect: { exact_body: { $match: 'toString' } } }),
    [`expect.exact_body.$match: expected one of ${matcherNames}, got "toString"`],
  ],
  [
    get({ expect: { headers: { a: { $text: null }, b: { $pattern: 'a' } } } }),
    ['expect.headers.a.$text: expected a string, got null'],
  ],
  [
    get({ expect: { body: { $pattern: '(' } } }),
    ['expect.body.$pattern: expected a regular expression, got "("'],
  ],
  [get({ expect: { body: { $text: '(' } } }), []],
  [get({ expect: { body: { $literal: { $match: 'ids' } } } }), []],
])('the request %j has the issues %j', (step, issues) => {
  expect(issuesOf(step)).toEqual(issues.map((issue) => `at.${issue}`))
})

const saved = { $saved: 'id' }

test.each<[object, unknown[]]>([
  [{ title: 'a', reset: true }, []],
  [{ title: 5, reset: true }, ['at.title: expected string, got 5']],
  [{ rows: {}, save: { id: '/keys/0' } }, []],
  [{ reset: true, save: {} }, ['at: unknown field "save". Allowed: title, reset']],
  [{ reset: true, titel: 'a' }, ['at: unknown field "titel". Did you mean "title"?']],
  // A value that another step saves is only known when the step runs.
  [
    { delete: { annotations: [saved, 'a'] } },
    [expect.stringMatching(/^at\.delete\.annotations\[1\]: /)],
  ],
  [
    { update: { annotations: [{ id: saved, content: 5 }] } },
    ['at.update.annotations[0].content: expected string, got 5'],
  ],
  [{ remove: { $text: 'fault-{n}' } }, []],
  [{ clock: saved }, []],
  [
    { remove: { $match: 'text' } },
    [`at.remove: ${notSent('$match')}`, expect.stringMatching(/^at\.remove: expected /)],
  ],
  // The rows of a world are plain.
  [
    { world: { annotations: [saved] } },
    [
      expect.stringMatching(/^at\.world\.annotations\[0\]: unknown field "\$saved"/),
      expect.stringMatching(/^at\.world\.annotations\[0\]/),
    ],
  ],
  [
    { world: { projects: { $match: 'list' } } },
    [expect.stringMatching(/^at\.world\.projects: expected array/)],
  ],
  [{ world: {} }, []],
  // What only applies with some policies is checked when the step runs.
  [
    { clock: 'noon' },
    ['at.clock.time: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "noon"'],
  ],
  [{ advance: { days: -1 } }, []],
  [{ advance: { days: 'a' } }, [expect.stringMatching(/^at\.advance\.days: expected /)]],
  [{ advance: 5 }, [expect.stringMatching(/^at\.advance: expected /)]],
  [
    { fault: { preset: 'flaki' } },
    [expect.stringMatching(/^at\.fault\.preset: expected one of the presets .*, got "flaki"/)],
  ],
  [{ fault: 5 }, ['at.fault: expected a rule or a preset as { preset: name }, got 5']],
  [{ actor: { after: {}, steps: [] } }, [expect.stringMatching(/^at\.actor\.steps: expected /)]],
  [
    { profile: 'lve' },
    ['at.profile: expected one of "documented", "live", got "lve". Did you mean "live"?'],
  ],
  [
    { policies: { 'methods.put': 'maybe' } },
    ['at.policies.methods.put: expected one of off, on, got "maybe"'],
  ],
  [{ policies: { 'methods.put': 'on' } }, []],
  [{ snapshot: 5 }, ['at.snapshot: expected string, got 5']],
  [{ reset: [] }, []],
])('the change %j has the issues %j', (step, issues) => {
  expect(issuesOf(step)).toEqual(issues)
})
