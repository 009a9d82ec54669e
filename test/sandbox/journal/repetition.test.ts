import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../support/lanes/client.ts'

const plugins = `/api/organizations/${acme}/plugins/`
const policies = { 'annotations.list.limit.default': 1, 'plugins.list.limit.default': 2 } as const
const release = { content: 'Release', date_marker: '2024-06-15T11:30:00Z' }

function startSimulator() {
  const simulator = createSimulator({ clock: noon, policies })
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    simulator.fetch(path, initOf(method, options))
  return { simulator, send, reasons: () => simulator.journal.find().map(({ reason }) => reason) }
}

type Between = (started: ReturnType<typeof startSimulator>) => unknown

const again = '200: the first page again, as in entry 1; the next one has ?limit=1&offset=1'

test.each<[title: string, between: Between, reason: string | null]>([
  ['nothing', () => {}, again],
  ['almost a second', ({ simulator }) => simulator.clock.set('2024-06-15T12:00:00.999Z'), again],
  ['a second', ({ simulator }) => simulator.clock.set('2024-06-15T12:00:01Z'), null],
  ['the time before', ({ simulator }) => simulator.clock.set('2024-06-15T11:00:00Z'), again],
  [
    'a read with another key',
    ({ send }) => send('GET', plugins, { key: 'phx_plugin_read' }),
    again,
  ],
  [
    'a write with another key',
    ({ send }) => send('POST', annotationsPath, { key: 'phx_annotation_write', body: {} }),
    null,
  ],
  ['an edit', ({ simulator }) => simulator.world.annotations.update(1, { content: 'x' }), null],
  ['a reset', ({ simulator }) => simulator.reset({ only: ['rows'] }), null],
])('two requests for the first page, with %s in between', async (_title, between, reason) => {
  const started = startSimulator()
  const { send, reasons } = started
  started.simulator.world.annotations.update(2, { content: 'Written before both' })

  await send('GET', annotationsPath)
  await between(started)
  await send('GET', annotationsPath)
  started.simulator.world.annotations.update(2, { content: 'Written after both' })

  expect([reasons()[0], reasons().at(-1)]).toEqual([null, reason])
})

test('another client that writes after the first of two requests makes the second page another one', async () => {
  const { simulator, send, reasons } = startSimulator()
  simulator.faults.add({
    operation: 'listAnnotations',
    when: { times: 1 },
    effect: { edit: [{ rows: { annotations: [{}] } }] },
  })

  for (let count = 0; count < 3; count++) await send('GET', annotationsPath)

  expect(reasons().slice(1)).toEqual([null, again.replace('entry 1', 'entry 2')])
})

test('only a repeated GET of a first page that has a next one is remarkable', async () => {
  const { send, reasons } = startSimulator()
  const requests = [
    ['HEAD', annotationsPath],
    ['GET', annotationsPath],
    ['GET', '/api/projects/'],
    ['GET', '/api/projects/'],
    ['GET', `${annotationsPath}?limit=1`],
    ['GET', `${annotationsPath}?limit=1`],
    ['GET', `${annotationsPath}1/`],
    ['GET', `${annotationsPath}1/`],
    ['GET', plugins],
    ['GET', plugins],
  ] as const

  for (const [method, path] of requests) await send(method, path)

  expect(reasons()).toEqual([
    ...Array(9).fill(null),
    '200: the first page again, as in entry 9; the next one has ?limit=2&offset=2',
  ])
})

const twin = '201: the same content and date_marker as annotation 9'

/** Writes rows of other lists and rows, as many as are compared with the first row. */
function writeOthers({ world }: Simulator, count: number): void {
  for (let index = 0; index < count; index++) {
    if (index % 2 === 0) world.users.update(1, { first_name: `${index}` })
    else world.annotations.update(2, { content: `${index}` })
  }
}

test.each<[title: string, body: object, between: Between, reason: string | null]>([
  ['equal', release, () => {}, twin],
  [
    'with the same time in other words',
    { ...release, date_marker: '2024-06-15T13:30+02:00' },
    () => {},
    twin,
  ],
  ['with other content', { ...release, content: 'release' }, () => {}, null],
  ['with another time', { ...release, date_marker: '2024-06-15T11:30:01Z' }, () => {}, null],
  ['without a time', { content: 'Release' }, () => {}, null],
  [
    'after the first was deleted',
    release,
    ({ send }) => send('PATCH', `${annotationsPath}9/`, { body: { deleted: true } }),
    null,
  ],
  [
    'after the first was removed',
    release,
    ({ simulator }) => simulator.world.annotations.delete(9),
    null,
  ],
  [
    'after the first was changed',
    release,
    ({ simulator }) => simulator.world.annotations.update(9, { content: 'x' }),
    null,
  ],
  [
    'after the first was written twice',
    release,
    ({ simulator }) => simulator.world.annotations.update(9, { scope: 'project' }),
    twin,
  ],
  [
    'after the first was moved',
    release,
    ({ simulator }) => simulator.world.annotations.update(9, { project: 2 }),
    null,
  ],
  ['after a reset', release, ({ simulator }) => simulator.reset({ only: ['rows'] }), null],
  ['after 999 other writes', release, ({ simulator }) => writeOthers(simulator, 999), twin],
  ['after 1,000 other writes', release, ({ simulator }) => writeOthers(simulator, 1_000), null],
])('a second annotation %s', async (_title, body, between, reason) => {
  const started = startSimulator()
  const { send, reasons } = started

  await send('POST', annotationsPath, { body: release })
  await between(started)
  await send('POST', annotationsPath, { body })

  expect([reasons()[0], reasons().at(-1)]).toEqual([null, reason])
})

test('annotations of another project and empty ones are not compared, later ones neither', async () => {
  const { simulator, send, reasons } = startSimulator()

  await send('POST', '/api/projects/2/annotations/', { body: release })
  await send('POST', annotationsPath, { body: release })
  await send('POST', annotationsPath, { body: { content: '' } })
  await send('POST', annotationsPath, { body: { content: '' } })
  simulator.world.annotations.create(release)

  expect(reasons()).toEqual([null, null, null, null])
})

test('of a connection that drops, only the fault is described', async () => {
  const { simulator, send, reasons } = startSimulator()
  await send('POST', annotationsPath, { body: release })
  simulator.faults.add({ phase: 'after-commit', effect: { drop: true } })

  await send('POST', annotationsPath, { body: release }).catch(() => {})

  expect(simulator.world.annotations.get(10)?.content).toBe('Release')
  expect(reasons()[1]).toBe(
    'no response: the fault `fault-1` was applied: the connection drops after the server handled the request',
  )
})
