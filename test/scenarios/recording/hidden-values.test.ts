import { expect, test } from 'vitest'
import { type Exchange, type RequestStep, recordingOf } from '../../../src/index.ts'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { recordExchanges, recordSteps } from '../../support/scenarios/recordings.ts'
import { createExchange } from '../../support/traffic.ts'

/** The body that a step sends in place of one. */
const bodyIn = (sent: unknown) => recordSteps([{ method: 'POST', sent, received: {} }])[0]?.body

test('the same value always gets the same alias', () => {
  const content = 'Ask ada@corp.test or Bob@corp.test'
  const steps = recordSteps([
    {
      ...{ method: 'POST', sent: { content } },
      received: { content, created_by: { first_name: 'Ada' } },
    },
    {
      url: `${list}?search=ADA%40corp.test`,
      received: { owner: 'cleo@corp.test', note: 'By cleo@corp.test (1.0)', name: 'Ada' },
    },
    { url: `${list}?search=cleo%40corp.test`, received: {} },
  ])

  const hidden = { content: 'Ask replaced-email-1@example.com or replaced-email-2@example.com' }
  const owner = 'replaced-email-3@example.com'
  const shown = steps.map(({ path, body, expect: expected }) => [path, body, expected?.exact_body])
  expect(shown).toEqual([
    [list, hidden, { ...hidden, created_by: { first_name: 'replaced-name-1' } }],
    [
      `${list}?search=replaced-email-1%40example.com`,
      undefined,
      // A replay may contain other people. Only fields for names are replaced.
      { owner, note: `By ${owner} (1.0)`, name: 'Ada' },
    ],
    [`${list}?search=replaced-email-3%40example.com`, undefined, {}],
  ])
})

test('a secret that is a part of an address is no other secret', () => {
  const [step] = recordSteps([
    { method: 'POST', sent: { password: 'hunter22' }, received: { to: 'hunter22@corp.test' } },
  ])

  expect(step?.expect?.exact_body).toEqual({ to: 'replaced-email-1@example.com' })
})

test('a secret without digits is replaced elsewhere, too, in a list and within an object', () => {
  const [listed, long] = ['correct-horse-battery', 'pQrStUvWxYzAbCdEf']
  const body = bodyIn({
    config_schema: { tokens: [listed], credentials: { value: long } },
    description: `Use ${listed}, ${long} or staple-table.`,
    tag: JSON.stringify({ passwords: ['staple-table'] }),
  })

  expect(body).toEqual({
    config_schema: { tokens: ['replaced-secret-1'], credentials: { value: 'replaced-secret-2' } },
    description: 'Use replaced-secret-1, replaced-secret-2 or replaced-secret-3.',
    tag: JSON.stringify({ passwords: ['replaced-secret-3'] }),
  })
})

test('the schema of a value with a secret name changes no ordinary words elsewhere', () => {
  const value = { type: 'string', name: 'API key', default: 'canary-1', required: true }
  const body = bodyIn({
    config_schema: { apiKey: value, host: { type: 'string' } },
    description: 'The default type is a string, required is "API key" and not canary-1.',
    tag: JSON.stringify({ config: { api_key: { type: 'string', required: 'yes' } } }),
  })

  const [type, name] = ['replaced-secret-1', 'replaced-secret-2']
  expect(body).toEqual({
    config_schema: {
      apiKey: { type, name, default: 'replaced-secret-3', required: true },
      host: { type: 'string' },
    },
    description: 'The default type is a string, required is "API key" and not replaced-secret-3.',
    tag: JSON.stringify({ config: { api_key: { type, required: 'replaced-secret-4' } } }),
  })
})

