import { expect, test } from 'vitest'
import { toExchange, toHar } from '../../../../src/sandbox/journal/to-har.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { renderRequest, unlabelled } from './render-request.ts'

const list = annotationsPath
const fault = {
  effect: { error: 'throttled' },
  phase: 'before',
  operation: 'listAnnotations',
} as const

test.each<[title: string, Parameters<typeof renderRequest>, key: object, comment: string]>([
  ['a success', [['GET', list]], { key: 'all' }, 'entry 1: listAnnotations'],
  ['a key without a label', [['GET', list, { key: unlabelled }]], {}, 'entry 1: listAnnotations'],
  [
    'no key',
    [['GET', list, { key: null }]],
    { key: null },
    'entry 1: listAnnotations; 401: the request has no Authorization header',
  ],
  [
    'ignored input',
    [['GET', `${list}?x&y`]],
    { key: 'all' },
    'entry 1: listAnnotations; ignored: ?x; ignored: ?y',
  ],
  [
    'a fault',
    [['GET', list], ({ faults }) => faults.add(fault)],
    { key: 'all' },
    'entry 1: listAnnotations, fault-1 (before); 429: the fault `fault-1` was applied: the response is the error throttled',
  ],
  [
    'an unknown path',
    [['GET', '/api/x/']],
    { key: 'all' },
    'entry 1: no operation; 404: no operation has the path `/api/x/`',
  ],
])(
  'an archive names the key and describes the entry: %s',
  async (_title, request, key, comment) => {
    const { renderer, stored } = await renderRequest(...request)
    const rendered = renderer.render(stored)

    const { key: _, ...exchange } = toExchange(rendered, 'http://origin.test')

    expect(toExchange(rendered, 'http://origin.test')).toEqual({ ...exchange, ...key })
    expect(toHar([rendered], '').log.entries.map((entry) => entry.comment)).toEqual([comment])
  },
)

test('an exchange has the host of the request, or the origin, and masked headers and bodies', async () => {
  const body = { content: unlabelled }
  const { renderer, stored } = await renderRequest([
    'POST',
    `${list}?a=${unlabelled}`,
    { body, headers: { host: 'a.test' } },
  ])
  const rendered = renderer.render(stored)
  const { host: _, ...headers } = rendered.entry.request.headers
  const withoutHost = {
    ...rendered,
    query: '',
    entry: { ...rendered.entry, request: { ...rendered.entry.request, headers } },
  }

  const exchange = toExchange(rendered, 'http://origin.test')

  expect(exchange).toEqual({
    at: noon,
    ms: 1.235,
    method: 'POST',
    key: 'all',
    url: `http://a.test${list}?a=phx_%E2%80%A61234`,
    request: {
      headers: Object.entries(rendered.entry.request.headers),
      body: { text: '{"content":"phx_…1234"}' },
    },
    response: {
      status: 201,
      headers: Object.entries(rendered.entry.response.headers),
      body: { text: JSON.stringify(rendered.entry.response.body) },
    },
  })
  expect(toExchange(withoutHost, 'http://origin.test').url).toBe(`http://origin.test${list}`)
})
