import { UsageError } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'

/** What to do where no tool converts the file. */
const record =
  'Export the traffic of a browser as HAR, or record it: npx understudy-api record --target URL --out FILE.'

/** What a file is that is no JSON, by its beginning, and how to get an archive that can be read. */
const otherTexts: readonly (readonly [(text: string) => boolean, string, string])[] = [
  [
    (text) => text.startsWith('PK\x03\x04'),
    'a ZIP archive',
    'Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.',
  ],
  [
    // The second byte is not valid UTF-8.
    (text) => text.startsWith('\x1f\ufffd'),
    'compressed with gzip',
    'Unpack it with gunzip, and import the .har file.',
  ],
  [(text) => /^(?:---\s*)?(?:http_)?interactions:/.test(text), 'a cassette of VCR', record],
  [
    (text) => /^\s*<[?!a-z]/i.test(text),
    'XML or HTML',
    'In Charles, export the session as an HTTP archive (.har).',
  ],
]

/** What a JSON file is that has requests in another form. */
const otherValues: readonly (readonly [(value: Value) => boolean, string, string])[] = [
  [({ http_interactions: list }) => Array.isArray(list), 'a cassette of VCR', record],
  [({ interactions: list }) => Array.isArray(list), 'a cassette of VCR', record],
  [({ mappings: list }) => Array.isArray(list), 'a list of stubs of WireMock', record],
  [
    ({ request, response, at }) => isObject(request) && isObject(response) && at === undefined,
    'a stub of WireMock',
    record,
  ],
  [
    ({ info, item }) => isObject(info) && Array.isArray(item),
    'a collection of Postman, which has no responses',
    'Run it through the proxy: npx understudy-api record --target URL --out FILE.',
  ],
  [
    ({ routes, uuid }) => Array.isArray(routes) && uuid !== undefined,
    'an environment of Mockoon',
    record,
  ],
  [({ __export_format: format }) => format !== undefined, 'an export of Insomnia', record],
  [
    ({ openapi, swagger }) => openapi !== undefined || swagger !== undefined,
    'an OpenAPI document, which has no requests',
    'Serve the API without a file: npx understudy-api serve.',
  ],
]

type Value = Readonly<Record<string, unknown>>

/** @throws UsageError for the text of a file of another kind, with what to do */
export function rejectOtherFormat(text: string, file: string): void {
  const found = otherTexts.find(([matches]) => matches(text))
  if (found) throw new UsageError(`${file} is ${found[1]}. ${found[2]}`)
}

/** @throws UsageError for the content of a file of another kind, with what to do */
export function rejectOtherArchive(value: unknown, file: string): void {
  const [first] = Array.isArray(value) ? value : []
  if (isObject(first) && 'scope' in first && 'path' in first) {
    throw new UsageError(`${file} is a list of definitions of nock. ${record}`)
  }
  if (!isObject(value) || 'log' in value) return
  const found = otherValues.find(([matches]) => matches(value))
  if (found) throw new UsageError(`${file} is ${found[1]}. ${found[2]}`)
}
