// A client of the admin API, generated from its document, does what the tests of connect() do.
import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'
import * as control from './generated/admin/hey-api'
import { createClient } from './generated/admin/hey-api/client'

test('a generated client controls a server', async ({ server }) => {
  const admin = createClient({ baseUrl: `${server.url}/__admin`, throwOnError: true })
  const { data: health } = await control.readHealth({ client: admin, throwOnError: true })
  const { data: sandbox } = await control.createSandbox({
    client: admin,
    throwOnError: true,
    body: {
      from: 'default',
      ttl_s: 600,
      keys: [{ label: 'all', value: 'phx_mine' }],
      clock: '2024-06-15T12:00:00Z',
    },
  })
  const client = createClient({ baseUrl: `${sandbox.url}/__admin`, throwOnError: true })
  const own = { client, throwOnError: true } as const
  const send = (path: string, init?: RequestInit) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${sandbox.key}` },
    })
  expect([health.status, sandbox.key]).toEqual(['ready', 'phx_mine'])

  const { data: added } = await control.editRows({
    ...own,
    body: { annotations: [{ content: 'One' }] },
  })
  const id = added.annotations?.[0] ?? 0
  await control.updateRow({ ...own, path: { list: 'annotations', id }, body: { content: 'Two' } })
  await control.updateRow({ ...own, path: { list: 'annotations', id }, body: { content: 'One' } })
  const { data: rows } = await control.findRows({
    ...own,
    path: { list: 'annotations' },
    query: { search: 'one', limit: 5 },
  })
  expect(rows).toMatchObject({ count: 1, rows: [{ id, content: 'One' }] })

  await control.setClock({ ...own, body: { now: '2024-02-28T23:00:00Z' } })
  const { data: clock } = await control.setClock({ ...own, body: { advance: { hours: 2 } } })
  expect(clock).toEqual({ mode: 'frozen', now: '2024-02-29T01:00:00Z' })

  const { data: key } = await control.issueKey({ ...own, body: { scopes: ['annotation:read'] } })
  await control.revokeKey({ ...own, path: { value: key.value } })
  const { data: values } = await control.setSettings({
    ...own,
    body: { 'annotations.delete.status': '403' },
  })
  expect(values['annotations.delete.status']).toBe('403')

  const { data: faults } = await control.addFault({
    ...own,
    body: { operation: 'listProjects', when: { times: 1 }, effect: { error: 'throttled' } },
  })
  const statuses = [(await send('/api/projects/')).status, (await send('/api/projects/')).status]
  await control.removeFault({ ...own, path: { id: faults[0]?.id ?? '' } })
  expect(statuses).toEqual([429, 200])

  const { data: entries } = await control.findEntries({
    ...own,
    query: { status: '4xx', bodies: false },
  })
  const entry = entries[0]?.id ?? 0
  const { data: reasons } = await control.explainEntry({ ...own, path: { id: entry } })
  const { data: result } = await control.verify({
    ...own,
    body: { operation: 'listProjects', count: 2 },
  })
  const { data: mistakes } = await control.listMistakes(own)
  expect([entries.length, reasons.status, result.passed, mistakes]).toEqual([1, 429, true, []])

  const { data: recording } = await control.record({ ...own, body: { title: 'A recording' } })
  const { data: replay } = await control.runScenario({
    ...own,
    body: { scenario: recording.scenario },
  })
  const { data: scenarios } = await control.listScenarios(own)
  expect([replay.passed, scenarios.length > 20]).toEqual([true, true])

  await control.reset({ ...own, body: { only: ['rows'] } })
  const missing = await control.readRow({
    client,
    path: { list: 'annotations', id },
    throwOnError: false,
  })
  expect([missing.response?.status, missing.error?.attr]).toEqual([404, 'id'])
  await control.deleteSandbox({ client: admin, throwOnError: true, path: { id: sandbox.id } })
  const { data: left } = await control.listSandboxes({ client: admin, throwOnError: true })
  expect(left).toEqual([])
})
