import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { archive, base, entry, list, page } from '../support/scenarios/har-entries.ts'

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
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
      'two archives in one file',
      whole + whole,
      `FILE is not valid JSON: Extra data: line 1 column ${whole.length + 1} (char ${whole.length}). Export the archive again.`,
    ],
    [
      'UTF-16',
      Buffer.from(`\ufeff${whole}`, 'utf16le'),
      'FILE is not UTF-8. Save it as UTF-8, or choose another file.',
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
    ['JSON of something else', '{"data":[]}', noEntries],
    ['an empty journal', '[]', 'FILE has no entry. Send requests first.'],
    ['an archive without requests', '{"log":{"version":"1.2","entries":[]}}', noEntries],
    [
      'entries that are no list',
      '{"log":{"entries":null}}',
      invalid('log.entries: expected a list'),
    ],
    [
      'entries by name',
      `{"log":{"entries":{"0":${JSON.stringify(entry())}}}}`,
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

/** Archives, how many requests they have, and how the replay ends: with 1 if no service responds like that. */
const accepted: readonly (readonly [
  name: string,
  content: string | Uint8Array,
  requests: number,
  replayed: 0 | 1,
])[] = [
  ['a byte order mark', `\ufeff${whole}`, 2, 0],
  [
    'HTTP/2 pseudo-headers',
    archive(
      entry({
        request: {
          headers: [':authority', ':method', ':path'].map((name) => ({ name, value: '/' })),
        },
        response: { headers: [{ name: ':status', value: '200' }] },
      }),
    ),
    1,
    0,
  ],
  [
    'names of prototypes',
    archive(
      JSON.stringify(entry()).replace('"time":2', '"time":2,"__proto__":{"status":1}'),
      entry({
        request: {
          url: `${list}?__proto__=1&constructor=2`,
          headers: ['__proto__', 'constructor', 'toString'].map((name) => ({ name, value: 'x' })),
        },
        response: { content: { text: '{"__proto__":{"id":7},"constructor":1}' } },
      }),
    ),
    2,
    1,
  ],
  [
    'lone surrogates',
    archive(
      entry({
        request: { method: 'POST', postData: { mimeType: 'application/json', text: '"\\ud800"' } },
        response: { content: { text: '{"content":"\\udfff"}' } },
      }),
      entry({ response: { content: { text: '\ud800' } } }),
    ),
    2,
    1,
  ],
  [
    'bodies and fields with 100,000 nested levels',
    archive(
      JSON.stringify(entry()).replace('"time":2', `"time":2,"_deep":${deep(100_000)}`),
      entry({
        request: {
          method: 'POST',
          postData: { mimeType: 'application/json', text: deep(100_000) },
        },
        response: { status: 400, content: { text: `{"detail":${deep(100_000)}}` } },
      }),
    ),
    2,
    0,
  ],
  [
    'a header of 10 MB',
    archive(entry({ request: { headers: [{ name: 'x-large', value: 'a'.repeat(10_000_000) }] } })),
    1,
    0,
  ],
  [
    'a name and a password in the URL',
    archive(entry({ request: { url: list.replace('//', '//ada:hunter2@') } }), entry()),
    2,
    0,
  ],
  [
    'a method in lower case, and a header that no client sends',
    archive(
      entry({
        request: {
          method: 'get',
          headers: [
            { name: 'x y', value: '1' },
            { name: '', value: '2' },
            { name: 'x-nul', value: '\0' },
          ],
        },
      }),
    ),
    1,
    0,
  ],
  [
    'redirects in a circle',
    archive(
      ...['?a', '?b', '?a', '?b'].map((query, index) =>
        entry({
          request: { url: `${list}${query}` },
          response: {
            status: 302,
            headers: [{ name: 'location', value: `.${['?b', '?a'][index % 2]}` }],
            content: {},
          },
        }),
      ),
    ),
    4,
    0,
  ],
  [
    'bodies in base64, and compressed ones',
    archive(
      entry({
        response: { content: { text: Buffer.from(page).toString('base64'), encoding: 'base64' } },
      }),
      entry({
        response: {
          headers: [
            { name: 'content-type', value: 'application/json' },
            { name: 'content-encoding', value: 'gzip' },
          ],
          content: { text: gzipSync(page).toString('base64'), encoding: 'base64' },
        },
      }),
    ),
    2,
    0,
  ],
  [
    'several pages, entries out of order, and times in other zones',
    archive(
      ...[
        '2024-06-15T14:00:02.000+02:00',
        'Sat, 15 Jun 2024 12:00:01 GMT',
        '2024-06-15T12:00:00',
      ].map((startedDateTime, index) =>
        entry({ entry: { startedDateTime, pageref: `page_${index}` } }),
      ),
    ),
    3,
    0,
  ],
  [
    'nulls, numbers in quotes, and no headers',
    archive(
      entry({
        entry: { time: '12.5' },
        request: { headers: null, postData: { mimeType: null, text: null } },
        response: { status: '200', headers: undefined, content: { mimeType: null, text: page } },
      }),
    ),
    1,
    0,
  ],
  [
    'a body that the browser took from its cache after it had asked',
    archive(entry({ response: { status: 304 } })),
    1,
    0,
  ],
  [
    'the chunks of Polly, in hex and in base64',
    archive(
      ...(['hex', 'base64'] as const).map((encoding) => {
        const bytes = gzipSync(page)
        const chunks = [bytes.subarray(0, 20), bytes.subarray(20)]
        const text = JSON.stringify(chunks.map((chunk) => chunk.toString(encoding)))
        return entry({
          response: {
            headers: [
              { name: 'content-type', value: 'application/json' },
              { name: 'content-encoding', value: 'gzip' },
            ],
            content: { text, _isBinary: true, ...(encoding === 'base64' && { encoding }) },
          },
        })
      }),
    ),
    2,
    0,
  ],
  [
    'negative and endless durations',
    archive(entry({ entry: { time: -5 } }), entry({ entry: { time: 1e308 } })),
    2,
    0,
  ],
]

test.each(accepted)('import reads %s', async (_, content, requests, replayed) => {
  const folder = temporaryFolder()
  const [file, out] = [`${folder}/traffic.har`, `${folder}/story.json`]
  writeFileSync(file, content)

  const { code, stdout } = await run(['import', file, '--out', out])

  const count = requests === 1 ? '1 request' : `${requests} requests`
  expect([code, stdout]).toEqual([0, `${out}: ${count} to ${base}.\n`])
  expect(readdirSync(folder).sort()).toEqual(['story.json', 'traffic.har'])
  expect(await run(['replay', out])).toMatchObject({ code: replayed })
  expect(readFileSync(out, 'utf8')).not.toContain('hunter2')
})

test('a scenario whose world is not there is refused before any request', async () => {
  const folder = temporaryFolder({
    'story.json': {
      title: 'A launch',
      world: 'production',
      steps: [{ method: 'GET', path: '/api/projects/' }],
    },
  })
  const story = `${folder}/story.json`

  const missing = await run(['replay', story])
  const other = await run(['replay', story, '--world', `${folder}/production.json`])

  expect([missing.code, other.code]).toEqual([2, 2])
  expect(missing.stderr).toMatch(/world: expected the name of a fixture.*, got "production"\n$/)
  expect(other.stderr).toBe(
    `World ${folder}/production.json not found: expected one of default, empty, odd, crowded, or a file (looked in ${folder}/production.json).\n`,
  )
  expect(readdirSync(folder)).toEqual(['story.json'])
})

test('an object that has no text is neither an id nor a message', async () => {
  const none = { toString: 1 }
  const folder = temporaryFolder()
  const show = (row: object, status = 200) =>
    entry({ response: { status, content: { text: JSON.stringify(row) } } })
  const file = `${folder}/odd.har`
  const rows = [
    { id: none, content: none, created_by: { id: none } },
    { id: 1, created_by: { id: none } },
  ]
  const text = archive(show({ count: 2, results: rows }), show({ detail: none }, 403))
  writeFileSync(file, text)

  const imported = await run(['import', file, '--out', `${folder}/odd.json`])
  const compared = await run(['compare', file])

  expect([imported.code, imported.stderr, compared.stderr]).toEqual([0, '', ''])
})
