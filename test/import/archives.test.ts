import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { annotationBody } from '../support/api/annotation.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { scenarioIssues } from '../support/scenarios/story.ts'
import { archive, emptyPage, entry, exampleOrigin } from '../support/traffic.ts'
import { importText } from './import-text.ts'

const list = `${exampleOrigin}${annotationsPath}`
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z', scope: 'project' }
const row = annotationBody({ ...launch, id: 9 })
const postData = { mimeType: 'application/json', text: JSON.stringify(launch) }
const hidden = { ...launch, date_marker: '[redacted]' }
const create = { method: 'POST', postData }
const createOther = { ...create, postData: { ...postData, text: '{"content":"Other"}' } }
const pageOf = (...ids: readonly number[]) =>
  JSON.stringify({
    ...JSON.parse(emptyPage),
    count: ids.length,
    results: ids.map((id) => ({ ...row, id })),
  })
const shows = (body: object | string) => ({
  content: { text: typeof body === 'string' ? body : JSON.stringify(body) },
})
const later = { ...row, deleted: true, updated_at: '2024-06-21T09:00:00Z' }
const change = (deleted: boolean, second: number, shown: object = { ...row, deleted }) =>
  entry({
    entry: { startedDateTime: `2024-06-15T12:00:0${second}.000Z` },
    request: { method: 'PATCH', url: `${list}9/`, headers: announced },
    response: shows(shown),
  })
const created = { status: 201, content: { text: JSON.stringify(row) } }
const other = { ...row, id: 8, content: 'Other', date_marker: null, scope: 'dashboard_item' }
const createdOther = { status: 201, content: { text: JSON.stringify(other) } }
const aborted = { status: 0, _error: 'net::ERR_ABORTED' }
const refusal = {
  type: 'authentication_error',
  code: 'authentication_failed',
  detail: 'Personal API key found in request Authorization header is invalid.',
  attr: null,
}
const refused = { status: 401, content: { text: JSON.stringify(refusal) } }
const bearer = (key: string) => [{ name: 'authorization', value: `Bearer ${key}` }]
const header = (name: string, value: string) => ({ name, value })
const moved = { status: 308, headers: [header('location', list)] }
const jsonType = header('content-type', 'application/json')
const announced = [jsonType, header('content-length', '4372')]
const ofForm = [header('content-type', 'multipart/form-data'), header('content-length', '88')]
const gzipped = [jsonType, header('content-encoding', 'gzip')]
const emptyList = { expect: { status: 200, exact_body: JSON.parse(emptyPage) } }
const deep = '['.repeat(30_000) + ']'.repeat(30_000)

interface Row {
  readonly entries: readonly (object | string)[]
  readonly steps: readonly object[]
  /** What the command says of the archive */
  readonly says?: string
}

