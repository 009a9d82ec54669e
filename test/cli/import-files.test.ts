import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'
import { createExchange } from '../support/scenarios/exchanges.ts'
import { sessionArchive } from '../support/scenarios/har.ts'

const chromium = `${root}test/adapters/har/archives/chromium.har`

function archive(exchanges: Parameters<typeof exchangesToHar>[0]): string {
  return temporaryFile(JSON.stringify(exchangesToHar(exchanges)))
}

test('archives of HAR 1.1, and those without a version, are read', async () => {
  const har = exchangesToHar([createExchange({ bearer: 'phx_all' })])
  const versions = ['1.1', '', undefined]

  const results = await Promise.all(
    versions.map((version) => {
      const log = { ...har.log, version }
      return run(['import', temporaryFile(JSON.stringify({ log }))])
    }),
  )

  expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
})

test('files that are not archives end with 2', async () => {
  const whole = JSON.stringify(exchangesToHar([createExchange({}), createExchange({})]))
  const cases: readonly (readonly [content: string | Uint8Array, message: RegExp])[] = [
    [
      whole.slice(0, -300),
      /is not a complete HAR archive: it ends after log\.entries\[0\]\. Export it again\.$/,
    ],
    ['', /is empty\. Export the archive again\.$/],
    ['{"log":', /it ends before the end of the first entry/],
    [
      'no archive',
      /is not valid JSON: unexpected "o" at byte 1, before the end of the first entry/,
    ],
    [whole.replace('},{"started', '} {"started'), /unexpected .*, after log\.entries\[0\]/],
    [new Uint8Array([0x1f, 0x8b, 0x08]), /unexpected "\\?.*" at byte 0/],
    ['{"log":{"version":"1.2","entries":{"0":{}}}}', /log\.entries: expected a list/],
    [
      '{"log":{"version":"1.2","entries":[]}}',
      /has no entries\. A HAR archive has its requests in log\.entries: export it again\.$/,
    ],
    [
      JSON.stringify(exchangesToHar([{ ...createExchange({}), url: 'http://a.test/' }])),
      /has no request to the API \(1 entry: 1 to other URLs\)\./,
    ],
  ]

  for (const [content, message] of cases) {
    const file = temporaryFile('')
    writeFileSync(file, content)
    const { code, stderr } = await run(['import', file, '--out', `${file}.json`])
    expect([code, stderr.trim()]).toEqual([2, expect.stringMatching(message)])
  }
  expect(await run(['import', 'nowhere.har', '--out', 'x.json'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^nowhere\.har not found \(looked for \/.+\/nowhere\.har, relative to the working directory\)\.\n$/,
    ),
  })
})

test('--neighbours-out writes the responses of the same host outside the API, without personal data', async () => {
  const me = { id: 7, email: 'ada@example.org' }
  const to = (url: string, input: object = {}) => ({ ...createExchange(input), url })
  const file = archive([
    createExchange({}),
    to('https://api.example.com/api/users/@me/', { received: me }),
    to('https://api.example.com/api/users/@me/?again', { received: { id: 8 } }),
    to('https://api.example.com/decide', { method: 'POST', status: 404, received: {} }),
    to('https://other.example.com/api/users/@me/', { received: {} }),
  ])
  const [out, neighbours] = [temporaryFile(''), temporaryFile('')]

  const imported = await run(['import', file, '--out', out, '--neighbours-out', neighbours])

  expect(imported).toEqual({
    code: 0,
    stdout: `${neighbours}: 2 responses outside the API. Use them with --neighbours ${neighbours}.
${out}: 1 request to https://api.example.com; left out: 4 to other URLs.\n`,
    stderr: '',
  })
  expect(JSON.parse(readFileSync(neighbours, 'utf8'))).toEqual({
    responses: {
      'GET /api/users/@me/': { body: { id: 7, email: 'replaced-email-2@example.com' } },
      'POST /decide': { status: 404, body: {} },
    },
  })
})

test('import overwrites a file that is not a scenario only with --force', async () => {
  const world = temporaryFile({ annotations: [] })
  const refused = `${world} already exists, and is not a scenario. Choose another name with --out, or overwrite it with --force.\n`

  const first = await run(['import', chromium, '--out', world])
  const unchanged = readFileSync(world, 'utf8')
  const forced = await run(['import', chromium, '--out', world, '--force'])
  const again = await run(['import', chromium, '--out', world])

  expect(first).toEqual({ code: 2, stdout: '', stderr: refused })
  expect(JSON.parse(unchanged)).toEqual({ annotations: [] })
  expect([forced.code, again.code]).toEqual([0, 0])
  expect(JSON.parse(readFileSync(world, 'utf8')).steps).toHaveLength(8)
})

test('import writes two files to two names, and neither to its archive', async () => {
  const out = temporaryFile('')

  const both = await run(['import', chromium, '--out', out, '--neighbours-out', out])
  const own = await run(['import', chromium, '--neighbours-out', chromium])

  expect(both).toEqual({
    code: 2,
    stdout: '',
    stderr: `--out and --neighbours-out name the same file, ${out}. Choose two files.\n`,
  })
  expect(own).toMatchObject({ code: 2, stdout: '' })
  expect(own.stderr).toMatch(/^--neighbours-out names .*, which the command reads\./)
})

test('the default name of a scenario is another one than that of its archive and of the neighbours', async () => {
  const folder = temporaryFolder({ 'session.json': { log: {} } })
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
  const neighbours = join(folder, 'session.scenario.json')

  const args = ['--as', 'vitest', '--neighbours-out', neighbours]
  const result = await run(['import', join(folder, 'session.json'), ...args])

  expect(result).toEqual({
    code: 2,
    stdout: '',
    stderr:
      '--out and --neighbours-out name the same file, session.scenario.json. Choose two files.\n',
  })
})

test('import without --as keeps a scenario with another content, unless --force is set', async () => {
  const out = temporaryFile(JSON.stringify({ title: 'Mine', steps: [] }))
  const file = sessionArchive('chromium')
  const before = readFileSync(out, 'utf8')

  const { code, stderr } = await run(['import', file, '--out', out])

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${out} already exists, and may have your changes. Choose another file with --out, or overwrite it with --force.\n`,
  })
  expect(readFileSync(out, 'utf8')).toBe(before)
})

test('a scenario that changed since it was imported is not overwritten, and one that did not change is', async () => {
  const folder = temporaryFolder({ 'session.har': exchangesToHar([createExchange({})]) })
  const archive = join(folder, 'session.har')
  const out = join(folder, 'session.json')
  const importAs = (runner: string, ...flags: string[]) =>
    run(['import', archive, '--as', runner, '--out', out, ...flags])

  const first = await importAs('vitest')
  const unchanged = await importAs('node')
  const written = readFileSync(out, 'utf8')
  const edited = written.replace(/"title": ".*"/, '"title": "Mine"')
  writeFileSync(out, edited)
  const refused = await importAs('pytest')
  const unforced = readFileSync(out, 'utf8')
  const files = readdirSync(folder)
  const forced = await importAs('pytest', '--force')

  expect([first.code, unchanged.code, forced.code]).toEqual([0, 0, 0])
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: `${out} already exists, and may have your changes. Name another scenario, and so its test, with --out other.json, or overwrite it with --force.\n`,
  })
  expect(unforced).toBe(edited)
  expect(files).not.toContain('test_session.py')
  expect(readFileSync(out, 'utf8')).toBe(written)
})
