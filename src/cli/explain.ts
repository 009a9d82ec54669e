import { requestTarget } from '../http/messages.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError, unexpectedValue, unknownWord } from '../utils/errors.ts'
import { createRequest } from '../utils/network.ts'
import { defineCommand } from './command.ts'
import { formatReasons } from './explained-response.ts'
import { flagsOf, jsonFlag, repeated } from './flags.ts'
import { describeUsualKey, openFromFlags } from './from-flags.ts'

const help = `
Examples:
  npx understudy-api explain DELETE /api/projects/1/annotations/1/
  npx understudy-api explain POST /api/projects/1/annotations/ --key annotation:read --body '{"content": "Launch"}'

The dashboard of a server, and GET /__admin/journal/ID/reasons, explain a request that it has received.`

export default defineCommand({
  name: 'explain',
  summary: 'Send one request to a simulator in this process, and explain its response.',
  args: [
    ['<method>', 'such as GET, which a path or a URL alone means'],
    ['[path]', 'the path and the query, or a URL'],
  ],
  flags: {
    '--key <label>':
      'the label or the value of a key (default: the first with full access, else the first, or one whose scopes are null if the settings need it)',
    '--no-key': 'send no key, unless --key comes later',
    '--body <text>': 'the body, sent as application/json; @file reads a file, and @- stdin',
    '--header <name:value>': {
      text: 'a header, such as "Content-Type: application/x-www-form-urlencoded"; can be repeated',
      ...repeated(parseHeader),
    },
    '--json': jsonFlag,
    ...flagsOf('explain'),
  },
  help,
  async run([method, path], { key, body, header, ...flags }, context) {
    const isPath = path === undefined && /^(\/|https?:)/.test(method)
    const [verb, asked] = isPath ? ['GET', method] : [method, path]
    const content = body?.startsWith('@') ? (await context.read(body.slice(1))).bytes : body
    const request = toRequest(verb, asked, content, header)
    const simulator = await openFromFlags({ ...flags, fault: [], redact: [] }, context)
    const value = findKey(key, simulator)
    if (value !== null && !request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${value}`)
    const response = await simulator.fetch(request)
    const explained = {
      title: `${request.method} ${simulator.journal.redactUrl(requestTarget(request.url))}`,
      key: key === undefined ? describeUsualKey(simulator, 'The default of --key') : null,
      body: await response.clone().text(),
      reasons: await simulator.explain(response),
    }
    return { json: explained.reasons, text: formatReasons(explained, context.paint) }
  },
})

type Header = readonly [name: string, value: string]

/** Parses `Name: value`. @throws UsageError */
function parseHeader(text: string, source: string): Header[] {
  const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t -~\x80-\xff]*)$/.exec(text) ?? []
  if (name !== undefined) return [[name.toLowerCase(), value]]
  throw unexpectedValue(`read ${source}`, 'a header such as "Accept: text/html"', text)
}

/** @throws UsageError for a method, a path or a body that no request can have */
function toRequest(
  method: string,
  pathOrUrl: string | undefined,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  added: readonly Header[],
) {
  if (pathOrUrl === undefined) {
    throw new UsageError('Name a method and a path, such as GET /api/projects/.')
  }
  const path = /^https?:/.test(pathOrUrl) ? requestTarget(pathOrUrl) : pathOrUrl
  if (!path.startsWith('/'))
    throw unexpectedValue('read the path', 'a path that starts with /', path, `/${path}`)
  if (path.startsWith('/__admin'))
    throw unexpectedValue('read the path', 'a path of the API, such as /api/projects/', path)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { ...type, ...Object.fromEntries(added) }
  const parts = { method: method.toUpperCase(), headers, body: body ?? null }
  return createRequest(`http://localhost${path}`, parts)
}

/** @param key the label or the value; false for --no-key @throws UsageError for an unknown key */
function findKey(key: string | boolean | undefined, { keys, defaults }: Simulator): string | null {
  if (key === false) return null
  if (typeof key !== 'string') return defaults.key
  const rows = keys.list()
  const row = rows.find(({ label, value }) => label === key || value === key)
  // The response to a key that does not exist can be explained, too.
  if (row || /^ph\w_/.test(key)) return row?.value ?? key
  const labels = rows.map(({ label }) => label)
  const expected = `one of ${labels.join(', ')}, or a value that starts with phx_`
  throw unknownWord('read --key', labels, key, null, expected)
}
