import { UsageError } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'

/** What to do where no tool converts the file. */
export const howToGetHar =
  'A HAR archive is what browsers save by "Save all as HAR" in the network panel. Or record the traffic: npx understudy-api record --target URL --out FILE.'

/** What a file is that is no JSON, by its beginning, and how to get an archive that can be read. */
const otherTexts: readonly (readonly [beginning: RegExp | string, kind: string, cure: string])[] = [
  [
    'PK\x03\x04',
    'a ZIP archive',
    'Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.',
  ],
  // The second byte is not valid UTF-8.
  ['\x1f\ufffd', 'compressed with gzip', 'Unpack it with gunzip, and import the .har file.'],
  [/^(?:---\s*)?(?:http_)?interactions:/, 'a cassette of VCR', howToGetHar],
  [/^\s*<[?!a-z]/i, 'XML or HTML', 'In Charles, export the session as an HTTP archive (.har).'],
  [
    /^(?:###.*\n|#.*\n|\s)*(?:GET|POST|PUT|PATCH|DELETE) \S/,
    'a list of requests (.http), without responses',
    howToGetHar,
  ],
  [/^\s*(?:await\s+)?fetch\(/, 'code that sends requests, and no HAR archive', howToGetHar],
  [
    /^(?:meta \{|type: collection\.insomnia)/,
    'a collection of requests, without responses',
    howToGetHar,
  ],
]

const openApiDocument = [
  'an OpenAPI document, which has no requests',
  'Serve the API without a file: npx understudy-api serve.',
] as const

/** What a JSON file is that has all these fields. */
const otherFields: readonly (readonly [fields: readonly string[], kind: string, cure: string])[] = [
  [['consumer', 'provider'], 'a contract of Pact', howToGetHar],
  [['http_interactions'], 'a cassette of VCR', howToGetHar],
  [['interactions'], 'a cassette of VCR', howToGetHar],
  [['mappings'], 'a list of stubs of WireMock', howToGetHar],
  [['httpRequest'], 'a list of expectations of MockServer', howToGetHar],
  [['data', 'meta'], 'a simulation of Hoverfly', howToGetHar],
  [['folders', 'requests'], 'a collection of Hoppscotch, which has no responses', howToGetHar],
  [['collectionName'], 'a collection of Thunder Client, which has no responses', howToGetHar],
  [['constants', 'events'], 'a network log of Chromium (net log)', howToGetHar],
  [['title', 'steps'], 'a recording of user steps, without responses', howToGetHar],
  [['item'], 'a collection of Postman, which has no responses', howToGetHar],
  [['routes'], 'an environment of Mockoon', howToGetHar],
  [['__export_format'], 'an export of Insomnia', howToGetHar],
  [['openapi'], ...openApiDocument],
  [['swagger'], ...openApiDocument],
  [['scope'], 'a list of definitions of nock', howToGetHar],
]

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
  // Proxyman and WireMock both have a request.
  const { request } = value
  const isProxyman = isObject(request) && 'fullPath' in request
  const ofRequest = isProxyman
    ? (['a session of Proxyman', 'Export it as HAR.'] as const)
    : (['a stub of WireMock', howToGetHar] as const)
  const [, ...format] =
    otherFields.find(([names]) => names.every((name) => Object.hasOwn(value, name))) ?? []
  const [kind, cure] = isObject(request) ? ofRequest : format
  if (kind !== undefined) throw new UsageError(`${file} is ${kind}. ${cure}`)
}
