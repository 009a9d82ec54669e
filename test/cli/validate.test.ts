import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'
import { writeScenarioFile } from '../support/scenarios/scenario-files.ts'

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

test('validate names the file and its world if no fixture has this name', async () => {
  const file = writeScenarioFile([step], { world: 'defualt' })

  const { code, stderr } = await run(['validate', file])

  expect([code, stderr]).toEqual([
    2,
    `${file} is not a valid scenario: 1 problem\n` +
      '  world: expected one of default, empty, odd, crowded, got "defualt". Did you mean default?\n',
  ])
})

test('validate names a file that holds only null', async () => {
  const file = temporaryFile('null')

  const { code, stderr } = await run(['validate', file])

  expect([code, stderr]).toEqual([
    2,
    `${file} is null, not a world. A world is an object of lists.\n`,
  ])
})

test('validate does not advise to generate the fields of a step', async () => {
  const file = temporaryFile({ title: 'A list', steps: [{ method: 'GET' }] })

  const { stderr } = await run(['validate', file])

  expect(stderr).toBe(
    `${file} is not a valid scenario: 1 problem\n  steps[0].path: expected string, got nothing\n`,
  )
})
