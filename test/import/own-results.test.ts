import { expect, test } from 'vitest'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { createSimulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { createPage, createRow, createTraffic, type TrafficInput } from '../support/traffic.ts'

const url = `${annotationsPath}4/`
const [row, created] = [createRow(4, 'A'), createRow(5, 'New', { creation_type: 'GIT' })]
const create = { method: 'POST', sent: { content: 'New' } }
const change = { method: 'PATCH', url }
const refused = { received: { code: 'other', detail: 'No.' } }
const lost = { status: 0, lost: { error: 'timeout' } }
const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }
const list = (...rows: readonly (typeof row)[]) => ({ received: createPage(...rows) })

test.each<[string, TrafficInput, TrafficInput]>([
  [
    'a create with another default',
    { ...create, status: 201, received: created },
    list(created, row),
  ],
  ['a create without a response', { ...create, ...lost }, list(created, row)],
  [
    'a create that a simulator refuses',
    { method: 'POST', sent: { scope: 'team' }, status: 201, received: created },
    list(created, row),
  ],
  ['a create that the service refuses', { ...create, status: 422, ...refused }, list(row)],
  ['a deletion', { method: 'DELETE', url, status: 204 }, list()],
  [
    'a deletion, and a read',
    { method: 'DELETE', url, status: 200 },
    { url, status: 404, received: notFound },
  ],
  [
    'a change to another value',
    { ...change, sent: { content: 'b' }, received: createRow(4, 'B') },
    list(createRow(4, 'B')),
  ],
  [
    'a change that a simulator refuses',
    { ...change, sent: { scope: 'team' }, received: createRow(4, 'B') },
    { url, received: createRow(4, 'B') },
  ],
  [
    'a change that the service refuses',
    { ...change, sent: { content: 'B' }, status: 409, ...refused },
    { url, received: row },
  ],
])('what others did is not %s', async (_, write, read) => {
  const traffic = createTraffic(list(row), write, read)
  const imported = await importExchanges(traffic, {})
  const { scenario } = await toReplaying(imported, imported.scenario)

  const isChange = (step: object) => 'rows' in step || 'update' in step || 'delete' in step
  const said = imported.warnings.map(({ text }) => text.split(' ')[0])
  expect(said.includes('A')).toBe(imported.scenario.steps.some(isChange))
  expect(said).not.toContain('Others,')
  expect((await createSimulator().run(scenario)).passed).toBe(true)
})
