import { expect, test } from 'vitest'
import { type RequestStep, recordingOf } from '../../../../src/index.ts'
import { findScenarioIssues } from '../../../../src/scenarios/format/check-scenario.ts'
import { createExchange, exampleOrigin } from '../../../support/scenarios/exchanges.ts'

test('a warning reports a body that no step can contain', () => {
  const large = {
    ...createExchange({ method: 'POST' }),
    response: { status: 200, headers: [], body: { omitted: 9_000_000 } },
  }

  const personal = {
    ...createExchange({}),
    response: { status: 200, headers: [], body: { text: 'Of ada@corp.test' } },
  }

  const { scenario, warnings } = recordingOf(
    [large, personal, createExchange({ status: 799 }), createExchange({ method: 'TRACE' })],
    { baseUrl: exampleOrigin },
  )

  expect(findScenarioIssues(scenario)).toEqual([])
  expect((scenario.steps as RequestStep[]).map((step) => step.expect)).toEqual([
    { status: 200 },
    { status: 200 },
    { text: '' },
  ])
  expect(warnings).toEqual([
    'steps[0] leaves out the response body of 9000000 bytes, which was not recorded.',
    'steps[1] leaves out the text of the response, as it contains personal data.',
    'steps[2] leaves out the status 799, which is not valid.',
    `The recording leaves out TRACE ${exampleOrigin}/api/projects/1/annotations/ (scenarios do not support this method).`,
  ])
})

test('binary bodies are sent and compared as base64', () => {
  const bytes = { headers: [], body: { base64: 'iVBORw==' } }

  const { scenario, warnings } = recordingOf([
    { ...createExchange({ method: 'POST' }), request: bytes, response: { status: 200, ...bytes } },
  ])

  expect(findScenarioIssues(scenario)).toEqual([])
  expect(warnings).toEqual([])
  expect(scenario.steps).toMatchObject([
    { method: 'POST', base64: 'iVBORw==', expect: { status: 200, base64: 'iVBORw==' } },
  ])
})

test('the fields of a step are in the order request, response for all kinds of bodies', () => {
  const type = [['content-type', 'image/png']] as const
  const bytes = { headers: type, body: { base64: 'iVBORw==' } }
  const text = { headers: type, body: { text: 'A picture' } }
  const url = `${exampleOrigin}/api/projects/1/annotations/?search=launch`

  const { scenario } = recordingOf(
    [bytes, text].map((message) => ({
      ...createExchange({ method: 'POST' }),
      url,
      key: 'all',
      request: message,
      response: { status: 201, ...message },
    })),
  )

  const orders = (scenario.steps as RequestStep[]).map((step) => [
    Object.keys(step),
    Object.keys(step.expect ?? {}),
  ])
  expect(orders).toEqual(
    ['base64', 'text'].map((body) => [
      ['title', 'as', 'method', 'path', 'query', 'headers', body, 'expect'],
      ['status', 'headers', body],
    ]),
  )
})

test('text bodies are sent and compared byte for byte', () => {
  const form: readonly [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']]
  const { scenario } = recordingOf([
    {
      ...createExchange({ method: 'POST' }),
      request: { headers: form, body: { text: 'content=A+b&email=ada%40corp.test' } },
      response: {
        status: 404,
        headers: [['content-type', 'text/html']],
        body: { text: '<p>{no}' },
      },
    },
  ])

  expect(scenario.steps).toEqual([
    {
      title: 'Create annotation: not found',
      method: 'POST',
      path: '/api/projects/1/annotations/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: 'content=A+b&email=replaced-email-1%40example.com',
      expect: { status: 404, headers: { 'content-type': 'text/html' }, text: '<p>{no}' },
    },
  ])
})

test('fields of a response that begin with $ are recorded as literals, escaped or not', () => {
  const exchanges = ['{"a":{"$saved":"id"}}', '{"a":{"\\u0024saved":"id"}}'].map((text) => ({
    ...createExchange({}),
    response: { status: 200, headers: [], body: { text } },
  }))

  const { scenario } = recordingOf(exchanges)

  expect(findScenarioIssues(scenario)).toEqual([])
  expect(scenario.steps).toMatchObject([
    { expect: { exact_body: { a: { $literal: { $saved: 'id' } } } } },
    { expect: { exact_body: { a: { $literal: { $saved: 'id' } } } } },
  ])
})

test('an id of a response is saved for later forms and texts', () => {
  const uuid = '0190c2a5-0000-7000-8000-000000000001'
  const sent = (type: string, text: string) => ({
    ...createExchange({ method: 'POST' }),
    request: { headers: [['content-type', type]] as const, body: { text } },
  })
  const exchanges = [
    createExchange({ received: { results: [{ id: 12, uuid }] } }),
    sent('application/x-www-form-urlencoded', `annotation_id=12&note={x}+12&uuid=${uuid}`),
    sent('text/plain', `After ${uuid.toUpperCase()}, in {x}`),
    sent('text/plain', 'In {x}, 12'),
  ]

  const { scenario } = recordingOf(exchanges)

  expect(findScenarioIssues(scenario)).toEqual([])
  expect(scenario.steps[0]).toMatchObject({
    save: { annotation_id: '/results/0/id', annotation_id_2: '/results/0/uuid' },
  })
  expect((scenario.steps.slice(1) as RequestStep[]).map(({ text }) => text)).toEqual([
    { $text: 'annotation_id={annotation_id}&note={{x}}+12&uuid={annotation_id_2}' },
    { $text: 'After {annotation_id_2}, in {{x}}' },
    'In {x}, 12',
  ])
})

test('bytes that contain a key are left out', () => {
  const base64 = btoa('\u0000 phx_0123456789abcdefghijklmnop')
  const exchange = createExchange({ method: 'POST', bearer: 'phx_0123456789abcdefghijklmnop' })
  const response = { status: 200, headers: [], body: { base64 } }

  const { scenario, warnings } = recordingOf([{ ...exchange, response }], {
    keys: { all: 'phx_0123456789abcdefghijklmnop' },
  })

  expect(JSON.stringify(scenario)).not.toContain(base64)
  expect(warnings).toEqual([
    'steps[0] leaves out the response body of 32 bytes, which was not recorded.',
  ])
})
