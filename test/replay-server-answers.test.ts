import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { startReplay } from './support/replay-server.ts'
import { create, list, read, readAll, story } from './support/story.ts'

test('links lead to where the answer came from, and are followed', async () => {
  const { ask, origin } = await startReplay(
    story([
      { ...readAll, query: { limit: 2 }, expect: { status: 200 }, save: { second: '/next' } },
      { as: 'all', method: 'GET', path: '{second}', expect: { body: { count: 77 } } },
    ]),
  )

  const first = await ask('GET', `${list}?limit=2`)
  const { next } = first.body as { next: string }
  const second = await ask('GET', next.slice(origin.length))

  expect(next).toBe(`${origin}${list}?limit=2&offset=2`)
  expect(second.body).toMatchObject({ count: 77, results: [{}, {}] })
})

test('what was answered is in the journal', async () => {
  const { ask, replay } = await startReplay(story([create]))
  const { journal } = replay.simulator

  await ask('POST', list, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere/')

  expect(journal.find()).toMatchObject([
    { operation: 'createAnnotation', answer: { status: 201, body: { content: 'Launched!' } } },
    { operation: null, answer: { status: 500, body: { code: 'not_recorded' } } },
  ])
})

test('a text and bytes are recorded as they are; addresses in an answer are where it came from', async () => {
  const post = { as: 'all', method: 'POST', path: list } as const
  const { ask, origin } = await startReplay(
    story([
      { ...post, text: '{"half": ', expect: { status: 400, text: { $text: '{base_url}/help' } } },
      { ...post, base64: '/wAB', expect: { status: 415 } },
    ]),
  )

  const other = await ask('POST', list, { raw: new Uint8Array([255, 0, 2]) })
  const half = await ask('POST', list, { raw: '{"half": ' })
  const bytes = await ask('POST', list, { raw: new Uint8Array([255, 0, 1]) })

  expect(other).toMatchObject({ status: 500, body: { code: 'not_recorded' } })
  expect(half).toEqual({ status: 400, body: `${origin}/help` })
  expect(bytes).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
})

test('an answer of bytes that are no text is sent as it was', async () => {
  const headers = { 'content-type': 'image/png' }
  const { origin } = await startReplay(
    story([{ ...readAll, expect: { status: 200, headers, base64: 'iVBOR/8=' } }]),
  )

  const answer = await fetch(origin + list, { headers: { authorization: 'Bearer phx_all' } })

  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe('iVBOR/8=')
})

test('a sandbox answers for itself', async () => {
  const { ask, replay } = await startReplay(story([create]))
  const { keys } = replay.simulator.sandboxes.create({ from: 'empty' })

  const answer = await ask('GET', '/api/projects/', { key: keys[0]?.value ?? '' })

  expect(answer).toMatchObject({ status: 200, body: { count: 1 } })
})

test('a recording that cannot be completed says so, in each answer', async () => {
  const { ask, replay } = await startReplay(
    story([{ ...read, expect: { body: { content: { $pattern: '^No$' } } } }]),
  )

  const fault =
    'steps[0].expect.body.content: expected a text that matches /^No$/, got "Release 1.0"'
  await expect(replay.ready()).rejects.toThrow(fault)
  expect(await ask('GET', `${list}1/`)).toMatchObject({
    status: 500,
    body: { code: 'not_replayable', detail: expect.stringContaining(fault) },
  })
})
