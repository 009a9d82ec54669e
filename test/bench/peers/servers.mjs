// The servers that are compared: how each is fed, where its resources are, and what it can be required to answer.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (name) => fileURLToPath(new URL(name, import.meta.url))
/** Not beside this file: tests and tools walk through the folders of `test`. */
export const installed = at('../../../node_modules/.cache/understudy-peers')
const from = (name) => join(installed, name)
const required = createRequire(from('package.json'))
const node = process.execPath
const api = '/api/projects/1/annotations/'
/** Resources of a generic server: it knows no project, and stores the rows that it gets. */
const plain = {
  all: '/annotations',
  one: '/annotations/{id}',
  rows: ({ body }) => body,
  count: ({ headers }) => Number(headers.get('x-total-count')),
  hasKeys: false,
}
const whole = {
  all: api,
  one: `${api}{id}/`,
  page: `${api}?limit=100&offset={offset}`,
  rows: ({ body }) => body.results,
  count: ({ body }) => body.count,
  hasKeys: true,
}

/**
 * A server: its title with the version of a package, and `command()`, which writes the files that it needs. Paths
 * are those of `whole` and `plain`; `{page}` counts pages from 1 and `{index}` from 0, for servers
 * without offsets. `count` is undefined where a
 * list has no count. `setUp` sends
 * what a server takes over HTTP, and returns false while it accepts no connections.
 */
export const servers = {
  bare: {
    ...whole,
    title: 'bare node:http',
    command: ({ page, row, port }) => [node, at('../bare.mjs'), page, row, port],
  },
  understudy: {
    ...whole,
    title: 'Understudy',
    command: ({ world, port }) => [
      node,
      at('../../../dist/understudy.js'),
      'serve',
      '--world',
      world,
      '--quiet',
      '--port',
      port,
    ],
  },
  hono: {
    ...whole,
    title: 'Hono {version}, by hand',
    package: 'hono',
    command: ({ rows, port }) => [node, from('hono.mjs'), rows, port],
  },
  'json-server': {
    ...plain,
    title: 'json-server {version}',
    package: 'json-server',
    page: '/annotations?_page={page}&_per_page=100',
    rows: ({ body }) => body.data,
    count: ({ body }) => body.items,
    command: ({ rows, folder, port }) => [
      node,
      from('node_modules/json-server/lib/bin.js'),
      database(rows, folder),
      '--port',
      port,
    ],
  },
  'json-server-0.17': {
    ...plain,
    title: 'json-server {version}',
    package: 'json-server-0.17',
    page: '/annotations?_limit=100&_start={offset}',
    command: ({ rows, folder, port }) => {
      const bin = from('node_modules/json-server-0.17/lib/cli/bin.js')
      return [node, bin, database(rows, folder), '--quiet', '--port', port]
    },
  },
  mockoon: {
    ...plain,
    title: 'Mockoon {version}',
    package: '@mockoon/cli',
    page: '/annotations?limit=100&page={page}',
    command: ({ rows, folder, port }) => {
      const data = ['--data', mockoon(rows, folder)]
      const quiet = ['--disable-log-to-file', '--disable-admin-api']
      return [
        node,
        from('node_modules/@mockoon/cli/bin/run.js'),
        'start',
        ...data,
        ...quiet,
        '--port',
        port,
      ]
    },
  },
  prism: {
    ...whole,
    title: 'Prism {version}, static',
    package: '@stoplight/prism-cli',
    all: api.slice(0, -1),
    one: `${api}{id}`,
    page: `${api.slice(0, -1)}?limit=100&offset={offset}`,
    command: ({ page, folder, port }) => {
      const bin = from('node_modules/@stoplight/prism-cli/dist/index.js')
      return [node, bin, 'mock', openapi(page, folder), '--port', port]
    },
  },
  mockserver: {
    ...plain,
    title: 'MockServer {version}',
    package: 'mockserver-node',
    page: '/annotations?size=100&page={index}',
    warmUp: 4,
    command: ({ port }) => {
      const jar = `mockserver-netty-${versionOf('mockserver-node')}-jar-with-dependencies.jar`
      return [
        'java',
        '-jar',
        from(`node_modules/mockserver-node/${jar}`),
        'run',
        '-p',
        port,
        '-l',
        'ERROR',
      ]
    },
    async setUp({ url, rows }) {
      const status = await fetch(`${url}/mockserver/status`, { method: 'PUT' }).catch(() => null)
      if (!status?.ok) return false
      const initialData = JSON.parse(readFileSync(rows, 'utf8'))
      const body = {
        basePath: '/annotations',
        idField: 'id',
        idStrategy: 'AUTO_INCREMENT',
        initialData,
      }
      const init = {
        method: 'PUT',
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      }
      const response = await fetch(`${url}/mockserver/crud`, init)
      if (!response.ok) throw new Error(`it refuses the rows with ${response.status}`)
      return true
    },
  },
  wiremock: {
    ...whole,
    title: 'WireMock {version}, static',
    package: 'wiremock',
    all: api.slice(0, -1),
    one: `${api}{id}`,
    page: `${api.slice(0, -1)}?limit=100&offset={offset}`,
    command: ({ rows, page, folder, port }) => {
      writeStubs(rows, page, folder)
      const jar = from(
        `node_modules/wiremock/build/wiremock-standalone-${versionOf('wiremock')}.jar`,
      )
      const quiet = ['--no-request-journal', '--disable-request-logging', '--disable-banner']
      return ['java', '-jar', jar, '--port', port, '--root-dir', folder, ...quiet]
    },
  },
  'mswjs-data': {
    ...plain,
    title: '@mswjs/data {version}',
    package: '@mswjs/data',
    page: '/annotations?take=100&skip={offset}',
    count: undefined,
    edit: 'PUT',
    command: ({ rows, port }) => [node, from('mswjs-data.mjs'), rows, port],
  },
}

