import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { settingIds } from '../../src/settings/setting.ts'
import { annotation } from '../../src/world/entities/annotation.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'

const helps: readonly [args: string[], parts: string[]][] = [
  [['--version'], ['0.1.0\n']],
  [['--help'], ['Usage: npx understudy-api [options] [command]', 'serve', 'settings', 'validate']],
  [
    ['serve', '--help'],
    [
      'Usage: npx understudy-api serve',
      '--port <number>',
      'UNDERSTUDY_PORT',
      'Examples:\n  npx understudy-api ',
    ],
  ],
]

test.each(helps)('%j prints help and ends with 0', async (args, parts) => {
  const { code, stdout, stderr } = await run(args)

  expect([code, stderr]).toEqual([0, ''])
  for (const part of parts) expect.soft(stdout).toContain(part)
})

test('exec sets UNDERSTUDY_KEY, which no command reads', async () => {
  const { code, stderr } = await run(['serve', '--world', './nothing.json'], {
    UNDERSTUDY_KEY: 'phx_all',
  })

  expect(code).toBe(2)
  expect(stderr).toContain('nothing.json')
})

test('settings lists all settings, or those whose id contains a text', async () => {
  const all = await run(['settings'])
  const some = await run(['settings', 'annotations.delete'])

  expect(all.code).toBe(0)
  expect(all.stdout.split('\n').filter((line) => /^[a-z]/.test(line))).toEqual(settingIds)
  expect(some.stdout.split('\n').filter((line) => /^[a-z]/.test(line))).toEqual([
    'annotations.deleted.visibility',
    'annotations.delete.status',
  ])
  expect(some.stdout).toMatch(
    /^ {2}405_empty \(live\): .* \[source: in the service's own tests\]$/m,
  )
})

test('settings --json prints the settings as JSON, without colours', async () => {
  const { stdout } = await run(['settings', 'limits', '--json'], { FORCE_COLOR: '1' })

  const settings = JSON.parse(stdout)
  expect(Object.keys(settings)).toEqual(['limits.rate', 'limits.retry_after', 'limits.body'])
  expect(settings['limits.body']).toMatchObject({ default: 1_048_576, live: 20_971_520 })
})

test.each([
  [
    defaultWorld,
    'world: organizations 1, projects 2, users 2, dashboard_items 3, plugins 4, plugin_configs 2, annotations 8, activity 2',
  ],
  [{ title: 'A', steps: [{ method: 'GET', path: '/api/projects/' }] }, 'scenario: 1 step'],
])('validate says what a valid file has: row %$', async (content, what) => {
  const file = temporaryFile(content)

  const stdout = `${file} is a valid ${what}.\n`
  expect(await run(['validate', file])).toEqual({ code: 0, stdout, stderr: '' })
})

test.each(['validate', 'serve --world'])(
  '%s names an invalid file, lists unknown fields first, and says how to complete its rows',
  async (command) => {
    const file = temporaryFile({ annotations: [{ id: 1, contnt: 'Launch' }, { id: 2 }] })

    const { code, stderr } = await run([...command.split(' '), file], { UNDERSTUDY_PORT: '0' })

    const missing = annotation.written
      .filter((field) => field.name !== 'id' && field.inFiles !== 'maybe')
      .map(({ name }) => name)
    const isMissing = (row: number) =>
      missing.map((name) =>
        expect.stringMatching(`^  annotations\\[${row}\\].${name}: .*, got nothing$`),
      )
    expect([code, stderr.split('\n')]).toEqual([
      2,
      [
        `${file} is not a valid world: ${1 + 2 * missing.length} problems. Add "generate": {} to ${file} to generate the missing fields of its rows.`,
        '  annotations[0].contnt: unknown field. Did you mean "content"?',
        ...isMissing(0),
        ...isMissing(1),
        '',
      ],
    ])
  },
)

test.each([{ generate: {} }, { annotations: [] }])(
  'replay recognizes a world: %j',
  async (rows) => {
    const world = temporaryFile(rows)

    expect(await run(['replay', world])).toEqual({
      code: 2,
      stdout: '',
      stderr: `${world} is a world, not a scenario. Serve it: npx understudy-api serve --world ${world}\n`,
    })
  },
)
