import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connect } from '../../../src/admin/connect.ts'
import type { Scenario } from '../../../src/scenarios/format/scenario.ts'
import { temporaryFolder } from '../../support/files.ts'
import { serve } from '../../support/transports/start.ts'

const story: Scenario = {
  title: 'Changed',
  steps: [
    { rows: { annotations: [{ content: 'New' }] }, save: { id: '/annotations/0' } },
    {
      as: 'all',
      method: 'PATCH',
      path: '/api/projects/1/annotations/{id}/',
      body: { deleted: true },
      expect: { status: 200 },
    },
  ],
}

test('a replay request names the world of a scenario that has none', async () => {
  const { origin } = await serve()
  const { scenarios } = connect(origin)
  const path = '/api/projects/1/annotations/'
  const step = { as: 'all', method: 'GET', path, expect: { body: { count: 0 } } }
  const count = { title: 'Count', steps: [step] }

  expect(await scenarios.run(count, { world: 'empty' })).toMatchObject({ passed: true })
  expect(await scenarios.run(count, { world: 'default' })).toMatchObject({ passed: false })
  expect(await scenarios.run({ ...count, world: 'default' }, { world: 'empty' })).toMatchObject({
    passed: false,
  })
  await expect(scenarios.run(count, { world: 'emtpy' })).rejects.toThrow(
    'Failed to run the scenario: expected current, or the name of a loaded fixture or a sandbox, such as "current", "default", "empty", got "emtpy". Did you mean empty?',
  )
  expect(await scenarios.run({ ...count, world: 'odd' })).toMatchObject({ passed: false })
})

test('a recording is opened with the faults of one phase of its test, to which a reset returns', async () => {
  const { scenarios, faults, reset } = connect((await serve()).origin)
  const faultsWith = (status: number) => [{ effect: { status } }]
  const both = { faults: faultsWith(502), faults_after_commit: faultsWith(503), expect: [] }
  const opened = []

  for (const phase of ['recorded', 'after-commit'] as const) {
    await scenarios.open({ ...story, test: both }, { phase })
    await reset()
    opened.push((await faults.list()).map(({ effect }) => effect))
  }

  expect(opened).toEqual([[{ status: 502 }], [{ status: 503 }]])
})

test('scenarios of a folder are listed first, with the error of an invalid one', async () => {
  const folder = temporaryFolder({ 'mine.json': story, 'broken.json': { title: 'x', steps: [] } })
  const { origin } = await serve({}, { scenarios: folder })
  const { scenarios } = connect(origin)

  const listed = await scenarios.list()

  expect(listed.slice(0, 2)).toEqual([
    {
      name: 'broken',
      title: 'broken',
      description: null,
      steps: 0,
      from: 'folder',
      issue: expect.stringMatching(
        /broken\.json: 1 problem.*\n {2}steps: expected at least one, got \[\]$/,
      ),
    },
    { name: 'mine', title: 'Changed', description: null, steps: 2, from: 'folder', issue: null },
  ])
  expect(listed.slice(2).every(({ from, issue }) => from === 'package' && issue === null)).toBe(
    true,
  )
  expect(await scenarios.get('mine')).toEqual(story)
  expect(await scenarios.get('none')).toBeUndefined()
  const missing = await fetch(`${origin}/__admin/scenarios/mnie`)
  expect((await missing.json()).detail).toMatch(/Did you mean "mine"\?$/)
  expect(await scenarios.verify('mine')).toMatchObject({ passed: false })
  await expect(scenarios.run('mnie')).rejects.toThrow(
    /^Failed to find the scenario: expected one of (?:[a-z0-9-]+, )+[a-z0-9-]+, got "mnie"\. Did you mean mine\?$/,
  )
})

test('a folder that cannot be read is an error at the start, and when scenarios are listed', async () => {
  const folder = temporaryFolder()
  const { origin } = await serve({}, { scenarios: folder })
  rmSync(folder, { recursive: true })

  await expect(connect(origin).scenarios.list()).rejects.toThrow(`${folder} not found.`)
  await expect(serve({}, { scenarios: '/nowhere' })).rejects.toThrow('/nowhere not found.')
})
