import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutTimes } from '../../support/cli/output.ts'
import { type Serving, startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const readStep = (id: number, content: string): object => ({
  ...{ as: 'all', method: 'GET', path: `${list}${id}/` },
  expect: { status: 200, body: { content } },
})
const story = (...steps: object[]): object => ({ title: 'A story', world: 'default', steps })

/** Saves a file, and waits until the server has read it. */
async function save(serving: Serving, file: string, content: object): Promise<void> {
  const count = (): number => serving.printed().stderr.match(/reloaded/g)?.length ?? 0
  const before = count()
  writeFileSync(file, JSON.stringify(content))
  await expect.poll(count).toBeGreaterThan(before)
}

/** Sends a request. Returns the status and the content of the annotation. */
async function send(serving: Serving, path: string, method = 'GET', body?: object) {
  const reply = await serving.ask(method, list + path, { body })
  return [reply.status, (reply.body as { content?: string }).content]
}

test('the server reloads a changed recording, and changed requests can be used again', async () => {
  const file = temporaryFile(story(readStep(1, 'One'), readStep(2, 'Two')))
  const serving = await startServe(['--recording', file, '--only-recorded', '--watch'])
  const before = [await send(serving, '1/'), await send(serving, '3/')]

  await save(serving, file, story(readStep(1, 'Another'), readStep(2, 'Two'), readStep(3, 'Three')))

  const after = [await send(serving, '1/'), await send(serving, '3/')]
  const { unused, requests } = await (await fetch(`${serving.url}/__admin/replay`)).json()
  expect(before).toEqual([
    [200, 'One'],
    [500, undefined],
  ])
  expect(after).toEqual([
    [200, 'Another'],
    [200, 'Three'],
  ])
  expect(requests.map(({ count }: { count: number }) => count)).toEqual([1, 0, 1])
  expect(unused).toMatchObject([{ step: 2 }])
  expect(withoutTimes(serving.printed().stderr)).toContain(`\nreloaded ${file}\n`)
})

test('a changed recording starts again, in its world', async () => {
  const file = temporaryFile(story(readStep(1, 'One')))
  const serving = await startServe(['--recording', file, '--watch'])
  await send(serving, '2/', 'PATCH', { content: 'Mine' })

  await save(serving, file, story(readStep(1, 'Another')))
  const sameWorld = [await send(serving, '1/'), await send(serving, '2/')]
  await save(serving, file, { ...story(readStep(1, 'Another')), world: 'odd' })
  const otherWorld = await send(serving, '2/')

  expect(sameWorld).toEqual([
    [200, 'Another'],
    [200, 'Spring campaign starts'],
  ])
  expect(otherWorld).toEqual([200, ''])
})

test('an invalid recording changes nothing, and changes that need a restart are logged', async () => {
  const file = temporaryFile(story(readStep(1, 'One')))
  const serving = await startServe(['--recording', file, '--watch'])

  await save(serving, file, story())
  await save(serving, file, story({ ...readStep(1, 'Another'), as: 'unknown' }))
  const meanwhile = await send(serving, '1/')
  await save(serving, file, { ...story(readStep(1, 'Another')), profile: 'live' })

  expect(meanwhile).toEqual([200, 'One'])
  expect(await send(serving, '1/')).toEqual([200, 'Another'])
  expect(serving.printed().stderr).toContain(
    'ignored profile: restart the server to apply the change\n',
  )
})

test('rewind returns to the start of the reloaded recording', async () => {
  const file = temporaryFile(story(readStep(1, 'One')))
  const serving = await startServe(['--recording', file, '--watch'])
  await send(serving, '2/', 'PATCH', { content: 'Mine' })

  await save(serving, file, story(readStep(1, 'Another')))
  await serving.ask('POST', '/__admin/replay/rewind', { body: {} })

  const { requests } = await (await fetch(`${serving.url}/__admin/replay`)).json()
  expect(requests).toMatchObject([{ count: 0 }])
  expect(await send(serving, '1/')).toEqual([200, 'Another'])
  expect(await send(serving, '2/')).not.toEqual([200, 'Mine'])
})