/** The version of a package, as it is installed. */
export function versionOf(name) {
  return JSON.parse(readFileSync(from(`node_modules/${name}/package.json`), 'utf8')).version
}

/** json-server writes its file, so each has its own. */
function database(rows, folder) {
  return write(folder, 'db.json', `{"annotations":${readFileSync(rows, 'utf8')}}`)
}

/** A data bucket, and a route of the kind CRUD that reads and writes it. */
function mockoon(rows, folder) {
  const { BuildCRUDRoute, BuildDatabucket, BuildEnvironment } = required('@mockoon/commons')
  const bucket = { ...BuildDatabucket(), name: 'rows', value: readFileSync(rows, 'utf8') }
  const route = BuildCRUDRoute(true, { endpoint: 'annotations', databucketID: bucket.id })
  const environment = BuildEnvironment({ hasDefaultRoute: false, hasContentTypeHeader: true })
  const rootChildren = [{ type: 'route', uuid: route.uuid }]
  const data = { ...environment, routes: [route], rootChildren, data: [bucket] }
  return write(folder, 'mockoon.json', JSON.stringify(data))
}

/** Writes a stub for the first page of the list, a stub for all rows, and a file for each row. */
function writeStubs(rows, page, folder) {
  const [stubs, bodies] = ['mappings', '__files'].map((name) => join(folder, name))
  for (const path of [stubs, bodies]) mkdirSync(path)
  for (const row of JSON.parse(readFileSync(rows, 'utf8'))) {
    write(bodies, `${row.id}.json`, JSON.stringify(row))
  }
  write(bodies, 'page.json', readFileSync(page, 'utf8'))
  const headers = { authorization: { equalTo: 'Bearer phx_all' } }
  const jsonFile = (bodyFileName) => ({
    bodyFileName,
    status: 200,
    headers: { 'content-type': 'application/json' },
  })
  const mappings = [
    {
      request: { method: 'GET', urlPath: api.slice(0, -1), headers },
      response: jsonFile('page.json'),
    },
    {
      request: { method: 'GET', urlPathPattern: `${api}[0-9]+`, headers },
      response: {
        ...jsonFile('{{request.path.[4]}}.json'),
        transformers: ['response-template'],
      },
    },
    { priority: 10, request: { method: 'ANY' }, response: { status: 401 } },
  ]
  write(stubs, 'stubs.json', JSON.stringify({ mappings }))
}

/** The document of the API, with the first page of the rows as the example of its list. */
function openapi(page, folder) {
  const document = JSON.parse(readFileSync(at('../../../src/api/openapi.json'), 'utf8'))
  const list = document.paths['/api/projects/{project_id}/annotations'].get
  const content = list.responses['200'].content['application/json']
  content.example = JSON.parse(readFileSync(page, 'utf8'))
  return write(folder, 'openapi.json', JSON.stringify(document))
}

function write(folder, name, text) {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
