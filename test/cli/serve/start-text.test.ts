import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import packageJson from '../../../package.json' with { type: 'json' }
import { acme } from '../../support/api/paths.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'
import { hasCurl, runCurl } from '../../support/run-curl.ts'

const startText = async (...args: string[]) => (await startServe(args)).printed().stdout

test('the start text shows URLs, keys and projects', async () => {
  const { url, printed } = await startServe()

  const { stdout, stderr } = printed()

  expect(stdout.split('\n').slice(0, 8)).toEqual([
    `Understudy ${packageJson.version} is serving world "default", profile "documented".`,
    "It follows the API's document. If your client talks to the real service, add --profile live.",
    '',
    `  API       ${url}`,
    `  Dashboard ${url}/__admin/`,
    `  Reference ${url}/__admin/docs/`,
    '  Keys      phx_all               "all"               full access',
    '            phx_annotations       "annotations"       annotation:read, annotation:write',
  ])
  expect(stdout).toContain('phx_none              "none"              no scopes\n')
  expect(stdout).toContain('phx_old               "old"               legacy key without scopes')
  expect(stdout).toContain(
    'phx_project_1         "project_1"         full access, only in project 1',
  )
  expect(stdout).toContain(`  Projects  1  Web shop, organization ${acme}`)
  expect(stderr).toBe('')
})

test('in the profile live, the start text says what a key with all scopes cannot do', async () => {
  const stdout = await startText('--profile', 'live')

  expect(stdout.split('\n')[1]).toBe(
    "It follows the service's source of May to July 2024. Check yours with npx understudy-api compare --target URL.",
  )
  expect(stdout).toMatch(/phx_all +"all" +all scopes; eight operations on plugins refuse it\n/)
  expect(stdout).toMatch(/phx_old +"old" +legacy key without scopes: full access\n/)
})

test('the start text names the settings that differ from the profile, and their file', async () => {
  const settings = { 'limits.rate': '480_per_minute', 'annotations.delete.status': '403' }
  const file = temporaryFile({ settings })

  const stdout = await startText('--settings', file, '--set', 'annotations.delete.status=404')

  expect(stdout.split('\n')[0]).toContain('profile "documented" with 2 other settings.')
  expect(stdout).toContain(
    `  Settings  annotations.delete.status = 404\n            limits.rate = 480_per_minute, from ${file}\n`,
  )
})

const user = { user: 1, scopes: ['*'] }
const many = Array.from({ length: 13 }, (_, at) => ({ ...user, value: `phx_${at}` }))

test.each<[what: string, keys: readonly object[] | null, text: string]>([
  [
    'a key without a label of its own, without it',
    [
      { ...user, value: 'phx_long', label: 'read, write' },
      { ...user, value: 'phx_own' },
    ],
    '  Keys      phx_long  "read, write"  full access\n            phx_own                  full access\n',
  ],
  ['only some of many keys', many, '… and 1 more'],
  [
    'that no keys refuse every request',
    null,
    '\n  Keys      none, so every request to the API is refused. Add "keys" to the file of the world, or "generate": {}.\n\n',
  ],
])('the start text shows %s', async (_, keys, text) => {
  const world = temporaryFile(keys ? { ...defaultWorld, keys } : {})

  expect(await startText('--world', world)).toContain(text)
})

test('a server on all addresses shows a reachable URL, and that the admin API is closed', async () => {
  const { url, printed } = await startServe(['--host', '0.0.0.0'])

  const { stdout } = printed()

  expect(stdout.split('\n').slice(3, 6)).toEqual([
    `  API       ${url}`,
    `  Reference ${url}/openapi.json`,
    '  Admin     closed, because other machines can reach the server; open it with --token',
  ])
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
})

test('the curl command has a key that may list annotations, quoted for the shell, or is left out', async () => {
  const world = (keys: object[]) => temporaryFile({ ...defaultWorld, keys })
  const allowed = { value: "it's mine", user: 1, scopes: ['annotation:read'], projects: [2] }
  const others = [
    { value: 'phx_none', user: 1, scopes: [] },
    { value: 'phx_write', user: 1, scopes: ['annotation:write', 'plugin:read'] },
  ]

  const some = await startServe(['--world', world([...others, allowed])])
  const none = await startServe(['--world', world(others)])
  const line = /^ {2}(curl .*)$/m.exec(some.printed().stdout)?.[1] ?? ''

  expect(line).toBe(
    `curl -H 'Authorization: Bearer it'\\''s mine' ${some.url}/api/projects/2/annotations/`,
  )
  if (hasCurl) await runCurl(line)
  expect(none.printed().stdout).not.toContain('curl')
  expect(none.printed().stdout).toContain('Press Ctrl-C to stop.')
})

test('--json prints one line of JSON', async () => {
  const { url, printed, stop } = await startServe(['--json', '--forward', 'http://127.0.0.1:9'])
  const { stdout } = printed()

  await fetch(`${url}/api/nothing`)
  await stop('SIGTERM')

  expect(stdout).toMatch(/^[^\n]+\n$/)
  expect(JSON.parse(stdout)).toEqual({
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: `${url}/__admin/`,
    forward: 'http://127.0.0.1:9',
    profile: 'documented',
    settings: {},
    keys: defaultWorld.keys.map(({ user: _, ...key }) => key),
    projects: defaultWorld.projects.map(({ id, name, organization }) => ({
      id,
      name,
      organization,
    })),
  })
  expect(printed().stdout).toBe(stdout)
})
