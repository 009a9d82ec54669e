import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/scenarios/story.ts'
import { startStory } from '../../support/transports/playback-server.ts'

test('the time of a request does not grow with the recording', async () => {
  const offsets = Array.from({ length: 8_000 }, (_, offset) => offset)
  const steps = offsets.map((offset) => ({
    ...{ as: 'all', method: 'GET', path: annotationsPath, query: { offset } },
    expect: { status: 200 },
  }))
  const { ask, playback } = await startStory(steps)

  for (const offset of offsets) await ask('GET', `${annotationsPath}?offset=${offset}`)

  expect([playback.unused, playback.unexpected]).toEqual([[], []])
})
