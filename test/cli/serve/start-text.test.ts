import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import packageJson from '../../../package.json' with { type: 'json' }
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

/** Runs a curl command as a shell does. */
async function runCurl(line: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS --fail`])
  return JSON.parse(stdout)
}

test('the start text says where it is, with which keys, in which projects', async () => {
  const { url, printed } = await startServe()

  const { stdout, stderr } = printed()

  expect(stdout.split('\n').slice(0, 8)).toEqual([
    `Understudy ${packageJson.version} serves the world default in the profile documented.`,
    '',
    `  API       ${url}`,
    `  Dashboard ${url}/__admin/`,
    `  Reference ${url}/__admin/docs/`,
    `  Control   ${url}/__admin/health`,
    '  Keys      phx_all               everything',
    '            phx_annotations       annotation:read, annotation:write',
  ])
  expect(stdout).toContain('phx_none              no scope')
  expect(stdout).toContain('phx_old               from before scopes: everything')
  expect(stdout).toContain('phx_project_1         everything, only in project 1')
  expect(stdout).toContain(
    '  Projects  1  Web shop, organization 018f2b6e-0000-7000-8000-00000000000a',
  )
  expect(stderr).toBe('')
})

test('a server of all addresses is told by one that can be reached, and what is open there', async () => {
  const { url, printed } = await startServe(['--host', '0.0.0.0'])

  const { stdout } = printed()

  expect(stdout.split('\n').slice(2, 5)).toEqual([
    `  API       ${url}`,
    `  Reference ${url}/openapi.json`,
    '  Control   closed, since other machines reach the server: start it with --token',
  ])
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
})

test.each(['default', 'empty', 'odd', 'crowded'])(
  'the curl line works when it is pasted: %s',
  async (data) => {
    const { url, printed } = await startServe(['--data', data])

    const { stdout } = printed()
    const line = /^ {2}(curl .*)$/m.exec(stdout)?.[1] ?? ''
    const page = await runCurl(line)

    expect(line).toContain(url)
    expect(page).toMatchObject({ count: expect.any(Number), results: expect.any(Array) })
  },
)

test('the curl line is one of a key that may, quoted for the shell, or is not there', async () => {
  const world = (keys: object[]) => temporaryFile({ ...defaultWorld, keys })
  const may = { value: "it's mine", user: 1, scopes: ['annotation:read'], projects: [2] }
  const mayNot = [
    { value: 'phx_none', user: 1, scopes: [] },
    { value: 'phx_write', user: 1, scopes: ['annotation:write', 'plugin:read'] },
  ]

  const some = await startServe(['--data', world([...mayNot, may])])
  const none = await startServe(['--data', world(mayNot)])
  const line = /^ {2}(curl .*)$/m.exec(some.printed().stdout)?.[1] ?? ''

  expect(line).toBe(
    `curl -H 'Authorization: Bearer it'\\''s mine' ${some.url}/api/projects/2/annotations/`,
  )
  await runCurl(line)
  expect(none.printed().stdout).not.toContain('curl')
  expect(none.printed().stdout).toContain('Ctrl-C ends it.')
})

test('by the policies that hold, a key without scopes and one that may write can read', async () => {
  const keys = [
    { value: 'phx_none', user: 1, scopes: [] },
    { value: 'phx_write', user: 1, scopes: ['annotation:write'] },
  ]
  const world = (...some: object[]) => temporaryFile({ ...defaultWorld, keys: some })
  const lines = async (...some: object[]) => {
    const { url, printed } = await startServe(['--profile', 'live', '--data', world(...some)])
    const { stdout } = printed()
    const line = /^ {2}(curl .*)$/m.exec(stdout)?.[1] ?? ''
    await runCurl(line)
    return { stdout, line: line.replace(url, '') }
  }

  const none = await lines(...keys)
  const write = await lines(...keys.slice(1))

  expect(none.stdout).toContain('phx_none   no scope, which opens everything\n')
  expect(none.line).toBe("curl -H 'Authorization: Bearer phx_none' /api/projects/1/annotations/")
  expect(write.stdout).toContain('phx_write  annotation:write\n')
  expect(write.line).toBe("curl -H 'Authorization: Bearer phx_write' /api/projects/1/annotations/")
})

test('a world of many keys and projects shows some of each', async () => {
  const keys = Array.from({ length: 200_000 }, (_, index) => ({
    value: `phx_${index}`,
    user: 1,
    scopes: null,
  }))
  const { printed } = await startServe(['--data', temporaryFile({ ...defaultWorld, keys })])

  expect(printed().stdout).toContain('… and 199988 more')
})

test('--json prints one line for machines', async () => {
  const { url, printed, stop } = await startServe(['--json'])
  const { stdout } = printed()

  await fetch(`${url}/api/nothing`)
  await stop('SIGTERM')

  expect(stdout).toMatch(/^[^\n]+\n$/)
  expect(JSON.parse(stdout)).toEqual({
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: `${url}/__admin/`,
    keys: defaultWorld.keys.map(({ user: _, ...key }) => key),
    projects: defaultWorld.projects.map(({ id, name, organization }) => ({
      id,
      name,
      organization,
    })),
  })
  expect(printed().stdout).toBe(stdout)
})