const archives: Readonly<Record<string, Row>> = {
  'an entry without a response is a lost response, and entries of others are left out': {
    entries: [
      ...[{ request: { method: 'GET', url: '/logo.svg' } }, 'null'],
      entry({ request: create, entry: { response: undefined } }),
      entry({ request: { url: list.replace('api', 'old') }, response: moved }),
      entry(),
    ],
    steps: [{}, { method: 'POST', body: launch, expect: { broken: true } }, emptyList],
    says: 'left out: 2 to other URLs, 1 without a request',
  },
  'http and https of one host are one service': {
    entries: [entry({ request: { url: list.replace(/s(.*)com/, '$1com:443') } }), entry(), entry()],
    steps: [emptyList, emptyList, emptyList],
    says: '1 request to http://api.example.com:443 read as to https://api.example.com.',
  },
  'a request that a service worker repeats for its page counts once, and one of its own stays': {
    entries: [
      { ...entry({ request: createOther, response: createdOther }), _serviceWorkerRef: 'worker@1' },
      { ...entry({ request: create, response: created }), _serviceWorkerRef: 'worker@1' },
      entry({ request: create, response: created }),
    ],
    steps: [{ body: { content: 'Other' } }, { body: launch, expect: { status: 201 } }],
    says: 'left out: 1 of a service worker that the page sent, too',
  },
  'a 304 shows what the cache of the page has, and that the service reads its conditions': {
    entries: [
      entry({ request: { headers: [header('if-none-match', '9')] }, response: shows(pageOf(9)) }),
      ...[{}, { text: emptyPage }].map((content) => entry({ response: { status: 304, content } })),
      entry({ response: { status: 304 } }),
    ],
    steps: [
      expect.not.objectContaining({ headers: expect.anything() }),
      { expect: { status: 200, exact_body: { count: 1 } } },
      ...[{}, emptyList, emptyList],
    ],
    says: 'Others, or requests that the scenario lacks, are assumed to have deleted 1 row.',
  },
  'a size of 0 beside no text says that no body was kept': {
    entries: [
      entry({ response: { content: { mimeType: 'application/json', size: 0 } } }),
      entry({ response: { content: { text: '', size: 0 }, headers: announced } }),
    ],
    steps: [{ expect: { status: 200 } }, { expect: { status: 200 } }],
    says: `steps[0] leaves out the response body, which was not recorded.
steps[1] leaves out the response body of 4372 bytes, which was not recorded.`,
  },
  'two exports of one recording in an archive count once, and reads in whole seconds can be equal':
    {
      entries: [
        ...[entry(), entry({ request: create, response: created })],
        ...[entry(), entry({ request: create, response: created })],
      ],
      steps: [emptyList, { body: launch, expect: { status: 201 } }],
      says: 'left out: 2 that stand twice',
    },
  'reads that are equal to the millisecond are one': {
    entries: Array(2).fill(entry({ entry: { startedDateTime: '2024-06-15T12:00:00.001Z' } })),
    steps: [emptyList],
    says: 'left out: 1 that stands twice',
  },
  'what a sanitizer wrote in the place of a key stands for it where the service failed, too': {
    entries: [
      entry({ request: { headers: [header('authorization', '[hidden]')] } }),
      entry({
        request: { headers: [header('authorization', '[hidden]')] },
        response: { status: 404, content: {} },
      }),
    ],
    steps: [{ as: 'key' }, {}, { as: 'key' }],
  },
  'an entry of a script, without a time and with parsed JSON, is read': {
    entries: [
      entry({ entry: { startedDateTime: Date.parse('2024-06-15T12:00:01Z') } }),
      entry({
        entry: { startedDateTime: undefined },
        request: { ...create, headers: { 'content-type': 'application/json', age: 7 } },
        response: { status: 201, headers: undefined, content: { text: row } },
      }),
    ],
    steps: [emptyList, { body: launch, headers: { age: '7' }, expect: { status: 201 } }],
    says: 'Read as sent right after the one before it, or in 1970, since it has no time: entry 2.',
  },
  'texts and times that a sanitizer hid in a row are no changes of others': {
    entries: [
      entry({
        request: { ...create, postData: { ...postData, text: JSON.stringify(hidden) } },
        response: {
          status: 201,
          content: { text: JSON.stringify({ ...row, content: '***', date_marker: '[redacted]' }) },
        },
      }),
    ],
    steps: [{ body: { content: 'Launch', scope: 'project' }, expect: { status: 201 } }],
    says: 'Made up, because the archive does not show it: the content of annotations, the date_marker of annotations.',
  },
  'pages of rows whose times a sanitizer hid show no change of others': {
    entries: [
      [3, 2, 8],
      [5, 4, 1],
    ].map((ids, index) => {
      const page = JSON.parse(pageOf(...ids).replaceAll(launch.date_marker, '***'))
      const url = `${list}?limit=3&offset=${3 - 3 * index}`
      const text = JSON.stringify({ ...page, count: 6 })
      return entry({ request: { url }, response: { content: { text } } })
    }),
    steps: [{ fault: {} }, { method: 'GET' }, { fault: {} }, { method: 'GET' }],
  },
  'a refused request with the mask of other keys can have had another one': {
    entries: [
      entry({ request: { headers: bearer('[REDACTED]') } }),
      entry({ request: { headers: bearer('[REDACTED]') }, response: { ...refused, status: 403 } }),
    ],
    steps: [emptyList, {}, { expect: { status: 403 } }],
    says: 'Refused, and the archive hides the key: steps[2]. Requests of several keys cannot be told apart.',
  },
  'a header that a sanitizer left empty had a key': {
    entries: [
      entry({ request: { headers: bearer('phx_mine1234567890') } }),
      entry({
        request: { headers: [header('authorization', '')] },
        response: { ...refused, status: 400 },
      }),
    ],
    steps: [emptyList, {}, { as: 'key', expect: { status: 400 } }],
  },
  'a create whose body was not recorded sends the fields of its response, in place of a form': {
    entries: [entry({ request: { method: 'POST', headers: ofForm }, response: created })],
    steps: [{ body: launch, expect: { status: 201 } }],
    says: 'Sent with the fields of the response, because the body of the request was not recorded: steps[0].',
  },
  'a deletion and its undo whose bodies were not recorded are those of the client': {
    entries: [entry({ response: shows(pageOf(9)) }), change(true, 1), change(false, 2)],
    steps: [{}, { body: { deleted: true } }, { body: { deleted: false } }],
  },
  'requests of one time, newest first, of which one shows what another changed': {
    entries: [
      entry({ request: { url: `${list}9/` }, response: shows(later) }),
      change(true, 0, later),
      entry({ response: shows(pageOf(9)) }),
    ],
    steps: [{ path: annotationsPath }, { method: 'PATCH' }, { path: `${annotationsPath}9/` }],
  },
  'a sanitizer hid the ids of authors: their other fields tell them apart': {
    entries: ['Ada', 'Eve', 'Ada'].map((first_name, at) => {
      const created_by = { ...Object(row).created_by, id: 0, first_name, email: '***' }
      return entry({
        request: { url: `${list}${at + 1}/` },
        response: shows({ ...row, id: at + 1, created_by }),
      })
    }),
    steps: [1, 2, 1].map((id) => ({ expect: { exact_body: { created_by: { id } } } })),
    says: 'Made up, because the archive does not show it: the id of users.',
  },
  'a key that a service no longer accepts was revoked': {
    entries: [
      entry({ request: { headers: bearer('phx_mine1234567890') } }),
      entry({ request: { headers: bearer('phx_mine1234567890') }, response: refused }),
    ],
    steps: [emptyList, { revoke: 'key-1' }, { as: 'key-1', expect: { status: 401 } }],
  },
  'a read that the page cancelled at once is left out, and one that it waited for was lost': {
    entries: [
      entry(),
      entry({ response: aborted, entry: { time: 40 } }),
      entry({ response: aborted, entry: { time: 30_000 } }),
    ],
    steps: [emptyList, {}, { method: 'GET', expect: { broken: true } }],
    says: 'left out: 1 canceled by the page',
  },
  'a write that the page cancelled at once is kept, since it can have an effect': {
    entries: [entry(), entry({ request: create, response: aborted, entry: { time: 40 } }), entry()],
    steps: [emptyList, {}, { method: 'POST', body: launch, expect: { broken: true } }, emptyList],
  },
  'the API can be below a path that has /api/ itself': {
    entries: [entry({ request: { url: list.replace('/api/', '/api/mock/api/') } })],
    steps: [{ ...emptyList, path: '/api/projects/1/annotations/' }],
    says: `to ${exampleOrigin}/api/mock.`,
  },
  'bodies in base64, and compressed ones, are read': {
    entries: [
      { content: { text: Buffer.from(emptyPage).toString('base64'), encoding: 'base64' } },
      {
        headers: gzipped,
        content: { text: gzipSync(emptyPage).toString('base64'), encoding: 'base64' },
      },
    ].map((response) => entry({ response })),
    steps: [emptyList, emptyList],
  },
  'a body of which the exporter kept the beginning was not recorded': {
    entries: [
      { content: { size: 4_372, text: emptyPage.slice(0, 20) } },
      { content: { size: 4_372, text: btoa(emptyPage).slice(0, 21), encoding: 'base64' } },
      { content: { size: -1, text: emptyPage.slice(0, 20) }, headers: announced },
      { content: { size: 20, text: emptyPage.slice(0, 20) }, bodySize: 4_372, headers: announced },
      {
        headers: gzipped,
        content: {
          ...{ size: 4_372, encoding: 'base64' },
          text: gzipSync(emptyPage).toString('base64').slice(0, 40),
        },
      },
    ]
      .map((response) => entry({ response }))
      .concat(
        entry({
          request: { ...create, bodySize: 88, postData: { ...postData, text: '{"content":"La' } },
          response: created,
        }),
        entry({ response: { headers: announced, content: { size: 5, text: '[1, 2' } } }),
      ),
    steps: [
      ...Array.from({ length: 5 }, () => ({ method: 'GET', expect: { status: 200 } })),
      ...[{ method: 'POST', body: launch }, { fault: { effect: { cut_bytes: 5 } } }],
      { expect: { broken: true } },
    ],
    says: 'Cut off by the exporter, and so not read: bodies of entry 1 (20 of 4,372 bytes), 2 (15 of 4,372 bytes), 3 (20 of 4,372 bytes), 4 (20 of 4,372 bytes), 5 (30 of 4,372 bytes), and 1 more.',
  },
  'a text that is no JSON, JSON that its service broke off, and a compressed size are no such beginnings':
    {
      entries: [
        { status: 502, content: { size: 4_372, mimeType: 'text/html', text: '<b>' } },
        { content: { size: 20, text: emptyPage.slice(0, 20) } },
        { headers: gzipped, content: { size: 80, compression: -30, text: emptyPage } },
      ].map((response) => entry({ response })),
      steps: [
        ...[{}, { expect: { text: '<b>' } }, {}, { expect: { text: emptyPage.slice(0, 20) } }],
        emptyList,
      ],
    },
  'rows with an equal time in another order than that of a simulator are a recorded answer': {
    entries: [entry({ response: { content: { text: pageOf(8, 9) } } })],
    steps: [
      { fault: { effect: { body: { results: [{ id: 8 }, { id: 9 }] } } } },
      { expect: { exact_body: { results: [{ id: 8 }, { id: 9 }] } } },
    ],
  },
  'a response that no rows and no settings give is given by a fault': {
    entries: [
      entry({ request: create, response: { ...created, status: 202 } }),
      entry({ response: { status: 404, content: { mimeType: 'text/html', text: '<b>' } } }),
    ],
    steps: [
      { fault: { method: 'POST', phase: 'after-commit', effect: { status: 202 } } },
      { expect: { status: 202 } },
      { fault: { method: 'GET', phase: 'after-commit', effect: { status: 404, body: '<b>' } } },
      { expect: { status: 404, text: '<b>' } },
    ],
    says: 'steps[1] replays by a fault, because a simulator answers otherwise: expected status 202, got 201.',
  },
  'methods in lower case, numbers in quotes, and absent headers are read': {
    entries: [
      entry({ request: { method: 'get', headers: [header('x y', '1'), header('x-nul', '\0')] } }),
      entry({
        entry: { time: '12.5' },
        request: { headers: null, postData: { mimeType: null, text: null } },
        response: {
          status: '200',
          headers: undefined,
          content: { mimeType: null, text: emptyPage },
        },
      }),
    ],
    steps: [emptyList, emptyList],
  },
  'hostile names, lone surrogates and 30,000 nested levels are read': {
    entries: [
      JSON.stringify(entry()).replace('"time":2', `"time":2,"__proto__":{},"_deep":${deep}`),
      entry({ request: { url: `${list}?__proto__=1&constructor=2` } }),
      entry({ response: { content: { text: '\ud800' } } }),
    ],
    steps: [
      emptyList,
      { path: expect.stringContaining('?__proto__=1&constructor=2') },
      { fault: { effect: { status: 200, body: '\ud800' } } },
      { expect: { status: 200, text: '\ud800' } },
    ],
  },
}

