// Loads MSW for the library. `import 'msw'` of version 2 brings GraphQL, WebSockets and their parsers, which take as long as the
// rest of the library in each test file. In Node, `import` of an entry loads only what makes HTTP handlers: of msw 2 the same
// modules that `msw` has, so that handlers are of its classes. `require` cannot wait for that, and bundlers must see what they
// bundle: both get `import 'msw'`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The module of `src` that has what makes handlers, and its file in the package. */
export const mswHttp = { module: 'adapters/msw-http', file: 'msw/http' }

const inNode = 'import "#msw";'
const whole = (path) => `import "${path}msw/whole.js";`

/** What the entries begin with that make handlers. */
const starts = {
  vitest: inNode,
  index: whole('./'),
  node: whole('./'),
  express: whole('./'),
  playwright: whole('./'),
  'vitest.page': whole('./'),
  'page-simulator': whole('../'),
}

/** The first line of a file of the library. */
export const mswStart = ({ name, isEntry, isDynamicEntry }) =>
  ((isEntry || isDynamicEntry) && starts[name]) || ''

/** Replaces the module: another module of the package gives it what it exports. */
export const receiveMsw = {
  name: 'receive MSW',
  load(id) {
    if (!id.replaceAll('\\', '/').endsWith(`/${mswHttp.module}.ts`)) return null
    return 'export let http; export const receive = (msw) => { http ??= msw.http }'
  },
}

/** Writes the modules that load MSW, and the entry for Node. */
export function writeMswParts(dist) {
  const folder = join(dist, 'msw')
  mkdirSync(folder, { recursive: true })
  const load = (name, msw) =>
    writeFileSync(join(folder, name), `import { receive } from './http.js'\n${msw}\n`)
  load('whole.js', "import { http } from 'msw'\nreceive({ http })")
  // msw 3 has no such module, and nothing else in `msw`.
  load('parts.js', "receive(await import('msw/core/http').catch(() => import('msw')))")
  const index = readFileSync(join(dist, 'index.js'), 'utf8')
  writeFileSync(join(dist, 'index.node.js'), index.replace(starts.index, inNode))
}
