import { expect, test } from 'vitest'
import { recordingOf, type Step } from '../../../../src/index.ts'
import { Recorder } from '../../../../src/scenarios/recording/recorder.ts'
import { createExchange, exampleOrigin } from '../../../support/scenarios/exchanges.ts'

const list = '/api/projects/1/annotations/'
const trace = createExchange({ method: 'TRACE' })

test('a recorder returns the shown exchange, the steps to write and what they leave out', () => {
  const recorder = new Recorder()
  const page = createExchange({ bearer: 'phx_mine_01234567', received: [{ id: 12 }] })
  const row = createExchange({ url: `${list}12/`, received: { email: 'ada@corp.test' } })
  const text = { headers: [], body: { text: 'by ada@corp.test' } }

  const recorded = [page, row, { ...row, response: { status: 700, ...text } }, trace].map((each) =>
    recorder.add(each),
  )

  expect(recorded.map(({ changed, warnings }) => [changed, warnings])).toEqual([
    [[0], ['steps[0] uses an unknown key: replay the scenario with --key key-1=VALUE.']],
    [[0, 1], []],
    [
      [2],
      [
        'steps[2] leaves out the status 700, which is not valid.',
        'steps[2] leaves out the text of the response, as it contains personal data.',
      ],
    ],
    [
      [],
      [
        `The recording leaves out TRACE ${exampleOrigin}${list} (scenarios do not support this method).`,
      ],
    ],
  ])
  expect(recorded[0]?.exchange.key).toBe('key-1')
  expect(recorded[1]?.exchange.response.body).toEqual({
    text: '{"email":"replaced-email-1@example.com"}',
  })
  expect(recorder.length).toBe(3)
  expect(recorder.step(1)).toEqual({
    title: 'Retrieve annotation',
    method: 'GET',
    path: `${list}{annotation_id}/`,
    expect: { status: 200, exact_body: { email: { $match: 'text' } } },
  })
  expect(recorder.anonymizeUrl('/a?token=canary-1')).toBe('/a?token=replaced-secret-1')
})

test('an exact recording passes its steps on, and stores nothing', () => {
  const steps: Step[] = []
  const omitted: string[] = []
  const sink = {
    add: (step: Step) => void steps.push(step),
    omit: (what: string) => void omitted.push(what),
  }
  const keys = () => new Map([['phx_mine_01234567', 'mine']])
  const recorder = new Recorder({ redact: ['badge'] }, { sink, keys })
  const exchange = createExchange({
    method: 'POST',
    bearer: 'phx_mine_01234567',
    sent: { badge: 'red-0123456789-red' },
    received: { email: 'ada@corp.test' },
  })
  const large = { ...exchange, request: { headers: [], body: { omitted: 5 } } }

  const recorded = [exchange, large, trace].map((each) => recorder.add(each, exampleOrigin))
  recorder.addChange({ revoke: 'mine' })

  expect(steps).toEqual([
    {
      as: 'mine',
      method: 'POST',
      path: list,
      body: { badge: 'phx_unknown_1_____' },
      expect: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        text: '{"email":"ada@corp.test"}',
      },
    },
    { revoke: 'mine' },
  ])
  expect(omitted).toEqual([
    `POST ${exampleOrigin}${list} (its body was not recorded)`,
    `TRACE ${exampleOrigin}${list} (scenarios do not support this method)`,
  ])
  expect(recorded.map(({ changed, warnings }) => [changed, warnings])).toEqual([
    [[], []],
    [[], []],
    [[], []],
  ])
  expect(recorder.length).toBe(0)
})

test('a change of a world names the ids of earlier responses, and hides its secrets', () => {
  const recorder = new Recorder({ redact: ['badge'] })
  recorder.add(createExchange({ received: [{ id: 12, badge: 'red-77' }] }))
  recorder.addChange({ update: { annotations: [{ id: 12, content: 'of red-77' }] } })
  recorder.addChange({ delete: { annotations: [12] } })

  expect([1, 2].map((index) => recorder.step(index))).toEqual([
    {
      update: {
        annotations: [{ id: { $saved: 'annotation_id' }, content: 'of replaced-secret-1' }],
      },
    },
    { delete: { annotations: [{ $saved: 'annotation_id' }] } },
  ])
  expect(
    recorder.anonymizeWorld({
      format_version: 1,
      keys: [{ value: 'phx_a', user: 1, scopes: null }],
      annotations: [{ id: 1, content: 'of red-77' }] as never,
    }),
  ).toEqual({
    format_version: 1,
    keys: [{ value: 'key-1-of-a-world', label: 'key-1-of-a-world', user: 1, scopes: null }],
    annotations: [{ id: 1, content: 'of replaced-secret-1' }],
  })
})

test('the base URL is given, or the part of each address before /api', () => {
  const exchange = { ...createExchange({}), url: 'https://a.test/v1/api/x/' }
  const paths = [{}, { baseUrl: 'https://a.test' }].map(
    (options) => recordingOf([exchange], options).scenario.steps[0],
  )

  expect(paths).toMatchObject([{ path: '/api/x/' }, { path: '/v1/api/x/' }])
})

test('the head of a scenario is that of the options, and the recorder gets the others', () => {
  const pack = (step: Step) => ({ ...step, title: 'Packed' })
  const { scenario, warnings } = recordingOf([createExchange({ bearer: 'phx_mine_01234567' })], {
    title: 'A run',
    description: 'Of a client',
    world: 'default',
    seed: 3,
    profile: 'live',
    policies: { 'limits.body': 5 },
    clock: '2024-06-15T12:00:00Z',
    keys: { mine: 'phx_mine_01234567' },
    packing: { pack, unpack: (packed) => packed as Step },
  })

  expect({ scenario, warnings }).toEqual({
    scenario: {
      $schema: './node_modules/understudy-api/scenarios/scenario.schema.json',
      format_version: 1,
      title: 'A run',
      description: 'Of a client',
      world: 'default',
      seed: 3,
      profile: 'live',
      policies: { 'limits.body': 5 },
      clock: '2024-06-15T12:00:00Z',
      steps: [
        {
          title: 'Packed',
          as: 'mine',
          method: 'GET',
          path: list,
          expect: { status: 200, text: '' },
        },
      ],
    },
    warnings: [],
  })
})

test('an unknown option is refused', () => {
  expect(() => recordingOf([], { tilte: 'A run' } as never)).toThrow(
    'Failed to record: unknown option "tilte". Did you mean "title"?',
  )
})
