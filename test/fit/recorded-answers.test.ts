import { expect, test } from 'vitest'
import { shownNumbers } from '../../src/explain/expected-answer.ts'
import { RecordedAnswers } from '../../src/fit/recorded-answers.ts'
import { parseScenario } from '../../src/scenarios/format/check-scenario.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { acme } from '../support/api/paths.ts'
import { createStory, listStep, postStep, readStep, runStory } from '../support/scenarios/story.ts'

const settings = resolveSettings('documented')

test('a write that the service refused is undone', async () => {
  const get = (path: string) => ({ ...listStep, path, expect: { status: 200 } })
  const answers = new RecordedAnswers(
    parseScenario(
      createStory([
        { ...postStep, body: {}, expect: { status: 500 } },
        { ...listStep, expect: { body: { count: 6 } } },
        get(`/api/organizations/${acme}/plugins/`),
        get('/api/projects/'),
      ]),
    ),
  )

  const compared = await answers.compare({ settings, world: {} })

  expect(compared.map(({ differences }) => differences?.size)).toEqual([1, 0, 0, 0])
})

test('a response that a fault replaced shows no setting', async () => {
  const fault = { phase: 'after-commit', effect: { drop: true } } as const
  const answers = new RecordedAnswers(parseScenario(createStory([{ fault }, postStep])))

  const [compared] = await answers.compare({ settings, world: {} })

  expect(compared?.withOthers.size).toBe(0)
})

test.each([
  ['a body that was too large', 'limits.body', { body: { a: 1 }, expect: { status: 413 } }, [6]],
  ['a body that was accepted', 'limits.body', { body: { a: 1 }, expect: { status: 201 } }, []],
  [
    'a page, and its links',
    'annotations.list.limit.default',
    {
      expect: {
        body: { results: [1, 2], next: '/?limit=2', previous: { $saved: '{base_url}/?limit=3' } },
      },
    },
    [2, 2, 3],
  ],
] as const)('a recording shows the numbers of %s', (_what, id, step, numbers) => {
  expect(shownNumbers(id, { ...listStep, ...step })).toEqual(numbers)
})

test('the setting that decides a step is found if a read before it saves a value', async () => {
  const { steps } = await runStory([
    { ...listStep, save: { id: '/results/0/id' } },
    { ...readStep, method: 'DELETE', path: `${listStep.path}{id}/`, expect: { status: 404 } },
  ])

  expect(steps[1]?.decided_by).toMatchObject([{ id: 'annotations.delete.status' }])
})
