import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { waitForExit } from '../support/cli/process.ts'
import { freePort } from '../support/free-port.ts'
import { checkHealth, runImage } from '../support/packed/container.ts'
import { buildImage, type Image, inside, isRoot } from '../support/packed/image.ts'

// The commands of the Dockerfile in folders that stand for its stages: what an engine does around them is not tried.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 240_000 })
afterAll(() => vi.resetConfig())

const token = 'a-token'
const folder = mkdtempSync(join(tmpdir(), 'understudy-image-'))
let image: Image
beforeAll(async () => {
  image = await buildImage(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('without a token it refuses to start, and says what to do', async () => {
  const none = await waitForExit(runImage(image, {}))
  const empty = await waitForExit(runImage(image, { UNDERSTUDY_TOKEN: '' }))

  const stderr =
    'Failed to serve: expected a token for the control API, since --require-token (or ' +
    'UNDERSTUDY_REQUIRE_TOKEN) asks for one, got none. Set UNDERSTUDY_TOKEN, or --token.\n'
  expect([none, empty]).toEqual([
    { code: 2, stdout: '', stderr },
    { code: 2, stdout: '', stderr },
  ])
})

test('it serves on every address as somebody who may write nothing, and ends when it is told to', async () => {
  const before = filesOf(image)
  const { url, child, variables } = await serve()

  const answers = [
    // Who listens on 127.0.0.1 alone does not hear this.
    await fetch(`${url.replace('127.0.0.1', '127.0.0.2')}/api/projects/`, {
      headers: { authorization: 'Bearer phx_all' },
    }),
    await fetch(`${url}/__admin/world`),
    await fetch(`${url}/__admin/world`, { headers: { authorization: `Bearer ${token}` } }),
    await fetch(`${url}/__admin/docs/`),
  ]
  const isWell = await waitForExit(checkHealth(image, variables))
  const end = waitForExit(child)
  child.kill('SIGTERM')

  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 200])
  expect(isWell).toEqual({ code: 0, stdout: '', stderr: '' })
  // The log has what is asked of the API, and not each question after its health.
  expect(await end).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^\S+ 200 GET \/api\/projects\/ .*\n$/),
  })
  expect((await waitForExit(checkHealth(image, variables))).code).toBe(1)
  expect(filesOf(image)).toEqual(before)
})

test('it is run by nobody in particular, who owns no file of it but the folder for the state', () => {
  const owners = filesOf(image).filter(({ uid }) => uid === image.uid)

  expect([image.uid, image.gid]).toEqual([1000, 1000])
  expect(owners.map(({ name }) => name)).toEqual(isRoot ? ['app/data'] : expect.anything())
})

test('the world is kept in the folder for it, over a restart', async () => {
  const state = { UNDERSTUDY_STATE: inside(image, '/app/data/state.json') }
  const first = await serve(state)
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const list = '/api/projects/1/annotations/'
  await fetch(first.url + list, { method: 'POST', headers, body: '{"content":"Kept"}' })
  const end = waitForExit(first.child)
  first.child.kill('SIGTERM')
  await end

  const second = await serve(state)
  const page = await (await fetch(`${second.url}${list}?search=Kept`, { headers })).json()

  expect(page).toMatchObject({ count: 1, results: [{ content: 'Kept' }] })
})

test('the factories are in it', async () => {
  const { url } = await serve()

  const answer = await fetch(`${url}/__admin/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"annotations":2}',
  })

  expect([answer.status, Object.keys(await answer.json())]).toEqual([200, ['annotations']])
})

test('other commands are run by it as well', async () => {
  const { code, stdout } = await waitForExit(runImage(image, {}, ['validate', 'odd']))

  expect([code, stdout]).toEqual([0, expect.stringContaining('odd')])
})

/** Serves with the token, on a port of its own. */
async function serve(more: Readonly<Record<string, string>> = {}) {
  const variables = { UNDERSTUDY_TOKEN: token, UNDERSTUDY_PORT: `${await freePort()}`, ...more }
  const child = runImage(image, variables)
  const printed = await Promise.race([
    new Promise((resolve) => child.stdout?.once('data', resolve)),
    waitForExit(child).then(({ stderr }) => stderr),
  ])
  const port = variables.UNDERSTUDY_PORT
  expect(String(printed)).toContain(`http://127.0.0.1:${port}`)
  return { url: `http://127.0.0.1:${port}`, child, variables }
}

/** Every file of the image, whose it is, and when it was written. */
function filesOf({ folder: top }: Image): { name: string; uid: number; written: number }[] {
  const names = readdirSync(top, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => {
    const { uid, mtimeMs } = statSync(join(top, name))
    return { name, uid, written: mtimeMs }
  })
}
