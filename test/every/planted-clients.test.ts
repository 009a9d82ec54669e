import { expect, test } from 'vitest'
import { type SettingId, settingIds } from '../../src/settings/setting.ts'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import { dependencesOf } from '../sweep/sweep-client.ts'
import {
  hasId,
  type JsonObject,
  must,
  type PlantedClient,
  plugins,
  row,
  type Send,
} from './planted-client.ts'
import { plantedClients } from './planted-clients.ts'

/** Mistakes of real clients: of a client of the service that a user wrote, and what it does. */
const realClients: Readonly<Record<string, PlantedClient & { readonly on: SettingId }>> = {
  'An importer follows only the path of `next`, so that the second page is the first again, for ever':
    {
      on: 'annotations.list.limit.default',
      run: async (send) => {
        let path: string | null = annotations
        while (path !== null) {
          const { next } = (await (await send('GET', path)).json()) as { next: string | null }
          path = next === null ? null : new URL(next).pathname
        }
      },
    },
  'A deploy script dies of a SyntaxError if an error is HTML': {
    on: 'errors.body',
    run: async (send) => void (await (await send('GET', `${annotations}999/`)).json()),
  },
  'A clean-up sends DELETE, takes 404 for success, and ignores any other status': {
    on: 'annotations.delete.status',
    run: async (send) => {
      const { status } = await send('DELETE', row)
      if (status !== 404) return
      must((await send('GET', row)).status === 404, 'a deleted row')
    },
  },
}

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

test.each(Object.entries(realClients))(
  '%s: the sweep names the setting',
  async (_, { on, run }) => {
    expect(await dependencesOf(run)).toEqual([on])
  },
)

test('a tolerant client depends on no setting', async () => {
  expect(await dependencesOf(tolerantClient)).toEqual([])
})

test('each setting has a client that depends on it', () => {
  expect(Object.keys(plantedClients).toSorted()).toEqual(
    [...settingIds].toSorted() satisfies SettingId[],
  )
})
