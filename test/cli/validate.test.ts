import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFile } from '../support/files.ts'
import { writeScenarioFile } from '../support/scenarios/story.ts'

const step = { as: 'al', method: 'GET', path: '/api/projects/' }

test.each([
  ['a label that the default world does not have', {}],
  ['a world that does not exist', { world: 'defualt' }],
  ['a seed that is not a whole number', { seed: 1.5 }],
  ['misspelt steps', { steps: undefined, stepz: [step] }],
])('validate refuses what a replay refuses: %s', async (_, head) => {
  const file = writeScenarioFile([step], head)

  const [validated, replayed] = [await run(['validate', file]), await run(['replay', file])]

  expect([validated.code, replayed.code]).toEqual([2, 2])
  expect(validated.stderr.split('\n').slice(1)).toEqual(replayed.stderr.split('\n').slice(1))
})

const scenario = (problem: string) => `is not a valid scenario: 1 problem\n  ${problem}`

test.each([
  ['null', 'is null, not a world. A world is an object of lists.'],
  [
    { title: 'A', world: 'defualt', steps: [step] },
    scenario(
      'world: expected one of default, empty, odd, crowded, got "defualt". Did you mean default?',
    ),
  ],
  // Without the advice to generate the field, which is for worlds.
  [
    { title: 'A', steps: [{ method: 'GET' }] },
    scenario('steps[0].path: expected string, got nothing'),
  ],
])('validate names the file and the problem of %j', async (content, problem) => {
  const file = temporaryFile(content)

  expect(await run(['validate', file])).toEqual(badUse(`${file} ${problem}\n`))
})

test('each issue of a long scenario has the path of its step, and any step may use what an earlier one saves', async () => {
  const read = { ...step, as: 'all', save: { first: '/count' } }
  const steps = Array.from({ length: 1_200 }, () => read)
  const later = { ...read, path: '/api/projects/{first}/' }

  const valid = await run(['validate', writeScenarioFile([...steps, later])])
  const wrong = await run(['validate', writeScenarioFile([...steps, { ...read, as: 5 }])])

  expect([valid.code, wrong.stderr.split('\n').slice(1)]).toEqual([
    0,
    ['  steps[1200].as: expected string, got 5', ''],
  ])
})
