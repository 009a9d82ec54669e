import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { connect, type Exchange } from '../../src/index.ts'
import { runTool } from '../../src/mcp/tool.ts'
import { tools } from '../../src/mcp/tools.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { createExchange } from '../support/scenarios/exchanges.ts'

/** A secret by its form, or by its name where it stands. The text `%` stands for what must appear nowhere. */
const forms = [
  'phx_%',
  'Bearer %',
  'Basic %',
  'eyJ%.eyJ%.%',
  'AKIA%',
  'ghp_%%%',
  'github_pat_%%%',
  'sk_live_%%',
  'xoxb-%',
  'glpat-%%',
  'npm_%%%',
  'AIza%%%',
  'https://ada:%@a.test/',
  `-----BEGIN PRIVATE ${'KEY'}-----\n%\n-----END PRIVATE ${'KEY'}-----`,
  'SECRET_KEY = "%"',
  "{'password': '%'}",
  'realm="api", token="%"',
  '/?access_token=%&a=b',
  '{"api_key": "%"}',
  '{"a": "{\\"b\\": \\"{\\\\\\"session\\\\\\": \\\\\\"%\\\\\\"}\\"}"}',
]

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const parts = { 'content-type': 'multipart/form-data; boundary=cut' }
const post = (body: unknown): Sent => ({
  ...{ method: 'POST', target: list, headers: json, body: JSON.stringify(body) },
})
const query = (text: string): string => `${list}?search=${encodeURIComponent(text)}`

/** Where a secret that its form identifies can be. */
const places: Readonly<Record<string, (secret: string) => Sent>> = {
  field: (secret) => post({ content: `of ${secret}`, scope: 'nonsense' }),
  query: (secret) => ({ target: query(secret) }),
  'query, encoded twice': (secret) => ({ target: query(encodeURIComponent(secret)) }),
  path: (secret) => ({ target: `/api/nothing/${encodeURIComponent(secret)}/` }),
  header: (secret) => ({ target: list, headers: { 'x-trace': secret.replaceAll('\n', ' ') } }),
  referer: (secret) => ({ target: list, headers: { referer: secret.replaceAll('\n', ' ') } }),
  text: (secret) => ({ ...post(0), headers: { 'content-type': 'text/plain' }, body: secret }),
}

/** A secret that a name identifies, in each place. */
const named: readonly ((secret: string) => Sent)[] = [
  ...['X-Api-Key', 'Cookie', 'Proxy-Authorization', 'X-CSRFToken', 'X-Amz-Signature'].map(
    (name) => (secret: string) => ({ target: list, headers: { [name]: `a=${secret}` } }),
  ),
  ...['Basic', 'Digest', 'Token', 'Negotiate', 'Own'].map((scheme) => (secret: string) => ({
    ...{ target: list, headers: { authorization: `${scheme} ${secret}` } },
  })),
  ...['token', 'key', 'sid', 'signature', 'user[password]', 'jwt'].map(
    (name) => (secret: string) => ({
      target: `${list}?${new URLSearchParams({ [name]: secret })}`,
    }),
  ),
  ...['password', 'clientSecret', 'session_id', 'refresh_token', 'credentials', 'otp'].map(
    (name) => (secret: string) => post({ content: 'x', scope: 'nonsense', [name]: secret }),
  ),
  (secret) => post({ content: 'x', scope: 'nonsense', a: [{ private_key: { pem: secret } }] }),
  (secret) => ({ ...post(0), headers: form, body: `content=x&passphrase=${secret}` }),
  (secret) => ({
    ...{ ...post(0), headers: parts },
    body: `--cut\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--cut--\r\n`,
  }),
  (secret) => ({ ...post(0), body: `{"password": "${secret}", "content": None` }),
]

/** What must appear nowhere: a number that only this request has, within letters that each form allows. */
const core = (index: number): string => `Q7Z${String(index).padStart(4, '0')}Q7Z${'A1B2C3'}`
const findCores = (text: string): string[] => [...new Set(text.match(/Q7Z\d{4}Q7Z/g))]

const sent = [
  ...forms.flatMap((text) =>
    Object.values(places).map((place) => (secret: string) => place(text.replaceAll('%', secret))),
  ),
  ...named,
].map((request, index) => request(core(index)))

/** What a service answers: each form in a body and in headers. */
const received = forms.map((text, index) => {
  const secret = text.replaceAll('%', core(1_000 + index))
  const line = secret.replaceAll('\n', ' ')
  return {
    status: [200, 302, 500][index % 3] as number,
    headers: {
      location: `/next?token=${core(1_100 + index)}`,
      link: `<https://a.test/?session=${core(1_200 + index)}>; rel="next"`,
      'set-cookie': `id=${core(1_300 + index)}; Path=/`,
      'www-authenticate': `Bearer error="${line.replaceAll('"', "'")}"`,
    },
    body:
      index % 2 ? `<h1>Failed</h1>${secret}` : { detail: secret, password: core(1_400 + index) },
  }
})

const rowPath = (index: number): string => `${list}${9_000 + index}/`