test('keys and other secrets are replaced wherever they occur', () => {
  const { scenario, warnings } = recordExchanges([
    { bearer: 'phx_unnamed_0123', received: { token: 'canary-token', note: 'phx_unnamed_0123' } },
    { bearer: 'phx_wrong_012345', status: 401, received: { detail: 'phx_wrong_012345 is no key' } },
    {
      url: '/api/projects/canary-token/?key=phx_unnamed_0123&personal_api_key=phx_other_01234',
      received: { phx_0123456789abcdefgh: ['phx_0123456789abcdefgh', 'of canary-session'] },
      headers: { 'x-trace': 'of phx_unnamed_0123', cookie: 'theme=dark; session= canary-session' },
    },
    { headers: { authorization: 'Basic canary-basic-1' }, received: { a: 'canary-basic-1' } },
  ])

  expect(JSON.stringify(scenario)).not.toMatch(/phx_|canary/)
  expect(scenario.steps).toMatchObject([
    { as: 'key-1', expect: { exact_body: { token: 'replaced-secret-1' } } },
    { headers: { authorization: 'Bearer replaced-key-2' }, expect: { status: 401 } },
    {
      as: 'key-2',
      path: '/api/projects/replaced-secret-1/?key=replaced-key-1&personal_api_key=replaced-key-4',
    },
    { headers: { authorization: 'Basic replaced-secret-3' } },
  ])
  expect(warnings).toEqual([
    'steps[0] uses an unknown key: replay the scenario with --target URL --key key-1=value.',
    'steps[2] uses an unknown key: replay the scenario with --target URL --key key-2=value.',
  ])
})

test.each([
  ['in a query', { url: `${list}?personal_api_key=phx_mine`, status: 200 }, 'mine'],
  ['in a body', { method: 'POST', sent: { personal_api_key: 'phx_mine' } }, 'mine'],
  ['in a header', { bearer: 'phx_mine', status: 401 }, 'mine'],
  // A replay would send it in the header, where it may count.
  ['refused in a query', { url: `${list}?personal_api_key=phx_mine`, status: 401 }, undefined],
  ['not read, as nothing is acceptable', { bearer: 'phx_other', status: 406 }, undefined],
  ['refused, and unknown', { bearer: 'phx_other', status: 401 }, undefined],
  ['of another scheme', { headers: { authorization: 'phx_mine' } }, undefined],
])('a key %s has a label if it is known, or accepted', (_, exchange, label) => {
  const [step] = recordSteps([exchange], { keys: { mine: 'phx_mine', 'key-1': 'phx_x' } })

  expect(step?.as).toBe(label)
  expect(JSON.stringify(step)).not.toContain('phx_')
})

type Body = Exchange['request']['body']

test('a secret and a name are replaced in the steps before the one that identifies them', () => {
  const { scenario } = recordingOf(
    [
      createExchange({
        method: 'POST',
        url: `${list}?search=canary-1`,
        headers: { 'x-trace': 'of canary-1' },
        sent: { content: 'canary-1 of Ada Real', 'canary-1': [{ id: 'canary-1' }] },
        received: { content: 'canary-1 of Ada Real', 'canary-1': 7 },
      }),
      createExchange({ method: 'PUT', url: '/api/canary-1/', received: 'of canary-1' }),
      createExchange({ method: 'POST', sent: { token: 'canary-1' }, received: {} }),
      createExchange({ received: { first_name: 'Ada', last_name: 'Real' } }),
    ],
    { world: { annotations: [] } },
  )

  const hidden = { content: 'replaced-secret-1 of replaced-name-3', 'replaced-secret-1': 7 }
  expect(scenario.steps.slice(0, 3)).toMatchObject([
    {
      path: `${list}?search=replaced-secret-1`,
      headers: { 'x-trace': 'of replaced-secret-1' },
      body: { ...hidden, 'replaced-secret-1': [{ id: 'replaced-secret-1' }] },
      expect: { exact_body: hidden },
    },
    { path: '/api/replaced-secret-1/', expect: { exact_body: 'of replaced-secret-1' } },
    { body: { token: 'replaced-secret-1' } },
  ])
})

test('a secret within a secret is replaced where it is alone', () => {
  const { scenario } = recordingOf([
    createExchange({ method: 'POST', sent: { session: 'token=canary-1 of 7' }, received: {} }),
    createExchange({ method: 'POST', sent: { content: 'of canary-1' }, received: {} }),
  ])

  expect(scenario.steps).toMatchObject([
    { body: { session: 'replaced-secret-1' } },
    { body: { content: 'of replaced-secret-2' } },
  ])
})

