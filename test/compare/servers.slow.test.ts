import { expect, test } from 'vitest'
import type { Comparison } from '../../src/compare/comparison.ts'
import { settingIds } from '../../src/settings/setting.ts'
import { compareServer, foundIn, wrongIn } from '../support/compare/compare-server.ts'
import { styles } from '../support/compare/foreign-errors.ts'
import { serverKeys } from '../support/compare/foreign-messages.ts'
import { ForeignServer } from '../support/compare/foreign-server.ts'
import { lieOnce, metIn, moods } from '../support/compare/moods.ts'
import {
  createServer,
  isVisible,
  ownRows,
  randomSettings,
  randomWorld,
} from '../support/compare/own-server.ts'
import { isLong } from '../support/long.ts'
import { createRandom, type Random } from '../support/random.ts'

const seeds = (count: number): number[] => Array.from({ length: isLong ? 50 : count }, (_, i) => i)

/** What comparisons found, in sum. */
class Tally {
  readonly #name: string
  readonly #start = process.cpuUsage()
  servers = 0
  known = 0
  found = 0
  requests = 0
  wrong: object[] = []

  constructor(name: string) {
    this.#name = name
  }

  /** @param ids the settings that the server shows */
  add(comparison: Comparison, truth: object, ids: readonly string[]): void {
    const found = foundIn(comparison)
    this.servers += 1
    this.known += ids.length
    this.found += ids.filter((id) => id in found).length
    this.requests += comparison.requests
    const wrong = wrongIn(comparison, truth as Record<string, string>)
    if (Object.keys(wrong).length > 0) this.wrong.push(wrong)
  }

  print(): void {
    const { user, system } = process.cpuUsage(this.#start)
    const cpu = ((user + system) / 1e6 / this.servers).toFixed(1)
    const share = ((100 * this.found) / this.known).toFixed(1)
    console.info(
      `${this.#name}: ${this.servers} servers, ${this.found} of ${this.known} found (${share} %), ${this.wrong.length} with wrong values, ${Math.round(this.requests / this.servers)} requests and ${cpu} s of CPU each`,
    )
  }
}

test('simulators with random settings, rows and keys: no wrong value, and 97 % of what shows', async () => {
  const tally = new Tally('simulators')
  // 18: the catalogue has a plugin, and an empty list is a 404.
  for (const seed of isLong ? seeds(50) : [0, 18]) {
    const random = createRandom(seed + 1_000)
    const { world, keys } = randomWorld(random)
    const server = createServer(randomSettings(random), world)
    const settings = server.settings.values

    const comparison = await compareServer((url, init) => server.fetch(url, init), keys)

    tally.add(
      comparison,
      settings,
      settingIds.filter((id) => isVisible(id, settings)),
    )
    expect(ownRows(server)).toEqual([])
  }
  tally.print()
  expect(tally.wrong).toEqual([])
  expect(tally.found).toBeGreaterThan(tally.known * 0.97)
})

/** One key or more of each kind. The first one can do most, or nothing. */
function someKeys(keys: Readonly<Record<string, string>>, random: Random): Record<string, string> {
  const entries = Object.entries(keys)
  const some = entries.filter(() => random.below(2) === 0)
  return Object.fromEntries(some.length > 0 ? some : [random.pick(entries)])
}

test('simulators with some of the keys, with and without writes: no wrong value', async () => {
  const tally = new Tally('some keys')
  for (const seed of seeds(2)) {
    const random = createRandom(seed + 2_000)
    const { world, keys } = randomWorld(random)
    const server = createServer(randomSettings(random), world)
    const allowWrites = random.below(2) === 0
    const fetch = server.fetch.bind(server)

    const comparison = await compareServer(fetch, someKeys(keys, random), {
      allowWrites,
    }).catch((error: Error) => error)

    // A key without scopes may read no list.
    if (comparison instanceof Error) continue
    tally.add(comparison, server.settings.values, settingIds)
    expect(ownRows(server)).toEqual([])
  }
  tally.print()
  expect(tally.wrong).toEqual([])
})

test.each(styles)('servers written by hand, errors as %s: no wrong value', async (style) => {
  const tally = new Tally(style)
  for (const seed of seeds(1)) {
    const server = new ForeignServer(createRandom(seed + 3_000), style)

    const comparison = await compareServer(server.fetch, serverKeys)

    tally.add(comparison, server.truth, Object.keys(server.truth))
    expect(comparison.left).toEqual([])
  }
  tally.print()
  expect(tally.wrong).toEqual([])
  expect(tally.found).toBeGreaterThan(tally.known * 0.7)
})

const somewhere = { ...moods, 'a lie': lieOnce(40, 5), 'another lie': lieOnce(90, 3) }
const names = Object.keys(somewhere) as (keyof typeof somewhere)[]

test.each(isLong ? names : names.slice(0, 2))(
  '%s: no wrong value, and no row is left',
  async (name) => {
    const tally = new Tally(name)
    for (const [at, style] of [...styles, ...styles].entries()) {
      const ids = at < styles.length ? 'numbers' : 'uuids'
      const server = new ForeignServer(createRandom(at + 4_000), style, ids)

      const comparison = await compareServer(somewhere[name](server.fetch), serverKeys)

      const truth = metIn(name, server.truth as Record<string, string>)
      tally.add(comparison, truth, Object.keys(truth))
      const kept = [...server.annotations, ...server.plugins].filter(
        (row) => JSON.stringify(row).includes('understudy ') && !row.deleted,
      )
      expect(kept.length).toBeLessThanOrEqual(comparison.left.length)
      if (!isLong && at === 1) break
    }
    tally.print()
    expect(tally.wrong).toEqual([])
    if (name === 'a proxy that adds headers') expect(tally.found).toBeGreaterThan(tally.known / 2)
  },
)
