import { expect, test } from 'vitest'
import { settingIds } from '../../src/settings/setting.ts'
import { compareServer, foundIn, wrongIn } from '../support/compare/compare-server.ts'
import { serverKeys } from '../support/compare/foreign-messages.ts'
import { ForeignServer } from '../support/compare/foreign-server.ts'
import { metIn, moods } from '../support/compare/moods.ts'
import {
  allKeys,
  createServer,
  isVisible,
  ownRows,
  randomSettings,
} from '../support/compare/own-server.ts'
import { createRandom } from '../support/random.ts'

test('the settings of a simulator are found', async () => {
  const server = createServer(randomSettings(createRandom(0)))
  const settings = server.settings.values

  const comparison = await compareServer((url, init) => server.fetch(url, init), allKeys)

  const visible = settingIds.filter((id) => isVisible(id, settings))
  const found = foundIn(comparison)
  expect(wrongIn(comparison, settings)).toEqual({})
  expect(visible.filter((id) => !(id in found)).length).toBeLessThan(visible.length * 0.06)
  expect(comparison.unexplained).toEqual([])
  expect(ownRows(server)).toEqual([])
})

test('no wrong value of a server written by hand is found, and no row is left', async () => {
  const mood = 'a 429 now and then'
  const server = new ForeignServer(createRandom(70), 'rails')

  const comparison = await compareServer(moods[mood](server.fetch), serverKeys)

  const truth = metIn(mood, server.truth as Record<string, string>)
  expect(wrongIn(comparison, truth)).toEqual({})
  const isOwn = (row: object): boolean => JSON.stringify(row).includes('understudy ')
  const kept = [...server.annotations, ...server.plugins].filter(
    (row) => isOwn(row) && !row.deleted,
  )
  expect(kept.length).toBeLessThanOrEqual(comparison.left.length)
})
