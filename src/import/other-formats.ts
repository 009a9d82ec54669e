import { UsageError } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'

/** What to do where no tool converts the file. */
const record =
  'Export the traffic of a browser as HAR, or record it: npx understudy-api record --target URL --out FILE.'

/** What a file is that is no JSON, by its beginning, and how to get an archive that can be read. */
const otherTexts: readonly (readonly [beginning: RegExp | string, kind: string, cure: string])[] = [
  [
    'PK\x03\x04',
    'a ZIP archive',
    'Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.',
  ],
  // The second byte is not valid UTF-8.
  ['\x1f\ufffd', 'compressed with gzip', 'Unpack it with gunzip, and import the .har file.'],
  [/^(?:---\s*)?(?:http_)?interactions:/, 'a cassette of VCR', record],
  [/^\s*<[?!a-z]/i, 'XML or HTML', 'In Charles, export the session as an HTTP archive (.har).'],
]

const openApiDocument = [
  'an OpenAPI document, which has no requests',
  'Serve the API without a file: npx understudy-api serve.',
] as const

/** What a JSON file is that has a field. */
const otherFields: Readonly<Record<string, readonly [kind: string, cure: string]>> = {
  http_interactions: ['a cassette of VCR', record],
  interactions: ['a cassette of VCR', record],
  mappings: ['a list of stubs of WireMock', record],
  request: ['a stub of WireMock', record],
  item: [
    'a collection of Postman, which has no responses',
    'Run it through the proxy: npx understudy-api record --target URL --out FILE.',
  ],
  routes: ['an environment of Mockoon', record],
  __export_format: ['an export of Insomnia', record],
  openapi: openApiDocument,
  swagger: openApiDocument,
  scope: ['a list of definitions of nock', record],
}

/** @throws UsageError for the text of a file of another kind, with what to do */
export function rejectOtherFormat(text: string, file: string): void {
  const format = otherTexts.find(([beginning]) =>
    typeof beginning === 'string' ? text.startsWith(beginning) : beginning.test(text),
  )
  if (format) throw new UsageError(`${file} is ${format[1]}. ${format[2]}`)
}

/** @throws UsageError for the content of a file of another kind, with what to do */
export function rejectOtherArchive(content: unknown, file: string): void {
  const value = Array.isArray(content) ? content[0] : content
  // An entry of a journal, which has a time, has a request, too.
  if (!isObject(value) || 'log' in value || 'at' in value) return
  const format = Object.entries(otherFields).find(([name]) => Object.hasOwn(value, name))?.[1]
  if (format) throw new UsageError(`${file} is ${format[0]}. ${format[1]}`)
}
