import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { createSimulator, scenarioReport } from '../../../src/index.ts'
import { fieldOfOneSide, formatDifference } from '../../../src/scenarios/run/differences.ts'
import { describeFailedSteps, formatStep } from '../../../src/scenarios/run/format-result.ts'
import { formatPath } from '../../../src/utils/errors.ts'
import { annotationsPath, pluginsPath } from '../../support/api/paths.ts'
import {
  createStory,
  listStep,
  postStep,
  readStep,
  runStory,
} from '../../support/scenarios/story.ts'

test('a difference is reported with its path and the setting that decides it', async () => {
  const result = await runStory([
    {
      ...{ ...readStep, title: 'hard delete', method: 'DELETE' },
      expect: { status: 404, body: { code: 'not_found' } },
    },
    { ...readStep, title: 'the row stays', expect: { status: 200 } },
  ])

  expect(result.passed).toBe(false)
  expect(scenarioReport(result).replaceAll(result.base_url, '')).toBe(`An annotation
  ✗ 1 hard delete
      DELETE /api/projects/1/annotations/1/
      status
        expected 404
        got      405
      body.code
        expected "not_found"
        got      "method_not_allowed"
      405: annotations cannot be deleted; send PATCH with {"deleted": true}
      due to setting annotations.delete.status = 405 (the documentation says that the caller is told to use PATCH, and shows no status); with 404 this step would pass
  ✓ 2 the row stays
  1 of 2 steps passed, 1 failed.`)
})

test('exact_body compares every field, and text every byte', async () => {
  const detail = 'Not found.'
  const missing = { as: 'all', method: 'GET', path: `${annotationsPath}999/` } as const
  const body = { type: 'invalid_request', code: 'not_found', detail }
  const result = await runStory([
    { ...missing, expect: { exact_body: body } },
    { ...missing, expect: { exact_body: { ...body, attr: null } } },
    { ...missing, expect: { text: `\ufeff${JSON.stringify({ ...body, attr: null })}` } },
  ])

  expect(result.steps.map(({ outcome }) => outcome)).toEqual(['failed', 'passed', 'passed'])
  expect(describeFailedSteps(result)).toEqual([
    { text: 'Only the simulator shows the field attr: 1 step.', steps: [] },
  ])
  expect(result.steps[0]?.differences).toEqual([
    { path: ['expect', 'exact_body', 'attr'], where: 'body.attr', expected: undefined, got: null },
  ])
})

test('a long page that differs in each row is reported by field', async () => {
  const annotations = Array(200).fill({ project: 1, deleted: false })
  const simulator = createSimulator({ world: generate({ projects: [{ id: 1 }], annotations }) })
  const path = `${annotationsPath}?limit=200`
  const exact_body = { count: 200, next: null, previous: null, results: Array(200).fill({}) }
  const step = { as: 'all', method: 'GET', path, expect: { exact_body } } as const

  const result = await simulator.run({ title: 'A long page', steps: [step] })

  expect(scenarioReport(result)).toContain(`
      body.results[].content, 200 times
        expected nothing
        got      `)
})

test('parts with a long path are one difference', async () => {
  const name = 'n'.repeat(500)
  const body = { name: 'Filter', config_schema: { [name]: { a: 1, b: 1 } } }
  const step = { as: 'all', method: 'POST', path: pluginsPath, body } as const
  const schemas = [{ [name]: { a: 2, b: 2 } }, body.config_schema]
  const result = await runStory(
    schemas.map((config_schema) => ({ ...step, expect: { body: { config_schema } } })),
  )

  expect(result.steps.map(({ differences }) => differences.map(({ got }) => got))).toEqual([
    [{ a: 1, b: 1 }],
    [],
  ])
})

test('steps that need a missing value are skipped', async () => {
  const result = await runStory([
    { ...readStep, save: { id: '/constructor' } },
    { as: 'all', method: 'GET', path: `${annotationsPath}{id}/` },
    { ...listStep, expect: { status: 200 } },
  ])
  const [, skipped] = describeFailedSteps(result)

  expect(scenarioReport(result).replaceAll(result.base_url, '')).toMatch(
    /save\.id\n +expected a value at \/constructor\n +got {6}nothing\n[\s\S]*- 2 GET [\s\S]* expected the value \{id\}, which an earlier step saves\n +got {6}nothing\n {2}✓ 3 /,
  )
  expect(scenarioReport(result)).toContain('1 of 3 steps passed, 1 failed, 1 skipped.')
  expect(skipped).toEqual({ text: expect.stringContaining('the value {id}'), steps: [1] })
})

test('an invalid change is a difference', async () => {
  const result = await runStory([readStep, { rows: { annotations: [{ project: 77 }] } }])

  expect(scenarioReport(result)).toMatch(/✗ 2 rows\n +rows\n +expected a valid change\n[\s\S]*77/)
  expect(result.steps[1]).not.toHaveProperty('reasons')
})

test('texts of a service and of a scenario end no line of a report', async () => {
  const step = { ...readStep, title: 'step\u001b', expect: { body: { content: 'text\u001b' } } }
  const result = await createSimulator().run(createStory([step], { title: 'title\u001b' }))

  expect(scenarioReport(result)).not.toContain('\u001b')
})

