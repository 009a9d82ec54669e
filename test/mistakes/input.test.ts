import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'
import { mistakesIn } from './entries.ts'

const id = 'body.id, which only responses have'
const createdAt = 'body.created_at, which only responses have'
const typo = 'body.contnt, did you mean content?'

const ignoredInputs: readonly [ignored: string[], messages: string[]][] = [
  [['?limit above 2'], []],
  [['body.a'], ['ignores body.a.']],
  [[typo], [`ignores ${typo}`]],
  [
    ['body.a', '?b'],
    ['ignores body.a.', 'ignores ?b.'],
  ],
  [['body.url, which the profile live reads'], ['ignores body.url, which the profile live reads.']],
  [[id], ['ignores body.id, which only responses have.']],
  [[id, createdAt], ['ignores body.id, body.created_at, which only responses have.']],
  [
    [typo, id],
    ['ignores body.id, which only responses have.', `ignores ${typo}`],
  ],
]

test.each(ignoredInputs)('the ignored input %j', (ignored, messages) => {
  const mistakes = mistakesIn('ignored-input', [{ ignored, operation: 'updateAnnotation' }])

  expect(mistakes).toEqual(
    messages.map((message) => ({ message: `updateAnnotation ${message}`, entries: [1] })),
  )
})

test('what another profile reads is a note, and JSON that was read as a form names the header', async () => {
  const plugin = { plugin_type: 'custom', url: 'https://example.com/plugin' }
  const plugins = `/api/organizations/${acme}/plugins/`
  const documented = createSimulator()
  const live = createSimulator({ profile: 'live' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  await documented.fetch(plugins, initOf('POST', { body: plugin }))
  await documented.fetch(`${plugins}21/update_source/`, initOf('PATCH', { body: { 'a.ts': '' } }))
  await live.fetch(`${plugins}21/upgrade/`, initOf('POST', { body: plugin, key: 'phx_old' }))
  await live.fetch(annotationsPath, initOf('POST', { raw: '{"content":"a=b&c"}', headers }))

  const mistakes = [documented, live].flatMap(({ journal }) => journal.mistakes())
  expect(mistakes).toMatchObject([
    {
      level: 'note',
      message: 'createPlugin ignores body.url, which the profile live reads.',
      cure: expect.stringContaining('choose that profile'),
    },
    {
      level: 'note',
      message: 'updatePluginSource ignores body["a.ts"], which the profile live reads.',
    },
    {
      level: 'note',
      message: 'upgradePlugin ignores the body, which the profile documented reads.',
    },
    {
      level: 'warning',
      message:
        'createAnnotation ignores the body, which looks like JSON and was read as a form; send it with Content-Type: application/json.',
      cure: 'Set the header Content-Type: application/json.',
    },
  ])
})

test.each([
  ['?_', 0],
  ['?utm_source', 0],
  ['?cacheBuster', 0],
  ['?token', 1],
  ['?_page', 1],
])('the ignored parameter %s is reported %i times', (ignored, times) => {
  expect(mistakesIn('ignored-input', [{ ignored: [ignored] }])).toHaveLength(times)
})

const local = '2024-06-20T11:00'

test.each<[what: string, time: string, status: number, isReported: boolean]>([
  ['that is created', local, 201, true],
  ['that is updated', local, 200, true],
  ['that is refused', local, 400, false],
  ['that is redirected', local, 301, false],
  ['without a response', local, 0, false],
  ['with a space in place of T', '2024-06-20 11:00:00,5', 201, true],
  ['that is a day', '2024-06-20', 201, false],
])('a local time %s', (_, date_marker, status, isReported) => {
  const message = `The client sent the date_marker ${date_marker}, without an offset from UTC.`

  const mistakes = mistakesIn('local-time', [{ method: 'POST', sent: { date_marker }, status }])

  expect(mistakes).toEqual(isReported ? [{ message, entries: [1] }] : [])
})
