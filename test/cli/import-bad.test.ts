import { readdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { archive, base, entry, list } from '../support/scenarios/har-entries.ts'

const whole = archive(entry(), entry())
const invalid = (...issues: string[]): string =>
  [
    `FILE is not a valid HAR archive: ${issues.length} ${issues.length === 1 ? 'problem' : 'problems'}. Nothing was written.`,
    ...issues.map((issue) => `  ${issue}`),
  ].join('\n')
const noEntries =
  'FILE has no entries. A HAR archive has its requests in log.entries: export it again.'

const record =
  'Export the traffic of a browser as HAR, or record it: npx understudy-api record --target URL --out FILE.'

const refused: readonly (readonly [name: string, content: string | Uint8Array, stderr: string])[] =
  [
    [
      'an empty file',
      '',
      'FILE is not valid JSON: Expecting value: line 1 column 1 (char 0). Export the archive again.',
    ],
    [
      'a file that ends early',
      whole.slice(0, -200),
      `FILE is not valid JSON: Unterminated string starting at: line 1 column 450 (char 449). Export the archive again.`,
    ],
    [
      'Latin-1',
      Buffer.from(archive(entry({ response: { content: { text: 'Zürich \xff' } } })), 'latin1'),
      'FILE is not UTF-8. Save it as UTF-8, or choose another file.',
    ],
    [
      'a ZIP archive',
      'PK\x03\x04 and so on',
      'FILE is a ZIP archive. Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.',
    ],
    ['an empty journal', '[]', 'FILE has no entry. Send requests first.'],
    ['an archive without requests', '{"log":{"version":"1.2","entries":[]}}', noEntries],
    [
      'entries that are no list',
      '{"log":{"entries":null}}',
      invalid('log.entries: expected a list'),
    ],
    [
      'entries of other types',
      archive('null', '3', '"x"', '[]'),
      'FILE has no request to the API (4 entries: 4 without a request). If one of them is, set the base URL of the API with --base.',
    ],
    [
      'missing fields',
      archive({}, { request: { url: list } }),
      invalid(
        'log.entries[1].startedDateTime: expected string, got nothing',
        'log.entries[1].request.method: expected string, got nothing',
      ),
    ],
    [
      'wrong fields',
      archive(
        entry({ entry: { startedDateTime: 'yesterday' } }),
        entry({ request: { method: 'GE T' } }),
        entry({ request: { url: '/api/projects/1/annotations/' } }),
        entry({ response: { status: 'OK' } }),
        entry({ response: { status: 1000 } }),
        entry({ response: { content: { text: '%%%', encoding: 'base64' } } }),
        entry({ response: { content: { text: 'x', encoding: 'zstd' } } }),
      ),
      invalid(
        'log.entries[0].startedDateTime: expected an ISO 8601 time, got "yesterday"',
        'log.entries[1].request.method: expected a method, got "GE T"',
        'log.entries[2].request.url: expected an absolute URL, got "/api/projects/1/annotations/"',
        'log.entries[3].response.status: expected number, got "OK"',
        'log.entries[4].response.status: expected at most 999, got 1000',
        'log.entries[5].response.content.text: invalid base64',
        'log.entries[6].response.content.encoding: expected base64 or nothing, got "zstd"',
      ),
    ],
    [
      'a number that is too large',
      archive(JSON.stringify(entry()).replace('"time":2', '"time":1e999')),
      invalid('log.entries[0].time: expected number, got Infinity'),
    ],
    [
      'only requests that no step can send',
      archive(entry({ request: { method: 'TRACE' } })),
      `FILE has no request that a scenario can send.\n  The recording leaves out TRACE ${list} (scenarios do not support this method).`,
    ],
    [
      'a file that is compressed',
      gzipSync(whole),
      'FILE is compressed with gzip. Unpack it with gunzip, and import the .har file.',
    ],
    [
      'a cassette of VCR',
      'http_interactions:\n- request:\n',
      `FILE is a cassette of VCR. ${record}`,
    ],
    [
      'definitions of nock',
      JSON.stringify([{ scope: base, path: '/api/projects/', method: 'GET' }]),
      `FILE is a list of definitions of nock. ${record}`,
    ],
    [
      'stubs of WireMock',
      JSON.stringify({ mappings: [] }),
      `FILE is a list of stubs of WireMock. ${record}`,
    ],
    [
      'one stub of WireMock',
      JSON.stringify({ id: '1a2b', request: { url: '/api/projects/' }, response: { status: 200 } }),
      `FILE is a stub of WireMock. ${record}`,
    ],
    [
      'a Swagger document',
      JSON.stringify({ swagger: '2.0', paths: {} }),
      'FILE is an OpenAPI document, which has no requests. Serve the API without a file: npx understudy-api serve.',
    ],
    [
      'a collection of Postman',
      JSON.stringify({ info: { name: 'API' }, item: [] }),
      'FILE is a collection of Postman, which has no responses. Run it through the proxy: npx understudy-api record --target URL --out FILE.',
    ],
    [
      'several hosts',
      archive(entry(), entry({ request: { url: list.replace('api.', 'staging.') } })),
      'FILE has requests to several base URLs: 1 to https://api.example.com, 1 to https://staging.example.com. Choose one with --base.',
    ],
  ]

test.each(refused)('import refuses %s, and writes nothing', async (_, content, stderr) => {
  const folder = temporaryFolder()
  const file = `${folder}/traffic.har`
  writeFileSync(file, content)

  const result = await run(['import', file, '--out', `${folder}/story.json`])

  expect(result).toEqual({ code: 2, stdout: '', stderr: `${stderr.replace('FILE', file)}\n` })
  expect(readdirSync(folder)).toEqual(['traffic.har'])
})

test('a file that is not there is refused', async () => {
  expect(await run(['import', 'nowhere.har', '--out', 'x.json'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^nowhere\.har not found \(looked for \/.+\/nowhere\.har, relative to the working directory\)\.\n$/,
    ),
  })
})

test('import lists at most a hundred problems', async () => {
  const folder = temporaryFolder()
  const file = `${folder}/traffic.har`
  writeFileSync(
    file,
    archive(...Array.from({ length: 150 }, () => entry({ entry: { startedDateTime: 'noon' } }))),
  )

  const { stderr } = await run(['import', file, '--out', `${folder}/story.json`])

  const [head, ...lines] = stderr.trimEnd().split('\n')
  expect(head).toBe(
    `${file} is not a valid HAR archive: at least 100 problems. Nothing was written.`,
  )
  expect(lines).toHaveLength(100)
  expect(lines.at(-1)).toBe(
    '  log.entries[99].startedDateTime: expected an ISO 8601 time, got "noon"',
  )
})

test('import refuses a folder, and an archive of another API, and writes nothing', async () => {
  const folder = temporaryFolder()
  const file = `${folder}/traffic.har`
  writeFileSync(
    file,
    archive(
      entry({ request: { url: 'https://api.github.com/repos/a/b/issues' } }),
      entry({ request: { url: `${base}/v2/projects/1/annotation` } }),
    ),
  )

  const ofFolder = await run(['import', folder, '--out', `${folder}/story.json`])
  const ofOther = await run(['import', file, '--out', `${folder}/story.json`])

  expect(ofFolder).toEqual({
    code: 2,
    stdout: '',
    stderr: `${folder} is a folder. Choose a file.\n`,
  })
  expect([ofOther.code, ofOther.stdout]).toEqual([2, ''])
  expect(ofOther.stderr).toContain(`${file} has no request to the API (2 entries: 2 to other URLs)`)
  expect(readdirSync(folder)).toEqual(['traffic.har'])
})