test('of many steps that fail, ten are described', async () => {
  const steps = Array.from({ length: 12 }, () => ({ ...listStep, expect: { status: 404 } }))
  const sentences = describeFailedSteps(await runStory(steps))

  expect(sentences.map(({ steps }) => steps)).toEqual(
    [...Array(10).keys()].map((at) => [at]).concat([[]]),
  )
  expect(sentences.at(-1)?.text).toBe('Not shown: 2 more steps.')
})

test('rows that differ in one field are grouped by what differs', () => {
  const difference = (path: (string | number)[], expected: unknown, got: unknown) => {
    return {
      path: ['expect', 'body', ...path],
      where: formatPath(['body', ...path]),
      expected,
      got,
    }
  }
  const differences = [
    difference(['results', 0, 'a'], 1, undefined),
    difference(['results', 1, 'a'], 2, undefined),
    difference(['results', 2, 'a'], undefined, 3),
    difference(['results', 0, 'b', 0], 'x', 'y'),
    difference(['results', 1, 'b', 0], 'x', 'y'),
    difference(['results', 2, 'b', 0], 'x', 'z'),
    difference(['config_schema', 'c'], 1, undefined),
  ]
  const failed = { step: 1, title: 'A', outcome: 'failed', ms: 1 } as const
  const sent = { request: null, response: null, decided_by: [], settings: [] }

  const places = formatStep({ ...failed, ...sent, differences }).match(/(?<=^ {6})body.*$/gm)

  expect(places).toEqual([
    'body.results[].a, 2 times',
    'body.results[2].a',
    'body.results[].b[], 2 times',
    'body.results[2].b[0]',
    'body.config_schema.c',
  ])
  expect(differences.map(fieldOfOneSide)).toEqual(['a', 'a', 'a', null, null, null, null])
})

test('a response with another status says nothing about the fields of a service', async () => {
  const story = createStory([{ ...listStep, expect: { status: 404, body: { reason: 'gone' } } }])

  const sentences = describeFailedSteps(await createSimulator().run(story))

  expect(sentences).toEqual([
    {
      text: '{steps} does not replay as recorded: expected status 404, got 200, and 1 more difference.',
      steps: [0],
    },
  ])
})

test('a field that several rows lack counts once for each step', async () => {
  const expectReason = { body: { results: [{ reason: 1 }, { reason: 1 }] } }
  const step = { ...listStep, path: `${annotationsPath}?limit=2`, expect: expectReason }

  const sentences = describeFailedSteps(await createSimulator().run(createStory([step, step])))

  const text = 'Only the recorded service shows the field reason: 2 steps.'
  expect(sentences).toEqual([{ text, steps: [] }])
})

test.each(['https://example.com/avatar.png', 'http://localhost1/api/projects/'])(
  'a saved URL of another server is not requested: %s',
  async (elsewhere) => {
    const body = { content: elsewhere }

    const result = await runStory([
      { ...postStep, body, save: { url: '/content' } },
      { as: 'all', method: 'GET', path: '{url}' },
    ])

    expect([result.steps[0]?.differences, result.steps[1]?.undecided]).toEqual([[], undefined])
    expect(result.steps[1]).toMatchObject({
      request: { method: 'GET', url: elsewhere },
      response: null,
      differences: [{ where: 'path', expected: `a URL below ${result.base_url}`, got: elsewhere }],
    })
  },
)

test('a difference of lists shows the items that only one of them has', async () => {
  const items = (...ids: number[]) => ids.map((id) => ({ id, tag: { $match: 'any' } }))
  const lengths = (expected: unknown[], got: unknown[], part = 'body') => {
    const path = ['expect', part, 'results']
    return formatDifference({ path, where: 'body.results', expected, got, inLength: true })
  }
  const got = [1, 2, 3].map((id) => ({ id, tag: 'x' }))

  expect(lengths(items(1, 3), got)).toEqual({
    expected: '2 items',
    got: '3 items, [1] is {"id":2,"tag":"x"}',
  })
  expect(lengths(items(1, 2, 3, 7), got)).toEqual({
    expected: '4 items, [3] is {"id":7,"tag":{"$match":"any"}}',
    got: '3 items',
  })
  expect(lengths([{ id: 1 }], got, 'exact_body').got).toContain('[0] is')
  expect(lengths([], got.slice(0, 1))).toEqual({
    expected: '0 items',
    got: '1 item, [0] is {"id":1,"tag":"x"}',
  })
  expect(lengths([9, 8, 7, 6, 5], [1])).toEqual({
    expected: '5 items, [0] is 9, [1] is 8, [2] is 7, …',
    got: '1 item, [0] is 1',
  })
})

test.each([
  [39, '"xx', '"xx'],
  [40, '…"xx', '…"xx'],
])('long texts that are equal in %i characters are cut', (length, expected, got) => {
  const [path, start] = [['expect', 'body', 'tag'], 'x'.repeat(length)]
  const difference = { path, where: 'body.tag', expected: `${start}red`, got: `${start}blue` }

  expect(formatDifference(difference)).toEqual({
    expected: expect.stringMatching(new RegExp(`^${expected}.*red"$`)),
    got: expect.stringMatching(new RegExp(`^${got}.*blue"$`)),
  })
})

test('a text is compared with a missing value', () => {
  const where = 'body.tag'
  const difference = { path: ['expect', 'body', 'tag'], where, expected: 'red', got: undefined }

  expect(formatDifference(difference)).toEqual({ expected: '"red"', got: 'nothing' })
})