test.each(Object.entries(archives))(
  '%s',
  async (_, { entries, steps, says = `to ${exampleOrigin}.` }) => {
    const imported = await importText(archive(...entries))

    const { scenario } = imported
    expect(scenarioIssues(scenario)).toEqual([])
    expect(scenario.steps).toMatchObject(steps)
    expect(`${imported.says}\n${imported.warns}`).toContain(says)
  },
)

test.each([
  ['the entries alone', [entry()]],
  ['the log alone', { version: '1.2', entries: [entry()] }],
])('a file with %s is an archive', async (_, content) => {
  const { scenario } = await importText(JSON.stringify(content))

  expect(scenario.steps).toMatchObject([emptyList])
})

test('a header that no simulator sends is named in one sentence, and replays by a fault', async () => {
  const response = { ...created, headers: [jsonType, header('location', `${list}9/`)] }

  const { scenario, warns } = await importText(archive(entry({ request: create, response })))

  expect(warns).toBe(
    `steps[1] replays by a fault, because a simulator answers otherwise: expected headers.location "http://localhost${annotationsPath}9/", got nothing.`,
  )
  expect((await createSimulator().run(scenario)).passed).toBe(true)
})

test('a byte order mark is no part of a page, of JSON or of a request, and such an archive replays', async () => {
  const unavailable = { mimeType: 'text/html', text: '\ufeff<h1>Unavailable</h1>' }
  const missing = { mimeType: 'application/json', text: '\ufeff{"detail":"Not found."}' }
  const sent = { ...create, postData: { ...postData, text: `\ufeff${postData.text}` } }
  const entries = [
    entry({ response: { content: { text: `\ufeff${emptyPage}` } } }),
    entry({ response: { status: 503, content: unavailable } }),
    entry({ response: { status: 503, content: missing } }),
    entry({ request: sent, response: created }),
  ]

  const { scenario, warns } = await importText(archive(...entries))

  expect(warns).toBe('')
  expect(scenario.steps).toMatchObject([
    emptyList,
    { fault: { effect: { status: 503, body: unavailable.text } } },
    { expect: { text: unavailable.text } },
    { fault: { effect: { status: 503, body: { detail: 'Not found.' } } } },
    { expect: { exact_body: { detail: 'Not found.' } } },
    {},
  ])
  expect((await createSimulator().run(scenario)).passed).toBe(true)
})
