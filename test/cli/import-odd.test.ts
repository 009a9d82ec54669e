import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { archive, base, entry, list, page } from '../support/scenarios/har-entries.ts'

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const whole = archive(entry(), entry())

/** Archives, and how many requests they have. */
const accepted: readonly (readonly [
  name: string,
  content: string | Uint8Array,
  requests: number,
])[] = [
  ['a byte order mark', `\ufeff${whole}`, 2],
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
  ],
  [
    'bodies and fields with 30,000 nested levels',
    archive(
      JSON.stringify(entry()).replace('"time":2', `"time":2,"_deep":${deep(30_000)}`),
      entry({
        request: {
          method: 'POST',
          postData: { mimeType: 'application/json', text: deep(30_000) },
        },
        response: { status: 400, content: { text: `{"detail":${deep(30_000)}}` } },
      }),
    ),
    2,
  ],
  [
    'a name and a password in the URL',
    archive(entry({ request: { url: list.replace('//', '//ada:hunter2@') } }), entry()),
    2,
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
  ],
  [
    'a body that the browser took from its cache after it had asked',
    archive(entry({ response: { status: 304 } })),
    1,
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
            content: { text, ...(encoding === 'base64' ? { encoding } : { _isBinary: true }) },
          },
        })
      }),
    ),
    2,
  ],
  [
    'negative and endless durations',
    archive(entry({ entry: { time: -5 } }), entry({ entry: { time: 1e308 } })),
    2,
  ],
]

test.each(accepted)('import reads %s', async (_, content, requests) => {
  const folder = temporaryFolder()
  const [file, out] = [`${folder}/traffic.har`, `${folder}/story.json`]
  writeFileSync(file, content)

  const { code, stdout } = await run(['import', file, '--out', out])

  const count = requests === 1 ? '1 request' : `${requests} requests`
  expect([code, stdout]).toEqual([0, `${out}: ${count} to ${base}.\n`])
  expect(readdirSync(folder).sort()).toEqual(['story.json', 'traffic.har'])
  const text = readFileSync(out, 'utf8')
  expect(findScenarioIssues(JSON.parse(text))).toEqual([])
  expect(text).not.toContain('hunter2')
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

  expect([imported.code, compared.stderr]).toEqual([0, ''])
  expect(imported.stderr).toContain('Left out, because no world can have it: annotations 1.')
})