test('a key in the query that the service did not read gets no label', () => {
  const exchange = createExchange({ url: `${list}?personal_api_key=phx_unread_01`, received: {} })

  const { scenario } = recordingOf([{ ...exchange, key: null }])

  expect(scenario.steps).toEqual([
    {
      title: 'List annotations',
      method: 'GET',
      path: `${list}?personal_api_key=replaced-key-1`,
      expect: { status: 200, exact_body: {} },
    },
  ])
})

test('a key in a form has its label', () => {
  const headers = [['content-type', 'application/x-www-form-urlencoded']] as const
  const request = { headers, body: { text: 'n=1&personal_api_key=phx_mine' } }
  const exchange = { ...createExchange({ method: 'POST', received: {} }), request }

  const { scenario } = recordingOf([exchange], { keys: { mine: 'phx_mine' } })

  expect(scenario.steps).toMatchObject([
    { as: 'mine', text: 'n=1&personal_api_key=replaced-key-1' },
  ])
})

test('a person without a first or last name has no full name', () => {
  const [step] = recordSteps([
    {
      received: {
        author: { first_name: '', last_name: 'Lovelace' },
        editor: { first_name: 'Prize', last_name: '' },
        note: 'The Lovelace Prize of 1843',
      },
    },
  ])

  expect(step?.expect?.exact_body).toEqual({
    author: { first_name: '', last_name: 'replaced-name-1' },
    editor: { first_name: 'replaced-name-2', last_name: '' },
    note: 'The Lovelace Prize of 1843',
  })
})

/** Records requests that send bodies of another type than JSON, one after the other. */
function recordBodies(...bodies: readonly Body[]) {
  const { scenario, warnings } = recordingOf(
    bodies.map((body) => ({
      ...createExchange({ method: 'POST' }),
      request: { headers: [['content-type', 'text/plain']], body },
    })),
    { redact: ['badge'] },
  )
  return { steps: scenario.steps as RequestStep[], warnings }
}

test('a secret is replaced in field names, and in each value of a field that is repeated', () => {
  const texts = [
    '{"5550123456":1}',
    '{"phone":"5550123456","rows":[{"called":"5550123456","5550123456":7}]}',
    '{"user": 5550123456}',
    '{"token":"first-canary","token":"canary-number-two"}',
    '{"note":"first-canary","note":"ada@corp.test","note":"nothing"}',
    '{ "note" : "first-canary", "note" : "n\\"o" }',
    '{ "secret" : { "a": ["canary two"] } }',
    '{"first_name":"Launch","content":"Launch day"}',
    '"hi\\nann@hedge.net @hedge.net"',
    'first_name=Ada badge=red-7&n=1',
  ]

  const { steps } = recordBodies(...texts.map((text) => ({ text })))

  expect(steps.map(({ text }) => text)).toEqual([
    '{"replaced-person-1":1}',
    '{"phone":"replaced-person-1","rows":[{"called":"replaced-person-1","replaced-person-1":7}]}',
    '{"user": 5550123456}',
    '{"token":"replaced-secret-1","token":"replaced-secret-2"}',
    '{"note":"replaced-secret-1","note":"replaced-email-1@example.com","note":"nothing"}',
    '{ "note" : "replaced-secret-1", "note" : "n\\"o" }',
    '{ "secret" : { "a": ["replaced-secret-3"] } }',
    '{"first_name":"replaced-name-1","content":"Launch day"}',
    '"hi\\nreplaced-email-2@example.com @hedge.net"',
    'first_name=replaced-name-2 badge=replaced-secret-4&n=1',
  ])
})

test('a body that is neither JSON nor a form is named, because no names are read in it', () => {
  const { warnings } = recordBodies(
    { text: '{"token": "canary' },
    { text: '{"token": "canary"}' },
    { text: '<html></html>' },
    { text: 'token: canary' },
    { text: 'token: last' },
  )

  expect(warnings).toEqual([
    'A body is neither JSON nor a form in steps[0], steps[2], steps[3], …. Look for secrets there: in other texts only `name=value`, `name: "value"` and `<name>value</name>` are read.',
  ])
})

