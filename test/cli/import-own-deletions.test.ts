import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

const annotation = `${annotationsPath}1/`
const plugin = `/api/organizations/${acme}/plugins/21/`
const hide = ['PATCH', annotation, { deleted: true }] as const
const read = ['GET', annotation] as const

type Call = readonly [method: string, path: string, body?: object]

/** Sends requests to a simulator, and imports its journal. */
async function importCalls(calls: readonly Call[]) {
  const simulator = createSimulator()
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  for (const [method, path, body] of calls) {
    const sent = body && { body: JSON.stringify(body) }
    await simulator.fetch(path, { method, headers, ...sent })
  }
  const folder = temporaryFolder({ 'run.json': simulator.journal.find() })
  const [journal = '', story = ''] = ['run.json', 'story.json'].map((name) => join(folder, name))
  const { stdout } = await run(['import', journal, '--as', 'node', '--out', story, '--json'])
  return JSON.parse(stdout).test.failures
}

test.each<[string, readonly Call[]]>([
  ['its own soft delete', [read, hide, read]],
  [
    'its own delete of a plugin',
    [
      ['GET', plugin],
      ['DELETE', plugin],
      ['GET', plugin],
    ],
  ],
])('a client that reads a row after %s gets a 404, which is no failure', async (_, calls) => {
  expect(await importCalls(calls)).toEqual([])
})

test('a 404 for a row that was never there is a failure', async () => {
  expect(await importCalls([hide, ['GET', `${annotationsPath}99/`]])).toEqual([
    'Retrieve annotation: refused with 404',
  ])
})
