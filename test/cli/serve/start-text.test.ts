import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import packageJson from '../../../package.json' with { type: 'json' }
import { startReport, startText } from '../../../src/cli/start-text.ts'
import { createSimulator, type SimulatorOptions } from '../../../src/index.ts'
import { acme } from '../../support/api/paths.ts'

type StartedServer = Parameters<typeof startText>[0]

const url = 'http://127.0.0.1:4010'

/** A server of a simulator, as `serve` starts it. */
const started = (
  options: Omit<SimulatorOptions, 'profile'> & Pick<Partial<StartedServer>, 'profile'> = {},
  more: Partial<StartedServer> = {},
): StartedServer => ({
  ...{ simulator: createSimulator(options), url, host: '127.0.0.1', world: 'default' },
  ...{ scenario: null, profile: options.profile ?? 'documented' },
  ...{ resumed: false, watched: undefined, ...more },
})

const textOf = (...server: Parameters<typeof started>) =>
  startText(started(...server), (_tone, text) => text)

test('the start text shows URLs, keys and projects', () => {
  const text = textOf()

  expect(text.split('\n').slice(0, 8)).toEqual([
    `Understudy ${packageJson.version} is serving world "default", profile "documented".`,
    "It follows the API's documentation. If your client talks to the real service, add --profile live.",
    '',
    `  API       ${url}`,
    `  Dashboard ${url}/__admin/`,
    `  Reference ${url}/__admin/docs/`,
    '  Keys      phx_all               "all"               full access',
    '            phx_annotations       "annotations"       annotation:read, annotation:write',
  ])
  expect(text).toContain('phx_none              "none"              no scopes\n')
  expect(text).toContain('phx_old               "old"               legacy key without scopes')
  expect(text).toContain('phx_project_1         "project_1"         full access, only in project 1')
  expect(text).toContain(`  Projects  1  Web shop, organization ${acme}`)
})

test('in the profile live, the start text says what a key with all scopes cannot do', () => {
  const text = textOf({ profile: 'live' })

  expect(text.split('\n')[1]).toBe(
    "It follows the service's source, about as of mid-2024. Check yours with npx understudy-api compare --target URL --key KEY.",
  )
  expect(text).toMatch(/phx_all +"all" +all scopes; eight operations on plugins refuse it\n/)
  expect(text).toMatch(/phx_old +"old" +legacy key without scopes: full access\n/)
  expect(text).toMatch(/phx_none +"none" +no scopes: full access\n/)
})

test('the start text names the settings that differ from the profile', () => {
  const settings = { 'limits.rate': '480_per_minute', 'annotations.delete.status': '404' } as const

  const text = textOf({ settings })

  expect(text.split('\n')[0]).toContain('profile "documented" with 2 other settings.')
  expect(text).toContain(
    `  Settings  annotations.delete.status = 404\n            limits.rate = 480_per_minute\n`,
  )
})

const user = { user: 1, scopes: ['*'] }
const many = Array.from({ length: 13 }, (_, at) => ({ ...user, value: `phx_${at}` }))
const other = { id: acme.replace(/a$/, 'b'), name: 'Other' }
const worldWith = (keys: readonly object[]) =>
  ({ ...defaultWorld, organizations: [...defaultWorld.organizations, other], keys }) as never

test.each<[what: string, keys: readonly object[], text: string]>([
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
    [],
    '\n  Keys      none, so every request to the API is refused. Add some to "keys" in the file of the world.\n',
  ],
])('the start text shows %s', (_, keys, text) => {
  expect(textOf({ world: worldWith(keys) })).toContain(text)
})

test('a server on all addresses shows that the admin API is closed', () => {
  expect(textOf({}, { host: '0.0.0.0' }).split('\n').slice(3, 6)).toEqual([
    `  API       ${url}`,
    `  Reference ${url}/openapi.json`,
    '  Admin     closed, because other machines can reach the server; open it with --token',
  ])
})

test('the curl command has a key that may list annotations, quoted for the shell, or is left out', () => {
  const allowed = { value: "it's mine", user: 1, scopes: ['annotation:read'], projects: [2] }
  const others = [
    { value: 'phx_none', user: 1, scopes: [] },
    { value: 'phx_elsewhere', ...user, organizations: [other.id] },
    { value: 'phx_write', user: 1, scopes: ['annotation:write', 'plugin:read'] },
  ]

  const some = textOf({ world: worldWith([...others, allowed]) })
  const none = textOf({ world: worldWith(others) })

  expect(/^ {2}(curl .*)$/m.exec(some)?.[1]).toBe(
    `curl -H 'Authorization: Bearer it'\\''s mine' ${url}/api/projects/2/annotations/`,
  )
  expect(none).not.toContain('curl')
  expect(none).toContain('Press Ctrl-C to stop.')
})

test('what --json prints names the server, its keys and its projects', () => {
  expect(startReport(started({}, { forward: 'http://127.0.0.1:9', scenario: 'Story' }))).toEqual({
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: `${url}/__admin/`,
    forward: 'http://127.0.0.1:9',
    scenario: 'Story',
    profile: 'documented',
    settings: {},
    keys: defaultWorld.keys.map(({ user: _, ...key }) => key),
    projects: defaultWorld.projects.map(({ id, name, organization }) => ({
      id,
      name,
      organization,
    })),
  })
})
