// What other mocks answer to the requests of the README's table.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from '../processes.mjs'
import { installed, versionOf } from './servers.mjs'

const at = (name) => fileURLToPath(new URL(name, import.meta.url))
const from = (name) => join(installed, 'node_modules', name)
const document = at('../../../src/api/openapi.json')
const api = '/api/projects/1/annotations'
const rows = [{ id: 1, content: 'Release 1.0', scope: 'project' }]

/** The program and its arguments, the path of the list, and whether the path of a row ends with a slash. */
const mocks = (port, database) => ({
  Understudy: {
    list: `${api}/`,
    slash: '/',
    run: [at('../../../dist/understudy.js'), 'serve', '--port', port],
  },
  [`json-server ${versionOf('json-server-0.17')}`]: {
    list: '/annotations',
    run: [from('json-server-0.17/lib/cli/bin.js'), database, '--port', port],
  },
  [`Prism ${versionOf('@stoplight/prism-cli')}`]: {
    list: api,
    run: [from('@stoplight/prism-cli/dist/index.js'), 'mock', document, '--port', port],
  },
  [`Mockoon ${versionOf('@mockoon/cli')}`]: {
    list: api,
    run: [
      from('@mockoon/cli/bin/run.js'),
      'start',
      '--data',
      document,
      '--port',
      port,
      '--disable-log-to-file',
    ],
  },
})

/** Prints, for each mock, the status of each request, and what a list and a get show afterwards. */
export async function printAnswers() {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-answers-'))
  const database = join(folder, 'db.json')
  writeFileSync(database, JSON.stringify({ annotations: rows }))
  const port = '4840'
  try {
    for (const [title, { list, slash = '', run }] of Object.entries(mocks(port, database))) {
      const url = `http://127.0.0.1:${port}`
      const send = async (method, path, key, body) => {
        const response = await fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: body && JSON.stringify(body),
        })
        return { status: response.status, text: await response.text() }
      }
      const isReady = () =>
        fetch(url + list).then(
          () => true,
          () => false,
        )
      const { stop } = await launch([process.execPath, ...run], isReady, { cwd: folder })
      try {
        const row = `${list.replace(/\/$/, '')}/1${slash}`
        const scope = await send('GET', list, 'phx_plugins')
        const bad = await send('POST', list, 'phx_all', { content: 'A', scope: 'nonsense' })
        const created = await send('POST', list, 'phx_all', { content: 'Launch', scope: 'project' })
        const listed = await send('GET', list, 'phx_all')
        const deleted = await send('DELETE', row, 'phx_all')
        const after = await send('GET', row, 'phx_all')
        console.log(`  ${title}`)
        console.log(`    the key lacks the scope   ${scope.status}`)
        console.log(`    "scope": "nonsense"       ${bad.status}`)
        const isListed = listed.text.includes('Launch')
        console.log(`    a created row is listed   ${created.status}, ${isListed ? 'yes' : 'no'}`)
        console.log(`    DELETE of an annotation   ${deleted.status}, a get of it ${after.status}`)
      } finally {
        await stop()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
