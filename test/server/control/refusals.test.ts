import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { start } from '../../support/lanes/start.ts'

const refusals: readonly [line: string, body: unknown, status: number, detail: string][] = [
  [
    'POST sandboxes',
    { from: 'emty' },
    400,
    'expected the name of a fixture, a snapshot or a sandbox ("default", "empty", "before", ' +
      '"sandbox-1"), got "emty". Did you mean empty?',
  ],
  ['DELETE sandboxes/sandbox1', undefined, 404, 'Did you mean "sandbox-1"?'],
  ['DELETE snapshots/befor', undefined, 404, 'Did you mean "before"?'],
  ['POST snapshots/befor/restore', undefined, 404, 'Did you mean "before"?'],
  ['DELETE faults/fualt-1', undefined, 404, 'Did you mean "fault-1"?'],
  ['GET clock?x=1', undefined, 400, 'x: unknown field. None is allowed here.'],
  ['GET journal?sttus=4xx', undefined, 400, 'Did you mean "status"?'],
  ['POST record', { titel: 'A launch' }, 400, 'titel: unknown field. Did you mean "title"?'],
  ['GET world/anotations', undefined, 400, 'Did you mean annotations?'],
  ['GET scenarios/plugin-activity-lo', undefined, 404, 'plugin-activity-log"?'],
  ['POST sandbox', undefined, 404, 'Endpoint not found. Did you mean /__admin/sandboxes?'],
  ['GET cloc', undefined, 404, 'Endpoint not found. Did you mean /__admin/clock?'],
]

test.each<[line: string, body: object, fields: readonly (string | number)[][]]>([
  [
    'POST sandboxes',
    { fro: 'empty', ttl: 5, ttl_s: -1, name: 5 },
    [['fro'], ['ttl'], ['ttl_s'], ['name']],
  ],
  ['POST reset', { onyl: [], only: ['row', 'fault'] }, [['onyl'], ['only', 0], ['only', 1]]],
  [
    'PATCH settings',
    { 'methods.putt': '405', 'methods.put': 'x' },
    [['methods.putt'], ['methods.put']],
  ],
  ['POST faults', { efect: {}, effect: { status: 999 } }, [['efect'], ['effect', 'status']]],
])('%s %j is refused with an issue for each wrong field', async (line, body, fields) => {
  const { control } = await start()
  const [method = '', path = ''] = line.split(' ')

  const refused = await control(method, `/__admin/${path}`, { body })

  const { issues } = refused.body as { issues: { path: (string | number)[] }[] }
  expect(refused.status).toBe(400)
  expect(issues.map(({ path }) => path)).toEqual(fields)
})

test.each(refusals)(
  '%s %j is refused with %i and the nearest name',
  async (line, body, status, detail) => {
    const { control, simulator } = await start()
    simulator.snapshots.save('before')
    simulator.faults.add({ operation: 'listAnnotations', effect: { status: 500 } })
    simulator.sandboxes.create()
    const [method = '', path = ''] = line.split(' ')

    const refused = await control(method, `/__admin/${path}`, body === undefined ? {} : { body })

    expect(refused).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } })
  },
)

test('a compressed body is refused, and its encoding is named', async () => {
  const { control } = await start()
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }

  const put = await control('PUT', '/__admin/world', { headers, raw: gzipSync('{}') })

  expect(put).toEqual({
    status: 415,
    body: {
      type: 'invalid_request',
      code: 'unsupported_media_type',
      detail: 'Failed to read the body: expected no Content-Encoding, got gzip.',
      attr: null,
    },
  })
})
