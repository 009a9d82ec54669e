import { readFile } from 'node:fs/promises'
import type {
  Reason,
  ResponseReasons,
  SuggestedRequest,
} from '../analysis/reasons/response-reasons.ts'
import { requestTarget } from '../http/url.ts'
import type { Simulator } from '../simulator.ts'
import { escapeControls } from '../utils/escape.ts'
import { unreadableFileError } from '../utils/files.ts'
import { UsageError, unexpectedValue, unknownWord } from '../utils/usage-error.ts'
import { defineCommand } from './command.ts'
import type { Paint } from './command-context.ts'
import { flagsOf } from './flags.ts'
import { openSimulator } from './from-flags.ts'

const help = `
Examples:
  npx understudy-api explain DELETE /api/projects/1/annotations/1/
  npx understudy-api explain POST /api/projects/1/annotations/ --key annotation:read --body '{"content": "Launch"}'`

export default defineCommand({
  name: 'explain',
  summary: 'Send one request to a simulator in this process, and explain its response.',
  args: [
    ['<method>', 'such as GET'],
    ['<path>', 'the path and the query'],
  ],
  flags: {
    '--key <label>': 'the label or the value of a key (default: the first one)',
    '--no-key': 'send no key',
    '--body <text>': 'the body, sent as application/json; @file reads a file',
    '--json': 'print JSON',
    ...flagsOf('explain'),
  },
  help,
  async run([method, path], { key, body, ...flags }, context) {
    const others = { fault: [], redact: [], neighbours: [] }
    const simulator = await openSimulator({ ...flags, ...others }, context)
    const value = findKey(key, simulator)
    const request = toRequest(method, path, value, await readBody(body))
    const response = await simulator.fetch(request)
    const text = await response.clone().text()
    const reasons = await simulator.explain(response)
    const shown = text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text
    const title = `${request.method} ${path}`
    return { json: reasons, text: formatReasons(title, reasons, shown, context.paint) }
  },
})

/** @throws UsageError for a method or a body that no request can have */
function toRequest(
  method: string,
  pathOrUrl: string,
  key: string | null,
  body: string | undefined,
): Request {
  const path = /^https?:/.test(pathOrUrl) ? requestTarget(pathOrUrl) : pathOrUrl
  if (!path.startsWith('/'))
    throw unexpectedValue('read the path', 'a path that starts with /', path, `/${path}`)
  if (path.startsWith('/__admin'))
    throw unexpectedValue('read the path', 'a path of the API, such as /api/projects/', path)
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  try {
    const init = { method: method.toUpperCase(), headers, ...(body !== undefined && { body }) }
    return new Request(`http://localhost${path}`, init)
  } catch (error) {
    throw new UsageError(`This request cannot be sent: ${(error as Error).message}`)
  }
}

/** @throws UsageError for a file that cannot be read */
async function readBody(text: string | undefined): Promise<string | undefined> {
  if (!text?.startsWith('@')) return text
  const file = text.slice(1)
  return readFile(file, 'utf8').catch((error) => Promise.reject(unreadableFileError(file, error)))
}

/** @param key the label or the value; false for --no-key @throws UsageError for an unknown key */
function findKey(key: string | boolean | undefined, { keys, defaults }: Simulator): string | null {
  if (key === false) return null
  if (typeof key !== 'string') return defaults.key
  const rows = keys.list()
  const row = rows.find(({ label, value }) => label === key || value === key)
  // The response to a key that does not exist can be explained, too.
  if (row || key.startsWith('phx_')) return row?.value ?? key
  const labels = rows.map(({ label }) => label)
  throw unknownWord('read --key', labels, key, null, `one of ${labels.join(', ')}, or a value`)
}

/** @param body what is printed of the body of the response */
function formatReasons(
  title: string,
  reasons: ResponseReasons,
  body: string,
  paint: Paint,
): string {
  const { sentence, ignored, decided_by, policies, fields, headers, would_succeed } = reasons
  const others = policies.filter(({ id }) => id !== decided_by.id)
  const line = ([name, { evidence, id }]: readonly [string, Reason]): string =>
    `  ${paint('name', name)}: ${evidence} (${id})`
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint('strong', title), ...lines]
  return [
    `${paint('strong', title)}  ${sentence}`,
    ...section(
      'Ignored input',
      ignored.map((text) => `  ${text}`),
    ),
    ...section('Decided by', formatRule(decided_by, paint)),
    ...section('A request that succeeds', would_succeed ? formatRequest(would_succeed) : []),
    ...section(
      'Policies that the response depends on',
      others.flatMap((each) => formatRule(each, paint)),
    ),
    ...section('Response body', body === '' ? [] : [`  ${escapeControls(body)}`]),
    ...section('Fields of the body', Object.entries(fields).map(line)),
    ...section('Headers', Object.entries(headers).map(line)),
  ].join('\n')
}

function formatRule(
  { id, setting, sentence, evidence, source, documentation }: Reason,
  paint: Paint,
): string[] {
  const name = paint('name', setting === undefined ? id : `${id} = ${setting}`)
  return [
    `  ${name}: ${sentence} ${paint('faint', `[${evidence}: ${source}]`)}`,
    ...documentation
      .filter((text) => text !== sentence)
      .map((text) => paint('faint', `    documentation: ${text}`)),
  ]
}

function formatRequest({ method, path, key, body }: SuggestedRequest): string[] {
  const suffix = key === null ? '' : ` with the key ${JSON.stringify(key.label ?? key.value)}`
  return [`  ${method} ${path}${suffix}`, ...(body === null ? [] : [`  ${JSON.stringify(body)}`])]
}
