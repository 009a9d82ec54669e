import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/sandbox/journal/entry.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

/** What the log shows of each request: the reason, then the ignored input. */
function shown({ journal }: Simulator): (string | null)[][] {
  const lines = ({ reason, ignored }: JournalEntry) => [reason, ...ignored]
  return journal.find().map(lines)
}

test('if a client prints "success" on a 403, the log says what its key lacks', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const key = 'phx_annotation_read'

  await ask('POST', annotationsPath, { key, body: { content: 'Release 1.2' } })

  expect(shown(simulator)).toEqual([
    ['403: the key `annotation:read` lacks the scope annotation:write (it has annotation:read)'],
  ])
})

test('if a client fails on an HTML page, the log says where the page comes from', async () => {
  const client = await start({ profile: 'live' })
  const { simulator } = client
  simulator.faults.add({ preset: 'outage' })

  const response = await client.send('GET', annotationsPath)

  await expect(response.json()).rejects.toThrow(SyntaxError)
  expect(shown(simulator)).toEqual([
    ['503: the fault `fault-1` was applied: the response is a 503'],
  ])
})

test('if a client ignores the 405 of DELETE, the log says how to delete an annotation', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const created = await ask('POST', annotationsPath, { body: { content: 'Temporary' } })
  const { id } = created.body as { id: number }

  const deleted = await ask('DELETE', `${annotationsPath}${id}/`)

  expect(deleted).toEqual({ status: 405, body: undefined })
  expect(simulator.world.annotations.get(id)).toMatchObject({ deleted: false })
  expect(shown(simulator)[1]).toEqual([
    '405: annotations cannot be deleted; send PATCH with {"deleted": true}',
  ])
})

test('if a client follows only the path of next, the log says that it gets the first page again', async () => {
  const { ask, simulator } = await start({
    profile: 'live',
    policies: { 'annotations.list.limit.default': 3 },
  })

  for (let page = 0; page < 3; page++) {
    const { body } = await ask('GET', annotationsPath)
    expect(new URL((body as { next: string }).next).pathname).toBe(annotationsPath)
  }
  await ask('GET', `${annotationsPath}?limit=3&offset=3`)
  await ask('GET', annotationsPath)

  expect(shown(simulator)).toEqual([
    [null],
    ['200: the first page again, as in entry 1; the next one has ?limit=3&offset=3'],
    ['200: the first page again, as in entry 2; the next one has ?limit=3&offset=3'],
    [null],
    [null],
  ])
})

test('the first page of another key, after another request, or without a next one is not remarkable', async () => {
  const { ask, simulator } = await start({ policies: { 'annotations.list.limit.default': 1 } })
  const other = '/api/projects/2/annotations/'

  await ask('GET', annotationsPath)
  await ask('GET', annotationsPath, { key: 'phx_annotations' })
  await ask('GET', other)
  await ask('GET', annotationsPath)
  simulator.policies.set({ 'annotations.list.limit.default': 100 })
  await ask('GET', annotationsPath)
  await ask('GET', annotationsPath)
  simulator.policies.set({ 'annotations.list.limit.default': 1 })
  await ask('GET', annotationsPath)

  expect(shown(simulator).flat().filter(Boolean)).toEqual([])
})

test('if a client polls the first page, the log says nothing about it', async () => {
  const policies = { 'annotations.list.limit.default': 1 }
  const { ask, simulator } = await start({ policies })
  const { annotations } = simulator.world

  await ask('GET', annotationsPath)
  annotations.update(1, { content: 'Changed' })
  await ask('GET', annotationsPath)
  simulator.reset({ only: ['rows'] })
  await ask('GET', annotationsPath)
  simulator.clock.advance({ seconds: 5 })
  await ask('GET', annotationsPath)
  annotations.update(1, { content: 'Written after both' })
  const shownBefore = shown(simulator).flat().filter(Boolean)
  await ask('GET', annotationsPath)
  await ask('GET', annotationsPath)
  annotations.update(1, { content: 'Written after both' })

  expect(shownBefore).toEqual([])
  expect(shown(simulator).flat().filter(Boolean)).toEqual([
    '200: the first page again, as in entry 5; the next one has ?limit=1&offset=1',
  ])
})

test('if a client compares times as text, the log says that each run writes the same row again', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const release = { content: 'Release 1.2', date_marker: '2024-06-15T11:30:00.123Z' }
  const run = async () => {
    const { body } = await ask('GET', `${annotationsPath}?search=release`)
    const { results } = body as { results: { date_marker: string }[] }
    const isKnown = results.some(({ date_marker }) => date_marker === release.date_marker)
    if (!isKnown) await ask('POST', annotationsPath, { body: release })
  }

  await run()
  await run()

  const [, first, , second] = shown(simulator)
  expect(first).toEqual([null])
  expect(second).toEqual(['201: the same content and date_marker as annotation 9'])
})

test('an annotation that was deleted or changed since is not the same one', async () => {
  const { ask, simulator } = await start()
  const body = { content: 'Release 1.2', date_marker: '2024-06-15T11:30:00Z' }

  await ask('POST', annotationsPath, { body })
  await ask('PATCH', `${annotationsPath}9/`, { body: { deleted: true } })
  await ask('POST', annotationsPath, { body })
  await ask('PATCH', `${annotationsPath}10/`, { body: { content: 'Release 1.3' } })
  await ask('POST', annotationsPath, { body })
  await ask('POST', annotationsPath, { body: {} })
  await ask('POST', annotationsPath, { body: {} })

  expect(shown(simulator).flat().filter(Boolean)).toEqual([])
})

test('if a client sends field names of another API, the log lists the fields that are ignored', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const body = { content: 'Release', dateMarker: '2024-06-15', icon: '🚀', created_at: '2024' }

  expect(await ask('POST', annotationsPath, { body })).toMatchObject({
    status: 201,
    body: { date_marker: null },
  })
  expect(shown(simulator)).toEqual([
    [
      null,
      'body.dateMarker, did you mean date_marker?',
      'body.icon',
      'body.created_at, which only responses have',
    ],
  ])
})
