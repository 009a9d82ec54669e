import { expect, test } from 'vitest'
import { settingIds } from '../../../src/settings/setting.ts'
import { compareServer, foundIn, wrongIn } from '../../support/compare/compare-server.ts'
import { ForeignServer, serverKeys } from '../../support/compare/foreign-server.ts'
import { lieOnce, moods } from '../../support/compare/moods.ts'
import {
  allKeys,
  createServer,
  isVisible,
  ownRows,
  randomSettings,
} from '../../support/compare/own-server.ts'
import { isLong } from '../../support/long.ts'
import { createRandom } from '../../support/random.ts'

const seeds = (count: number): number[] => Array.from({ length: isLong ? 50 : count }, (_, i) => i)

test.each(seeds(1))('the settings of a simulator are found: seed %i', async (seed) => {
  const server = createServer(randomSettings(createRandom(seed)))
  const settings = server.settings.values

  const comparison = await compareServer((url, init) => server.fetch(url, init), allKeys)

  const visible = settingIds.filter((id) => isVisible(id, settings))
  const found = foundIn(comparison)
  expect(wrongIn(comparison, settings)).toEqual({})
  expect(visible.filter((id) => !(id in found)).length).toBeLessThan(visible.length * 0.06)
  expect(comparison.unexplained).toEqual([])
  expect(ownRows(server)).toEqual([])
})

const styles = ['detail', 'fastapi', 'rails', 'problem'] as const

test.runIf(isLong).each(seeds(1))(
  'the settings of a server written by hand are found: seed %i',
  async (seed) => {
    const server = new ForeignServer(
      createRandom(seed),
      styles[seed % styles.length] as (typeof styles)[0],
    )

    const comparison = await compareServer(server.fetch, serverKeys)

    const truth = server.truth as Record<string, string>
    expect(wrongIn(comparison, truth)).toEqual({})
    expect(Object.keys(foundIn(comparison)).length).toBeGreaterThan(Object.keys(truth).length * 0.7)
    expect(comparison.left).toEqual([])
  },
)

const somewhere = { ...moods, 'a lie': lieOnce(40, 5) }
const names = Object.keys(somewhere) as (keyof typeof somewhere)[]

test.each(isLong ? names : (['a 429 now and then'] as const))(
  'no wrong value is found, and no row is left: %s',
  async (name) => {
    for (const [seed, style] of (isLong ? styles : (['rails'] as const)).entries()) {
      const ids = seed % 2 === 0 ? 'numbers' : 'uuids'
      const server = new ForeignServer(createRandom(seed + 70), style, ids)

      const comparison = await compareServer(somewhere[name](server.fetch), serverKeys)

      expect(wrongIn(comparison, metIn(name, server.truth as Record<string, string>))).toEqual({})
      const isOwn = (row: object): boolean => JSON.stringify(row).includes('understudy ')
      const kept = [...server.annotations, ...server.plugins].filter(
        (row) => isOwn(row) && !row.deleted,
      )
      expect(kept.length).toBeLessThanOrEqual(comparison.left.length)
    }
  },
)

/** The values that a client meets, which are what a mood makes of those of the server. */
function metIn(mood: string, truth: Readonly<Record<string, string>>): Record<string, string> {
  if (mood === 'a 429 now and then') return { ...truth, 'limits.retry_after': 'present' }
  if (mood !== 'errors as pages') return truth
  // A page takes the place of each error, also of one without a body.
  const met = truth['annotations.delete.status']?.replace('405_empty', '405')
  return { ...truth, 'errors.body': 'html', ...(met && { 'annotations.delete.status': met }) }
}
