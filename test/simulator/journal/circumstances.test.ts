import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

type Sent = readonly [method: string, path: string, body?: object | undefined, test?: string]

/** What surrounds requests: the fields that are not about the request and its response. */
async function circumstancesOf(...requests: readonly (Sent | 'reset')[]) {
  const simulator = createSimulator({ clock: noon })
  for (const request of requests) {
    if (request === 'reset') {
      simulator.reset()
      continue
    }
    const [method, path, body, name] = request
    const headers = name === undefined ? {} : { 'understudy-test': name }
    await simulator.fetch(path, initOf(method, { headers, body }))
  }
  return simulator.journal.find().map(({ test, resets, missing_row, preceding_row }) => ({
    ...(test !== undefined && { test }),
    ...(resets !== undefined && { resets }),
    ...(missing_row !== undefined && { missing_row }),
    ...(preceding_row !== undefined && { preceding_row }),
  }))
}

const cases: readonly [what: string, request: Sent, circumstances: object][] = [
  ['nothing', ['GET', annotationsPath], {}],
  ['a test', ['GET', annotationsPath, undefined, 'lists rows'], { test: 'lists rows' }],
  ['an encoded name', ['GET', annotationsPath, undefined, 'gr%C3%BC%C3%9Ft'], { test: 'grüßt' }],
  ['a name in UTF-8', ['GET', annotationsPath, undefined, 'grÃ¼Ã\x9ft'], { test: 'grüßt' }],
  ['a name in Latin-1', ['GET', annotationsPath, undefined, 'grüßt'], { test: 'grüßt' }],
  ['a name with a percent sign', ['GET', annotationsPath, undefined, '50 %'], { test: '50 %' }],
  ['a first page', ['GET', `${annotationsPath}?limit=2`], {}],
  ['a later page', ['GET', `${annotationsPath}?limit=2&offset=2`], { preceding_row: 4 }],
  ['a page after a search', ['GET', `${annotationsPath}?search=e&offset=1`], { preceding_row: 5 }],
  ['a page behind the end', ['GET', `${annotationsPath}?offset=100`], {}],
  [
    'a later page of plugins',
    ['GET', `/api/organizations/${acme}/plugins/?limit=1&offset=1`],
    { preceding_row: 21 },
  ],
  ['a DELETE of a row', ['DELETE', `${annotationsPath}1/`], {}],
  ['a DELETE of no row', ['DELETE', `${annotationsPath}999/`], { missing_row: true }],
  ['a DELETE of a deleted row', ['DELETE', `${annotationsPath}6/`], { missing_row: true }],
  ['a DELETE of no number', ['DELETE', `${annotationsPath}x/`], { missing_row: true }],
]

test.each(cases)('an entry with %s', async (_, request, circumstances) => {
  expect(await circumstancesOf(request)).toEqual([circumstances])
})

test('a DELETE is about the rows of its time', async () => {
  const row = `${annotationsPath}9/`

  const circumstances = await circumstancesOf(
    ['DELETE', row],
    ['POST', annotationsPath, {}],
    ['DELETE', row],
    ['PATCH', row, { deleted: true }],
    ['DELETE', row],
    'reset',
    ['DELETE', row],
  )

  expect(circumstances).toEqual([
    { missing_row: true },
    {},
    {},
    {},
    { missing_row: true },
    { missing_row: true, resets: 1 },
  ])
})

test('the name of a sandbox is that of its tests, unless a request names another one', async () => {
  const simulator = createSimulator()
  const { id, key, name } = simulator.sandboxes.create({ name: 'list.spec.ts > shows rows' })
  const sandbox = simulator.sandboxes.get(id)
  const headers = { authorization: `Bearer ${key}` }

  await simulator.fetch(annotationsPath, { headers })
  await simulator.fetch(annotationsPath, { headers: { ...headers, 'understudy-test': 'other' } })

  expect(name).toBe('list.spec.ts > shows rows')
  expect(sandbox?.journal.find().map((entry) => entry.test)).toEqual([
    'list.spec.ts > shows rows',
    'other',
  ])
  expect(simulator.sandboxes.list()[0]?.name).toBe(name)
})

test('the name of a sandbox is a text', () => {
  const { sandboxes } = createSimulator()

  expect(() => sandboxes.create({ name: 5 as never })).toThrow(
    'Failed to create a sandbox: name: expected string or null, got 5.',
  )
})

test('a key in the name of a test is masked', async () => {
  const name = 'lists rows with phx_0123456789abcdefghijklmnop'

  const circumstances = await circumstancesOf(['GET', annotationsPath, undefined, name])

  expect(circumstances).toEqual([{ test: 'lists rows with phx_…mnop' }])
})
