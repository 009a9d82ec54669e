import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/simulator/journal/entry.ts'
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

test('a client that follows only the path of next gets the first page again, which is a mistake', async () => {
  const { ask, simulator } = await start({
    profile: 'live',
    settings: { 'annotations.list.limit.default': 3 },
  })

  for (let page = 0; page < 3; page++) {
    const { body } = await ask('GET', annotationsPath)
    expect(new URL((body as { next: string }).next).pathname).toBe(annotationsPath)
  }

  expect(simulator.journal.mistakes().map(({ rule }) => rule)).toEqual(['unread-pages'])
})

test('a client that compares times as text writes the same row again, which is a mistake', async () => {
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

  expect(simulator.journal.mistakes().map(({ rule }) => rule)).toEqual(['duplicate-row'])
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
