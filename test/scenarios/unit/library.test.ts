import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  listScenarioNames,
  openScenarioLibrary,
  readScenario,
} from '../../../src/scenarios/library.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { UsageError } from '../../../src/utils/usage-error.ts'
import { temporaryFolder } from '../../support/files.ts'

const steps = [{ method: 'GET', path: '/api/projects/' }]

/** Reads a scenario file with a content. Returns the message of the error, without the path of its folder. */
async function failToRead(content: object, name = 'story.json'): Promise<string> {
  const folder = temporaryFolder({ [name]: content })
  const error = await readScenario(join(folder, name)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message.replaceAll(`${folder}/`, '')
}

test('a library lists the scenarios of a folder, then those of the package, by name', async () => {
  const folder = temporaryFolder({
    'zebra.json': { title: 'Last', steps },
    'response-lost-after-create.json': {
      title: 'Mine',
      description: 'It replaces one.',
      steps: [],
    },
    'broken.json': { title: 'Broken', steps: 1 },
    'own.schema.json': {},
    'notes.txt': {},
  })

  const all = await openScenarioLibrary(folder).list()

  const own = all.filter(({ from }) => from === 'folder')
  expect(own).toMatchObject([
    { name: 'broken', title: 'broken', description: null, steps: 0, from: 'folder' },
    { name: 'response-lost-after-create', issue: expect.stringContaining('steps: ') },
    { name: 'zebra', title: 'Last', description: null, steps: 1, from: 'folder', issue: null },
  ])
  const packaged = all.slice(own.length)
  const names = packaged.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  expect(names).toContain('put-replaces-an-annotation')
  expect(names).not.toContain('response-lost-after-create')
  expect(packaged.map(({ from, issue }) => [from, issue])).toEqual(
    packaged.map(() => ['package', null]),
  )
})

test('only a folder has scenarios', async () => {
  const folder = temporaryFolder({ 'a.json': {}, 'b.JSON': {}, json: {} })
  const file = join(folder, 'a.json')

  expect(await listScenarioNames(folder)).toEqual(['a'])
  await expect(listScenarioNames(file)).rejects.toThrow(
    new UsageError(`${file} is not a folder. Name the folder of the scenarios.`),
  )
  await expect(listScenarioNames('/nowhere')).rejects.toThrow(new UsageError('/nowhere not found.'))
})

test('the name of a fixture can be replaced by its rows', async () => {
  const folder = temporaryFolder({
    'story.json': { title: 'A story', world: 'default', steps },
    'other.json': { title: 'A story', world: 'defalt', steps },
    'rows.json': { title: 'A story', world: { projects: [] }, steps },
  })
  const named = await readScenario(join(folder, 'story.json'), { inlineWorld: false })
  const inlined = await readScenario(join(folder, 'story.json'), { inlineWorld: true })
  const rows = await readScenario(join(folder, 'rows.json'), { inlineWorld: true })
  const other = join(folder, 'other.json')

  expect(named.world).toBe('default')
  expect(inlined.world).toMatchObject({ projects: expect.any(Array), keys: expect.any(Array) })
  expect(createSimulator({ world: rows.world ?? 'default' }).world.toJSON().projects).toEqual([])
  await expect(readScenario(other, { inlineWorld: true })).rejects.toThrow(
    `Failed to read the world of ${other}: expected one of default, empty, odd, crowded, got "defalt". Did you mean default?`,
  )
})

test('a HAR archive and a world are not read as a scenario, and the message names the command', async () => {
  const har = { log: { entries: [] } }

  expect(await failToRead(har, 'session.har')).toBe(
    'session.har is a HAR archive, not a scenario. Import it first: npx understudy-api import session.har --out session.scenario.json',
  )
  expect(await failToRead(har, 'har.json')).toContain(' import har.json --out har.scenario.json')
  expect(await failToRead(har, 'x.har.JSON.txt')).toContain('--out x.har.JSON.txt.scenario.json')
  expect(await failToRead({ generate: {} })).toBe(
    'story.json is a world, not a scenario. Serve it: npx understudy-api serve --data story.json',
  )
  expect(await failToRead({ annotations: [] })).toContain('story.json is a world')
})

test.each([
  [[], /story\.json/],
  [{ log: [] }, /log/],
  [{ log: { lines: [] } }, /log/],
  [{ title: 'A story', steps, annotations: [] }, /annotations/],
])('%j is an invalid scenario', async (content, message) => {
  const issue = await failToRead(content)

  expect(issue).toMatch(message)
  expect(issue).not.toMatch(/HAR|is a world/)
})

test('a URL of the network is refused, as Vitest makes of a file beside a test of a page', async () => {
  const url = new URL('http://localhost:3000/story.json')

  await expect(readScenario(url)).rejects.toThrow(
    new UsageError(
      'Failed to read the scenario: expected a path or a file: URL, got "http://localhost:3000/story.json". Vitest rewrites new URL(\'…\', import.meta.url) in tests of pages: put the text into a variable, or pass a path.',
    ),
  )
})
