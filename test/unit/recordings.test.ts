import { expect, test } from 'vitest'
import type { RequestStep } from '../../src/index.ts'
import { type RecorderOptions, type Recording, recordingOf } from '../../src/index.ts'
import { faultsOfScenario } from '../../src/scenarios/check.ts'
import { example, exchange, type Told } from '../support/exchange.ts'

function recorded(told: readonly Told[], options: RecorderOptions = {}): Recording {
  const recording = recordingOf(told.map(exchange), options)
  expect(faultsOfScenario(recording.scenario)).toEqual([])
  return recording
}

function steps(told: readonly Told[], options: RecorderOptions = {}): readonly RequestStep[] {
  return recorded(told, options).scenario.steps as RequestStep[]
}

test('a request becomes a step that asks the same and expects the whole answer', () => {
  const { scenario, warnings } = recorded(
    [
      {
        method: 'POST',
        url: '/api/projects/1/annotations/?a={x}&limit=2',
        bearer: 'phx_mine_0123456',
        sent: { content: 'Launch', $odd: 1 },
        status: 201,
        heard: { content: 'Launch', deleted: false },
        headers: {
          'x-shop': '{blue}',
          'user-agent': 'curl',
          accept: '*/*',
          host: 'api.example.com',
        },
      },
    ],
    { keys: { writer: 'phx_mine_0123456' } },
  )

  expect({ scenario, warnings }).toEqual({
    scenario: {
      $schema: 'https://unpkg.com/understudy-api/scenarios/scenario.schema.json',
      format_version: 1,
      title: 'Recorded',
      steps: [
        {
          as: 'writer',
          method: 'POST',
          path: '/api/projects/1/annotations/',
          query: { a: '{{x}}', limit: 2 },
          headers: { 'x-shop': '{{blue}}' },
          body: { $literal: { content: 'Launch', $odd: 1 } },
          expect: { status: 201, exact_body: { content: 'Launch', deleted: false } },
        },
      ],
    },
    warnings: [],
  })
})

test('an id that came from an answer is saved where a later request uses it', () => {
  const row = { id: 12, project_id: 1, content: 'Launch' }
  const asked = steps([
    { heard: { results: [{ ...row, id: 11 }, row] } },
    { url: '/api/projects/1/annotations/12/', heard: row },
    { url: '/api/projects/1/annotations/13/', heard: { ...row, id: 13 } },
  ])

  expect(asked).toEqual([
    {
      method: 'GET',
      path: '/api/projects/1/annotations/',
      expect: {
        status: 200,
        exact_body: {
          results: [
            { id: { $match: 'id' }, project_id: 1, content: 'Launch' },
            { id: { $match: 'id' }, project_id: 1, content: 'Launch' },
          ],
        },
      },
      save: { annotation_id: '/results/1/id' },
    },
    {
      method: 'GET',
      path: '/api/projects/1/annotations/{annotation_id}/',
      expect: {
        status: 200,
        exact_body: { id: { $saved: 'annotation_id' }, project_id: 1, content: 'Launch' },
      },
    },
    {
      method: 'GET',
      path: '/api/projects/1/annotations/13/',
      expect: { status: 200, exact_body: { id: 13, project_id: 1, content: 'Launch' } },
    },
  ])
})

test('a link that is followed is saved, and one that is not is told by the base URL', () => {
  const next = `${example}/api/projects/1/annotations/?limit=1&offset=1`
  const [first, second] = steps([
    { url: '/api/projects/1/annotations/?limit=1', heard: { next } },
    { url: '/api/projects/1/annotations/?limit=1&offset=1', heard: { previous: next } },
  ])

  expect(first?.save).toEqual({ next: '/next' })
  expect(first?.expect?.exact_body).toEqual({
    next: { $text: '{base_url}/api/projects/1/annotations/?limit=1&offset=1' },
  })
  expect(second?.path).toBe('{next}')
  expect(second?.expect?.exact_body).toEqual({ previous: { $saved: 'next' } })
})

test('times and UUIDs of answers are matched, unless a request brought them', () => {
  const uuid = '0190c2a5-0000-7000-8000-000000000001'
  const [step] = steps([
    {
      method: 'POST',
      url: '/api/organizations/0190c2a5-0000-7000-8000-00000000000a/plugins/',
      sent: { date_marker: '2024-06-20T09:00:00+02:00' },
      heard: {
        date_marker: '2024-06-20T07:00:00Z',
        created_at: '2024-06-15T12:00:00Z',
        organization: '0190c2a5-0000-7000-8000-00000000000A',
        uuid,
      },
    },
  ])

  expect(step?.expect?.exact_body).toEqual({
    date_marker: '2024-06-20T07:00:00Z',
    created_at: { $match: 'time' },
    organization: '0190c2a5-0000-7000-8000-00000000000A',
    uuid: { $match: 'uuid' },
  })
})

test('the same person is always replaced by the same words', () => {
  const asked = steps([
    {
      method: 'POST',
      sent: { content: 'Ask ada@corp.test or Bob@corp.test' },
      heard: { content: 'Ask ada@corp.test or Bob@corp.test', created_by: { first_name: 'Ada' } },
    },
    {
      url: '/api/projects/1/annotations/?search=ADA%40corp.test',
      heard: { owner: 'cleo@corp.test', note: 'By cleo@corp.test (1.0)', name: 'Ada' },
    },
    { url: '/api/projects/1/annotations/?search=cleo%40corp.test', heard: {} },
  ])

  expect(
    asked.map(({ query, body, expect: { exact_body } = {} }) => [query, body, exact_body]),
  ).toEqual([
    [
      undefined,
      { content: 'Ask replaced-email-1@example.com or replaced-email-2@example.com' },
      {
        content: 'Ask replaced-email-1@example.com or replaced-email-2@example.com',
        created_by: { first_name: { $match: 'text' } },
      },
    ],
    [
      { search: 'replaced-email-1@example.com' },
      undefined,
      // Whoever replays it may have other people. Only a field that says so holds the name of one.
      { owner: { $match: 'text' }, note: { $pattern: '^By .+ \\(1\\.0\\)$' }, name: 'Ada' },
    ],
    [{ search: '{owner}' }, undefined, {}],
  ])
})

