import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSimulator, type Exchange, type WorldJson } from '../../../src/index.ts'
import { readScenario, readWorld } from '../../../src/node.ts'
import { scenarioFromTraffic } from '../../../src/scenarios/import/from-traffic.ts'
import { root } from '../../support/root.ts'

/** When the first request is sent. Each follows ten seconds after the previous one */
const start = Date.parse('2026-01-01T00:00:00Z')

/** What no response of these scenarios shows. */
const unknowable: Readonly<Record<string, string>> = {
  'documented-vs-live-profile': 'the settings change between the requests',
  'list-changes-between-pages': 'the row that moved the list is on no page',
  'project-of-another-organization': 'only a refusal shows a project, and not its organization',
}

const names = readdirSync(`${root}scenarios`).flatMap((file) =>
  file.endsWith('.schema.json') ? [] : (/^(.*)\.json$/.exec(file)?.[1] ?? []),
)

test.each(names)('the requests of %s replay whole in the world that they show', async (name) => {
  const { world, ...scenario } = await readScenario(`${root}scenarios/${name}.json`)
  const rows = typeof world === 'string' ? await readWorld(world) : world
  const exchanges: Exchange[] = []
  const recorded = await createSimulator({
    world: rows as WorldJson,
  }).replay(
    scenario,
    // An archive of a browser has no labels.
    {
      wrapTarget: (target) => ({
        ...target,
        async send(sent) {
          const { status, headers, text, broken } = await target.send(sent)
          const body = text === '' ? null : { text }
          exchanges.push({
            at: new Date(start + exchanges.length * 10_000).toISOString(),
            ms: 5,
            method: sent.method,
            url: sent.url,
            request: {
              headers: Object.entries(sent.headers),
              body: sent.body ? { text: sent.body } : null,
            },
            response: broken
              ? { status: 0, headers: [], body: null }
              : { status, headers: [...headers], body },
          })
          return { status, headers, text, broken }
        },
      }),
    },
  )
  const { profile = 'documented', settings = {} } = scenario

  const derived = await scenarioFromTraffic(exchanges, { profile, settings })
  const replayed = await createSimulator().replay(derived.scenario)

  expect([recorded.passed, replayed.passed]).toEqual([true, !(name in unknowable)])
})
