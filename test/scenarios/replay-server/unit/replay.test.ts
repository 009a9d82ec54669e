import { expect, test } from 'vitest'
import { bodyText } from '../../../../src/http/messages.ts'
import type { Step } from '../../../../src/index.ts'
import type { UnexpectedRequest } from '../../../../src/scenarios/replay-server/replay-options.ts'
import { toJsonText } from '../../../../src/utils/json-text.ts'
import { askReplay, openStory } from '../../../support/scenarios/direct-replay.ts'
import { annotationsPath, listStep, readStep } from '../../../support/scenarios/story.ts'

const path = `${annotationsPath}1/`
const answering = (expect: object, more: object = {}) => ({ ...readStep, expect, ...more }) as Step

test('a replay lists the requests of its recording by their steps', async () => {
  const replay = openStory([
    { advance: { days: 1 } },
    { ...readStep, title: 'read' },
    { ...listStep, path: '/a/{base_url}' },
  ])
  await askReplay(replay, path)

  const [read, other] = [
    { step: 2, title: 'read', method: 'GET', path, count: 1 },
    { step: 3, title: 'GET /a/{base_url}', method: 'GET', path: '/a/{base_url}', count: 0 },
  ]
  expect([replay.title, replay.mode]).toEqual(['An annotation', 'strict'])
  expect([replay.requests, replay.unused, replay.unexpected]).toEqual([[read, other], [other], []])
  expect(['/a/b', '/a/', '/b/c', path].map((one) => replay.hasPath(one))).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('the latest hundred requests that are not recorded are kept, and each is told', async () => {
  const calls: UnexpectedRequest[] = []
  const replay = openStory([readStep], { onUnexpected: (one) => calls.push(one) })

  for (let id = 1; id <= 102; id++) await askReplay(replay, `/api/${id}/?personal_api_key=phx_all`)

  expect(calls).toHaveLength(102)
  expect(replay.unexpected).toEqual(calls.slice(2))
  expect(calls[2]).toEqual({
    method: 'GET',
    path: '/api/3/?personal_api_key=phx_%E2%80%A6',
    nearest: {
      step: 1,
      title: `GET ${path}`,
      differences: [
        `path: expected ${path.slice(0, -1)}, got /api/3`,
        'query.personal_api_key: expected nothing, got "phx_…"',
      ],
    },
  })
})

test('a request that is not recorded is refused with the nearest one', async () => {
  const response = await askReplay(openStory([readStep]), `${path}?limit=1`)

  expect(response).toMatchObject({
    status: 500,
    headers: { 'content-type': 'application/json', 'understudy-nearest': 'step 1' },
    body: toJsonText({
      type: 'server_error',
      code: 'not_recorded',
      detail: `GET ${path}?limit=1 is not recorded. Nearest: step 1, GET ${path} (query.limit: expected nothing, got "1"). Record it, or use the mode fallback to simulate the response.`,
      attr: null,
    }),
  })
})

test('a rewound replay starts again', async () => {
  const replay = openStory([answering({ body: { content: { $match: 'text' } } })])
  const first = await askReplay(replay, path)
  await askReplay(replay, path)

  replay.rewind()

  expect([replay.unexpected, replay.unused.length]).toEqual([[], 1])
  expect(await askReplay(replay, path)).toEqual(first)
})

test.each([
  [
    [{ ...readStep, as: 'unknown' }],
    'Failed to replay the scenario: 1 problem. Nothing was run.\n  steps[0].as: expected the label of a key (',
  ],
  [
    [{ rows: { annotations: [{ project: 77 }] } }, readStep],
    'Failed to replay the scenario: 1 problem. Nothing was run.\n  steps[0].rows: expected a valid change, got Failed to add rows',
  ],
  [
    [answering({ body: { content: { $not: { $match: 'text' } } } })],
    'Failed to replay the scenario: 1 problem. Nothing was run.\n  steps[0].expect.body.content: expected anything but a string, got "Release 1.0"',
  ],
] as const)(
  'the recording %j cannot be replayed, and each response says why',
  async (steps, message) => {
    const replay = openStory(steps)

    await expect(replay.ready()).rejects.toThrow(message)
    const { status, body } = await askReplay(replay, path)
    expect([status, JSON.parse(bodyText(body))]).toMatchObject([
      500,
      { code: 'not_replayable', detail: expect.stringContaining(message) },
    ])
  },
)