const requests: readonly Sent[] = [
  ...sent,
  ...received.map((_, index) => ({ target: rowPath(index) })),
]

/** What a browser saves of some of these requests, each refused by a response that has secrets. */
const archived = sent.flatMap(
  ({ method = 'GET', target = '', headers, body }, index): Exchange[] => {
    if (index % 9 > 0) return []
    const answer = received[index % received.length] as (typeof received)[number]
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return [
      {
        ...createExchange({ method, url: target }),
        request: {
          headers: Object.entries({ authorization: 'Bearer phx_all', ...headers }),
          body: body === undefined ? null : { text: body },
        },
        response: { status: 400, headers: Object.entries(answer.headers), body: { text } },
      },
    ]
  },
)

async function sendAll(url: string): Promise<void> {
  for (const { method = 'GET', target = '', headers, body = null } of requests) {
    const all = { authorization: 'Bearer phx_all', ...headers }
    await (await fetch(url + target, { method, headers: all, body, redirect: 'manual' })).text()
  }
}

/** Reads the stream of events until it has shown an entry. */
async function readEvents(url: string, last: number): Promise<string> {
  const headers = { 'last-event-id': '0' }
  const { body } = await fetch(`${url}/__admin/journal/events`, { headers })
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    if (text.split(`\nid: ${last}\n`)[1]?.includes('\n\n')) break
  }
  return text
}

test('more than a hundred planted secrets leave by no way', async () => {
  const folder = temporaryFolder()
  const [vitest, pytest] = [`${folder}/vitest.json`, `${folder}/pytest.json`]
  const reports = ['html', 'xml', 'json'].map((type) => `${folder}/report.${type}`)
  const raw = temporaryFile(JSON.stringify(exchangesToHar(archived)))
  const target = await startServe(['--profile', 'live', '--explain'])
  const quick = await startServe(['--profile', 'live'])
  let count = 0
  const echo = await startHttpServer((_, response) => {
    const { status, headers, body } = received[count++ % received.length] as (typeof received)[0]
    response.writeHead(status, headers).end(JSON.stringify(body))
  })
  const steps = sent
    .filter(({ method, headers }) => !method && !headers?.authorization)
    .map(({ target, headers }) => ({
      ...{ as: 'all', method: 'GET', path: target, headers, expect: { status: 418 } },
    }))
  const scenario = temporaryFile(JSON.stringify({ title: 'Planted', steps }))
  const replay = ['replay', scenario, '--target', echo, '--key', 'all=phx_all', '--allow-writes']
  const remote = connect(target.url)
  for (const [index, effect] of received.entries()) {
    await remote.faults.add({ path: rowPath(index), effect })
  }
  const recorder = await startRecord(
    target.url,
    '--out',
    `${folder}/recorded.json`,
    '--har',
    `${folder}/recorded.har`,
  )
  await sendAll(recorder.url)
  await sendAll(quick.url)
  const recorded = await recorder.stop('SIGINT')
  const ids = (await remote.journal.find()).map(({ id }) => id)
  const some = ids.filter((id) => id % 9 === 0)
  const callTool = (name: string, args: object = {}): Promise<string> => {
    const tool = tools.find((tool) => tool.name === name) as (typeof tools)[number]
    return runTool(tool, { remote, nextCall: () => '1' }, args)
  }

  const ways: Readonly<Record<string, unknown>> = {
    journal: await remote.journal.find(),
    'journal as HAR': await remote.journal.toHar(),
    events: await readEvents(target.url, ids.at(-1) as number),
    reasons: await Promise.all(some.map((id) => remote.explain(id))),
    mistakes: await remote.journal.mistakes(),
    'recording of the journal': await remote.record(),
    report: await remote.report(),
    verify: await remote.journal.verify({ operation: 'createAnnotation', body: { content: 'y' } }),
    explain: await run(['explain', String(some[2]), '--target', target.url]),
    tools: await Promise.all([
      ...some.flatMap((id) => [callTool('explain', { entry: id }), callTool('journal', { id })]),
      ...['journal', 'report'].map((name) => callTool(name)),
      callTool('scenario', { record: true }),
    ]),
    'output of record': recorded,
    'import as a test of Vitest': await run(['import', raw, '--as', 'vitest', '--out', vitest]),
    'import as a test of pytest': await run(['import', raw, '--as', 'pytest', '--out', pytest]),
    replay: await run([...replay, ...reports.flatMap((file) => ['--report', file])]),
    'replay as JSON': await run([...replay, '--json']),
    'log of serve': await quick.stop('SIGTERM'),
    'log of serve --explain': await target.stop('SIGTERM'),
  }

  const written = readdirSync(folder).map((name) => [
    name,
    readFileSync(`${folder}/${name}`, 'utf8'),
  ])

  expect(findCores(JSON.stringify([sent, received])).length).toBeGreaterThan(200)
  expect(written.length).toBe(9)
  for (const [way, shown] of [...Object.entries(ways), ...written]) {
    const text = JSON.stringify(shown)
    expect.soft([way, text.length > 200, findCores(text)]).toEqual([way, true, []])
  }
})
