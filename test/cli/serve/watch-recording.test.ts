import { writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { withoutTimes } from '../../support/cli/output.ts'
import { type Serving, startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
const read = (id: number, content: string): object => ({
  ...{ as: 'all', method: 'GET', path: `${list}${id}/` },
  expect: { status: 200, body: { content } },
})
const story = (...steps: object[]): object => ({ title: 'A story', world: 'default', steps })

/** Saves a file, and waits until it is taken over, or is not. */
async function save(serving: Serving, file: string, content: object): Promise<void> {
  const count = (): number => serving.printed().stderr.match(/reloaded/g)?.length ?? 0
  const before = count()
  writeFileSync(file, JSON.stringify(content))
  await vi.waitUntil(() => count() > before, { timeout: 10_000 })
}

async function ask(
  { url }: Serving,
  path: string,
  method = 'GET',
  body?: object,
): Promise<unknown> {
  const answer = await fetch(url + list + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return [answer.status, (await answer.json()).content]
}

test('a recording answers as its file says now, and what is answered otherwise can be asked again', async () => {
  const file = temporaryFile(story(read(1, 'One'), read(2, 'Two')))
  const serving = await startServe(['--recording', file, '--watch'])
  const before = [await ask(serving, '1/'), await ask(serving, '3/')]

  await save(serving, file, story(read(1, 'Another'), read(2, 'Two'), read(3, 'Three')))

  const after = [await ask(serving, '1/'), await ask(serving, '3/')]
  const { unused, requests } = await (await fetch(`${serving.url}/__admin/replay`)).json()
  expect(before).toEqual([
    [200, 'One'],
    [500, undefined],
  ])
  expect(after).toEqual([
    [200, 'Another'],
    [200, 'Three'],
  ])
  expect(requests.map(({ asked }: { asked: number }) => asked)).toEqual([1, 0, 1])
  expect(unused).toMatchObject([{ step: 2 }])
  expect(withoutTimes(serving.printed().stderr)).toContain(
    `\nreloaded ${file}: requests: 1 added, 1 changed\n`,
  )
})

test('in fallback mode a changed recording keeps written rows, and a changed world discards them', async () => {
  const file = temporaryFile(story(read(1, 'One')))
  const serving = await startServe(['--recording', file, '--mode', 'fallback', '--watch'])
  await ask(serving, '2/', 'PATCH', { content: 'Mine' })

  await save(serving, file, story(read(1, 'Another')))
  const sameWorld = [await ask(serving, '1/'), await ask(serving, '2/')]
  await save(serving, file, { ...story(read(1, 'Another')), world: 'odd' })
  const otherWorld = await ask(serving, '2/')

  expect(sameWorld).toEqual([
    [200, 'Another'],
    [200, 'Mine'],
  ])
  expect(otherWorld).toEqual([200, ''])
  expect(serving.printed().stderr).toContain('; discarded writes: annotations 2\n')
})

test('what cannot be replayed leaves the recording as it was; what is decided at the start is told', async () => {
  const file = temporaryFile(story(read(1, 'One')))
  const serving = await startServe(['--recording', file, '--watch'])

  await save(serving, file, story())
  await save(serving, file, story({ ...read(1, 'Another'), as: 'nobody' }))
  const meanwhile = await ask(serving, '1/')
  await save(serving, file, { ...story(read(1, 'Another')), profile: 'live' })

  expect(meanwhile).toEqual([200, 'One'])
  expect(await ask(serving, '1/')).toEqual([200, 'Another'])
  expect(serving.printed().stderr).toContain(
    'ignored profile stays as it was when the server started: start it anew for another\n',
  )
})

test('rewinding begins the recording as its file says now', async () => {
  const file = temporaryFile(story(read(1, 'One')))
  const serving = await startServe(['--recording', file, '--mode', 'fallback', '--watch'])
  await ask(serving, '2/', 'PATCH', { content: 'Mine' })

  await save(serving, file, story(read(1, 'Another')))
  await fetch(`${serving.url}/__admin/replay/rewind`, { method: 'POST', headers, body: '{}' })

  const { requests } = await (await fetch(`${serving.url}/__admin/replay`)).json()
  expect(requests).toMatchObject([{ asked: 0 }])
  expect(await ask(serving, '1/')).toEqual([200, 'Another'])
  expect(await ask(serving, '2/')).not.toEqual([200, 'Mine'])
})
