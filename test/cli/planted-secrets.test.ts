import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { connect, createSimulator, type Exchange } from '../../src/index.ts'
import { runTool, tools } from '../../src/mcp/serve-tools.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import {
  core,
  findCores,
  received,
  requests,
  rowPath,
  sent,
  sentAnywhere,
} from '../support/planted-secrets.ts'
import { createExchange } from '../support/traffic.ts'

const redact = ['--redact', 'a,X-Internal', '--redact', 'B']
/** Requests with secrets by names that `--redact` adds. */
const added: typeof requests = [
  { target: list, headers: { 'X-Internal': core(9_001) } },
  { target: `${list}99/?x-internal=${core(9_002)}` },
  {
    ...{ method: 'POST', target: list, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ a: core(9_003), b: core(9_004) }),
  },
]
/** Requests with keys to paths outside the API, which only a log shows. */
const elsewhere: typeof requests = [
  ...['/api/unknown', '/__sandbox/none/api/projects/', '/__admin/nothing'].map((path, index) => ({
    target: `${path}?personal_api_key=${core(9_010 + index)}&a=b`,
  })),
  { target: `/api/unknown/phx_${core(9_020)}/?personal%5Fapi%5Fkey[]=phx_${core(9_021)}` },
]

/** What a browser saves of some of these requests, each refused by a response that has secrets. */
const archived = [...sent.filter((_, index) => index % 2 === 0), ...added].map(
  ({ method = 'GET', target = '', headers, body }, index): Exchange => {
    const answer = received[index % received.length] as (typeof received)[number]
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return {
      ...createExchange({ method, url: target }),
      request: {
        headers: Object.entries({ authorization: 'Bearer phx_all', ...headers }),
        body: body === undefined ? null : { text: body },
      },
      response: { status: 400, headers: Object.entries(answer.headers), body: { text } },
    }
  },
)

type Send = (target: string, init: RequestInit) => Promise<Response>

async function sendAll(requests: typeof sent, send: Send): Promise<void> {
  for (const { method = 'GET', target = '', headers, body = null } of requests) {
    const all = { authorization: 'Bearer phx_all', ...headers }
    await (await send(target, { method, headers: all, body, redirect: 'manual' })).text()
  }
}