test.each([
  [
    500,
    [
      'A body is neither JSON nor a form in steps[0]. Look for secrets there: in other texts only `name=value`, `name: "value"` and `<name>value</name>` are read.',
    ],
  ],
  [502, []],
  [500, [], true],
])(
  'a page of the service is named, but not that of a gateway, nor if all is kept: %i',
  (...row) => {
    const [status, expected, keep] = row
    const exchange = createExchange({ method: 'GET' })
    const response = { status, headers: [], body: { text: '<h1>Failed</h1>' } }

    expect(recordingOf([{ ...exchange, response }], { keep }).warnings).toEqual(expected)
  },
)

test('a secret of an address or a cookie is replaced from then on, and bytes with a secret are left out', () => {
  const cookies = createExchange({ url: '/api/x%3Ftoken%3Dada@corp.test:hunter22secret/?q=1' })
  const { response } = cookies
  const bytes = (text: string, type = 'application/zip') => ({
    ...createExchange({ method: 'POST' }),
    request: { headers: [['content-type', type] as const], body: { base64: btoa(text) } },
  })

  const { scenario, warnings } = recordingOf([
    {
      ...cookies,
      response: { ...response, headers: [['Set-Cookie', 'id=canary-1; Path=/api/x']] },
    },
    createExchange({ method: 'POST', sent: 'of ada@corp.test:hunter22secret and canary-1' }),
    bytes('\xffplain'),
    bytes('\xffof canary-1'),
    bytes('\xffof canary-1', 'multipart/form-data; boundary=x'),
  ])

  expect(scenario.steps).toMatchObject([
    { path: '/api/x%3Ftoken%3Dreplaced-secret-3?q=1' },
    { body: 'of replaced-secret-1 and replaced-secret-2' },
    { method: 'POST' },
    { method: 'POST' },
    { method: 'POST' },
  ])
  expect(warnings).toEqual([
    'steps[2] leaves out the binary request body of 6 bytes.',
    'steps[3] leaves out the request body of 12 bytes, which was not recorded.',
    'steps[4] leaves out the binary request body of 21 bytes.',
  ])
})

test('with keep only keys are replaced', () => {
  const steps = recordSteps(
    [
      { bearer: 'phx_mine_0', received: { first_name: 'Ada', email: 'ada@corp.test' } },
      { url: `${list}?code=a+phx_mine_0&personal_api_key=phx_mine_0`, received: { otp: 'canary' } },
      { method: 'POST', sent: { content: 'otp="?personal_api_key=other"', api_key: 'phx_mine_0' } },
    ],
    { keep: true },
  )

  expect(steps).toMatchObject([
    { as: 'key-1', expect: { exact_body: { first_name: 'Ada', email: 'ada@corp.test' } } },
    {
      path: `${list}?code=a%20replaced-key-1&personal_api_key=replaced-key-1`,
      expect: { exact_body: { otp: 'canary' } },
    },
    { body: { content: 'otp="?personal_api_key=replaced-key-2"', api_key: 'replaced-key-1' } },
  ])
})

test.each([
  ['a percent-encoded cookie', { cookie: 'id=cGFzcw%2B%2FMTIz%3D%3D' }, 'cGFzcw+/MTIz=='],
  ['Basic', { authorization: `Basic ${btoa('ada:correct-horse-7')}` }, 'correct-horse-7'],
  ['a URL', { referer: 'https://ada:correct-horse-7@example.com/' }, 'correct-horse-7'],
])('the secret of %s is replaced in other texts, too', (_, headers, secret) => {
  const [before, , after] = recordSteps([
    { method: 'POST', sent: { content: `Use ${secret}.` } },
    { headers },
    { url: `${list}?search=${encodeURIComponent(secret)}` },
  ])

  expect(before?.body).toEqual({ content: expect.stringMatching(/^Use replaced-secret-\d\.$/) })
  expect(after?.path).toMatch(/\?search=replaced-secret-\d$/)
})

test('a word as the password of an example stays in other texts', () => {
  const content = 'The password of https://user:password@example.com/'

  expect(bodyIn({ content })).toEqual({
    content: 'The password of https://user:replaced-secret-1@example.com/',
  })
})
