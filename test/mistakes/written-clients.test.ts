import { expect, test } from 'vitest'
import { clientRules } from '../../src/mistakes/mistake-finder.ts'
import { badClients } from './bad-clients.table.ts'
import { goodClients } from './good-clients.table.ts'
import { alarmsOf, mistakesOf } from './written-clients.ts'

const bad = Object.entries(badClients).flatMap(([rule, clients]) =>
  Object.entries(clients).map(([name, run]) => ({
    name,
    run,
    finds: rule === 'none' ? [] : [rule],
  })),
)

test.each(bad)('a client that $name', async ({ run, finds }) => {
  const mistakes = await mistakesOf(run)

  expect(mistakes.map(({ rule }) => rule)).toEqual(finds)
})

test('every rule has a client that breaks it, and a sentence about the client', async () => {
  const rules: string[] = []
  for (const { id } of clientRules) {
    const client = bad.find(({ finds }) => finds[0] === id)
    const [mistake] = client ? await mistakesOf(client.run) : []
    rules.push(`${id}: ${mistake?.message}`)
  }

  expect(rules).toEqual([
    'repeated-create: The client got no complete response for a create, and sent it again. The first one had created a row, so there are two now.',
    'duplicate-row: The client created a row with the same content and time as row 9, which it had read.',
    'swallowed-delete: Annotation 1 was not deleted, and the client did not delete it with PATCH.',
    'refused-put: Row 1 was not changed: PUT got a 405.',
    'stale-row: The client deleted row 23 after it had deleted it.',
    'undone-change: The update sets content from "Release 1.0 (final)" to "Release 1.0", where the client had read "Release 1.0".',
    'ignored-input: updateAnnotation ignores ?deleted.',
    'local-time: The client sent the date_marker 2024-06-20T11:00:00.123, without an offset from UTC.',
    'repeated-row: The client computed ?limit=3&offset=1, and `next` was ?limit=3&offset=3.',
    'skipped-row: Row 13 moved to a page that the client had read before.',
    'unread-pages: The list has more rows than this page, and the client did not read the last page.',
    'early-retry: The 429 says to wait 10 s. The client sent a request 0 s after the throttled one.',
    'endless-retry: The client repeated a request that ended with the status 503.',
    'repeated-refusal: The client repeated a request that ended with the status 404.',
  ])
})

test.each(Object.entries(goodClients))('no alarm of a client that %s', async (_, run) => {
  expect(await mistakesOf(run)).toEqual([])
})

test.each([
  ['50 entries', { entries: 50 }],
  ['3 entries', { entries: 3 }],
  ['no bodies', { body: 0 }],
])('no alarm of a client without a mistake with %s in the journal', async (_, journal) => {
  expect(await alarmsOf(goodClients, { journal })).toEqual([])
})