/** A client that sends the requests to the server that its command names, and ends with the exit code of its argument, or 1 for other errors. */
const client = `
  import http from 'node:http'
  const { UNDERSTUDY_URL: url, UNDERSTUDY_KEY: key } = process.env
  let texts = ''
  for (const { method = 'GET', target = '', headers, body = null } of ${JSON.stringify([...added, ...requests])}) {
    const all = { authorization: 'Bearer ' + key, ...headers }
    const request = http.request(url + target, { method, headers: all }).end(body)
    await new Promise((done) => request.on('response', (response) => response.on('data', (text) => (texts += text)).on('end', done)))
  }
  process.exitCode = Number(process.argv[2] || !texts.includes('"attr"'))`

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
  const raw = temporaryFile(JSON.stringify(exchangesToHar(archived)))
  const imported = ['import', raw, ...redact, '--as']
  const target = await startServe(['--profile', 'live', ...redact])
  let count = 0
  const echo = await startHttpServer((request, response) => {
    const { status, headers, body } = received[count++ % received.length] as (typeof received)[0]
    const echoed = { body, key: `No row for ${request.headers.authorization}` }
    response.writeHead(status, headers).end(JSON.stringify(echoed))
  })
  const expected = { status: 418, body: { body: { password: 'x' } } }
  const steps = sent
    .filter(({ method, headers }) => !method && !headers?.authorization)
    .map(({ target, headers }) => ({
      ...{ as: 'all', method: 'GET', path: target, headers, expect: expected },
    }))
  const scenario = temporaryFile(JSON.stringify({ title: 'Planted', steps }))
  const key = `all=phx_${core(9_005)}`
  const replay = ['replay', scenario, '--target', echo, '--key', key, '--allow-writes']
  const module = `${temporaryFolder()}/client.mjs`
  writeFileSync(module, client)
  const words = ['--token', core(9_006), `API_KEY=${core(9_007)}`, `X-Api-Key: ${core(9_008)}`]
  const send = (code: string) => [...redact, '--', process.execPath, module, code, ...words]
  const reportTo = (name: string) =>
    ['txt', 'xml', 'json'].flatMap((type) => ['--report', `${folder}/${name}.${type}`])
  const remote = connect(target.url)
  for (const [index, effect] of received.entries()) {
    await remote.faults.add({ path: rowPath(index), effect })
  }
  const [out, har] = [`${folder}/recorded.json`, `${folder}/recorded.har`]
  const recorder = await startRecord(target.url, '--out', out, '--har', har, ...redact)
  await sendAll([...requests, ...added, ...elsewhere], (target, init) =>
    fetch(recorder.url + target, init),
  )
  const simulator = createSimulator({ profile: 'live' })
  await sendAll(sentAnywhere, simulator.fetch)
  const recorded = await recorder.stop('SIGINT')
  const ids = (await remote.journal.find()).map(({ id }) => id)
  const some = ids.filter((id) => id % 4 === 0)
  const callTool = (name: string, args: object = {}): Promise<string> => {
    const tool = tools.find((tool) => tool.name === name) as (typeof tools)[number]
    // A result that is too long is refused.
    return runTool(tool, remote, args, '1').catch((error: Error) => error.message)
  }

  const ways: Readonly<Record<string, unknown>> = {
    'each form at each place': simulator.journal.find({ limit: 1000 }),
    journal: await remote.journal.find(),
    'journal as HAR': await remote.journal.toHar(),
    events: await readEvents(target.url, ids.at(-1) as number),
    reasons: await Promise.all(ids.map((id) => remote.explain(id))),
    mistakes: await remote.journal.mistakes(),
    'recording of the journal': await remote.record(),
    report: await remote.report(),
    verify: await remote.journal.verify({ operation: 'createAnnotation', body: { content: 'y' } }),
    tools: await Promise.all([
      ...some.flatMap((id) => [callTool('explain', { entry: id }), callTool('journal', { id })]),
      ...['journal', 'report'].map((name) => callTool(name)),
      callTool('scenario', { record: `${folder}/tool.json` }),
    ]),
    send_request: await Promise.all(
      [0, 7, 14, 21, 28, 35, 42].map((index) =>
        callTool('send_request', { method: 'GET', path: rowPath(index) }),
      ),
    ),
    'output of record': recorded,
    messages: await Promise.all([
      run(['--forward', `http://ada:${core(9_030)}@a.test`]),
      run(['record', '--out', out, '--target', `http://a.test?token=${core(9_031)}`]),
      run(['compare', '--key', 'phx_all', '--target', `http://ada:${core(9_032)}@a.test`]),
      run(['mcp', '--target', `http://ada:${core(9_033)}@a.test`]),
      run(['replay', scenario, '--json', '--target', `http://ada:${core(9_034)}@a.test`]),
      run(['--fault', `{"effect": {"status": 500, "body": "token=${core(9_035)}"}}x`]),
    ]),
    'import as a test of Vitest': await run([...imported, 'vitest', '--out', vitest]),
    'import as a test of pytest': await run([...imported, 'pytest', '--out', pytest]),
    replay: await run([...replay, ...reportTo('replay')]),
    'replay as JSON': await run([...replay, '--json']),
    'exec of a client that fails': await run(['exec', ...reportTo('exec'), ...send('1')]),
    sweep: await run(['sweep', '--only', 'errors.body=detail', ...reportTo('sweep'), ...send('')]),
    'log of serve': await target.stop('SIGTERM'),
  }

  const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8')
  const written = readdirSync(folder).map((name) => [name, read(name)])

  expect(findCores(JSON.stringify([sentAnywhere, received])).length).toBeGreaterThan(200)
  expect(written.length).toBe(16)
  for (const [way, shown] of [...Object.entries(ways), ...written]) {
    const text = JSON.stringify(shown)
    expect.soft([way, text.length > 200, findCores(text)]).toEqual([way, true, []])
  }
})
