import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type JournalEntry, type Simulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { temporaryFolder } from '../support/files.ts'
import { initOf } from '../support/transports/client.ts'
import { importNamed, importText } from './import-text.ts'

/** The journal of a client whose create was carried out, although its response was lost. */
async function journalOfLostCreate(): Promise<readonly JournalEntry[]> {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const effect = { drop: true } as const
  const when = { times: 1 }
  simulator.faults.add({ operation: 'createAnnotation', when, phase: 'after-commit', effect })
  const create = () =>
    simulator.fetch(annotationsPath, initOf('POST', { body: { content: 'Launch' } }))
  await create().catch(() => {})
  await create()
  await simulator.fetch(annotationsPath, initOf('GET', {}))
  return simulator.journal.find()
}

const inLines = (entries: readonly object[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\r\n\n`).join('')

test.each([
  ['is a list', JSON.stringify],
  ['has a line for each entry, and blank ones', inLines],
])('a journal that %s becomes a scenario with the name of what failed', async (_, format) => {
  const { scenario, says } = await importText(`\uFEFF${format(await journalOfLostCreate())}`)

  expect(says).toBe('3 requests.')
  expect(scenario).toMatchObject({
    title: 'Create annotation: response lost after the write, and the retry made a duplicate',
    steps: [
      { fault: { operation: 'createAnnotation', effect: { drop: true } } },
      { method: 'POST', path: annotationsPath, expect: { broken: true } },
      { method: 'POST', path: annotationsPath, expect: { status: 201 } },
      { method: 'GET', path: annotationsPath, expect: { status: 200 } },
    ],
  })
})

const importJournal = ({ journal }: Simulator) => importText(JSON.stringify(journal.find()))

test('a form in a journal is sent as a form', async () => {
  const simulator = createSimulator({ profile: 'live' })
  const body = new URLSearchParams({ content: 'Launch & more', scope: 'project' })
  await simulator.fetch(annotationsPath, initOf('POST', { raw: body }))

  const { scenario } = await importJournal(simulator)

  expect(scenario.steps).toMatchObject([
    { method: 'POST', text: `${body}`, expect: { status: 201 } },
  ])
})

test('a body that a journal did not keep is omitted, and no text', async () => {
  const simulator = createSimulator({ journal: { body: 10 } })
  await simulator.fetch(annotationsPath, initOf('GET', {}))

  const { scenario } = await importJournal(simulator)

  expect(scenario.steps[0].expect).toEqual({ status: 200 })
})

test('the scenario of a journal is in the working directory, and never in place of the journal', async () => {
  const journal = await journalOfLostCreate()
  const [own, other] = [temporaryFolder({ 'run.json': journal }), temporaryFolder()]
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))

  for (const folder of [own, other]) {
    process.chdir(folder)
    const file = folder === own ? 'run.json' : join(own, 'run.json')
    await importNamed(file, { runner: 'vitest' })
  }

  expect(readdirSync(own).sort()).toEqual([
    ...['run.json', 'run.scenario.json', 'run.scenario.test.ts'],
  ])
  expect(readdirSync(other).sort()).toEqual(['run.json', 'run.test.ts'])
  expect(JSON.parse(readFileSync(join(own, 'run.json'), 'utf8'))).toHaveLength(3)
})

test('flags of archives are refused for a journal, and an invalid journal is not read', async () => {
  const journal = JSON.stringify(await journalOfLostCreate())

  await expect(importText(journal, { base: 'https://a.test' }, 'a.json')).rejects.toThrow(
    '--base is about HAR archives. a.json is a journal.',
  )
  await expect(importText('[{"id":1}]', {}, 'other.json')).rejects.toThrow(
    /^other\.json is not a valid journal: \d+ problems?\./,
  )
})
