import { expect, test } from 'vitest'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import { dependencesOf } from '../sweep/sweep-client.ts'
import { hasId, type JsonObject, must, plugins, row, type Send } from './planted-client.ts'
import { plantedClients } from './planted-clients.ts'

/** Reads all pages, checks each status, and takes nothing else for granted. */
async function tolerantClient(send: Send): Promise<void> {
  let next: string | null = `${annotations}?limit=2`
  while (next !== null) {
    const response = await send('GET', next)
    if (!response.ok) return
    const page = (await response.json()) as { next: string | null }
    next = page.next?.replace(/^https?:\/\/[^/]+/, '') ?? null
  }
  const response = await send('POST', annotations, { body: { content: 'Launch' } })
  if (response.ok) must(hasId((await response.json()) as JsonObject), 'an id')
  await send('PATCH', row, { body: { deleted: true } })
  for (const path of [row, `${annotations}999/`, plugins, `${plugins}activity/`, '/api/projects/'])
    await send('GET', path)
}

// The limits of rates need 481 requests for each run.
const quick = Object.entries(plantedClients).filter(([id]) => !/^limits.r/.test(id))

test.each(quick)(
  'the sweep of a client that depends on %s names this setting alone',
  async (id, { run, settings }) => {
    expect(await dependencesOf(run, settings)).toEqual([id])
  },
)

test('a tolerant client depends on no setting', async () => {
  expect(await dependencesOf(tolerantClient)).toEqual([])
})