test('keys and other secrets are found wherever they stand', () => {
  const { scenario, warnings } = recorded([
    { bearer: 'phx_unnamed_0123', heard: { token: 'canary-token', note: 'phx_unnamed_0123' } },
    { bearer: 'phx_wrong_012345', status: 401, heard: { detail: 'phx_wrong_012345 is no key' } },
    {
      url: '/api/projects/canary-token/?key=phx_unnamed_0123&personal_api_key=phx_other_01234',
      heard: { phx_0123456789abcdefgh: ['phx_0123456789abcdefgh'] },
      headers: { 'x-trace': 'of phx_unnamed_0123', cookie: 'session=canary-session' },
    },
  ])

  const text = JSON.stringify(scenario)
  expect(text).not.toMatch(/phx_|canary/)
  expect(scenario.steps).toMatchObject([
    { as: 'key-1', expect: { exact_body: { token: { $match: 'text' } } } },
    { headers: { authorization: 'Bearer replaced-key-2' }, expect: { status: 401 } },
    { as: 'key-2', path: '/api/projects/{token}/', query: { key: 'replaced-key-1' } },
  ])
  expect(warnings).toEqual([
    'steps[0] has a key that is not known: replay it with --key key-1=VALUE.',
    'steps[2] has a key that is not known: replay it with --key key-2=VALUE.',
  ])
})

test('all stays as it is when it shall be kept, but keys go by their labels', () => {
  const [step] = steps(
    [{ bearer: 'phx_unnamed_0123', heard: { first_name: 'Ada', email: 'ada@corp.test' } }],
    { keep: true },
  )

  expect(step).toEqual({
    as: 'key-1',
    method: 'GET',
    path: '/api/projects/1/annotations/',
    expect: { status: 200, exact_body: { first_name: 'Ada', email: 'ada@corp.test' } },
  })
})

test('what no step can say is told', () => {
  const binary = {
    ...exchange({ method: 'POST' }),
    answer: { status: 200, headers: [], body: { base64: 'iVBORw==' } },
  }
  const large = {
    ...exchange({ method: 'POST' }),
    answer: { status: 200, headers: [], body: { omitted: 9_000_000 } },
  }
  const upload = {
    ...exchange({ method: 'POST' }),
    request: { headers: [], body: { base64: 'iVBORw==' } },
  }

  const { scenario, warnings } = recordingOf(
    [binary, large, upload, exchange({ method: 'TRACE' })],
    { baseUrl: example },
  )

  expect(faultsOfScenario(scenario)).toEqual([])
  expect(scenario.steps).toHaveLength(3)
  expect(warnings).toEqual([
    "steps[0] leaves out its answer's body of 4 bytes, which is no text.",
    "steps[1] leaves out its answer's body of 9000000 bytes, which was not kept.",
    'steps[2] leaves out its body of 4 bytes, which is no text.',
    `A request is left out: expected a request below ${example} that scenarios know, got TRACE ${example}/api/projects/1/annotations/.`,
  ])
})

test('a connection that broke is expected to break', () => {
  expect(steps([{ status: 0 }])[0]?.expect).toEqual({ broken: true })
})

test('bodies of other kinds are sent and expected sign by sign', () => {
  const form: readonly [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']]
  const { scenario } = recordingOf([
    {
      ...exchange({ method: 'POST' }),
      request: { headers: form, body: { text: 'content=A+b&email=ada%40corp.test' } },
      answer: { status: 404, headers: [['content-type', 'text/html']], body: { text: '<p>{no}' } },
    },
  ])

  expect(scenario.steps).toEqual([
    {
      method: 'POST',
      path: '/api/projects/1/annotations/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: 'content=A+b&email=replaced-email-1%40example.com',
      expect: { status: 404, headers: { 'content-type': 'text/html' }, text: '<p>{no}' },
    },
  ])
})

test('an id that came from an answer is saved for forms and texts, too', () => {
  const uuid = '0190c2a5-0000-7000-8000-000000000001'
  const sent = (type: string, text: string) => ({
    ...exchange({ method: 'POST' }),
    request: { headers: [['content-type', type]] as const, body: { text } },
  })
  const told = [
    exchange({ heard: { results: [{ id: 12, uuid }] } }),
    sent('application/x-www-form-urlencoded', `annotation_id=12&note={x}+12&uuid=${uuid}`),
    sent('text/plain', `After ${uuid.toUpperCase()}, in {x}`),
    sent('text/plain', 'In {x}, 12'),
  ]

  const { scenario } = recordingOf(told)

  expect(faultsOfScenario(scenario)).toEqual([])
  expect(scenario.steps[0]).toMatchObject({
    save: { annotation_id: '/results/0/id', annotation_id_2: '/results/0/uuid' },
  })
  expect((scenario.steps.slice(1) as RequestStep[]).map(({ text }) => text)).toEqual([
    { $text: 'annotation_id={annotation_id}&note={{x}}+12&uuid={annotation_id_2}' },
    { $text: 'After {annotation_id_2}, in {{x}}' },
    'In {x}, 12',
  ])
})

test('nothing is no scenario', () => {
  expect(() => recordingOf([])).toThrow(
    'Failed to record: expected at least one request, got none.',
  )
})
