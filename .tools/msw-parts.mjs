// Loads MSW for the library. `import 'msw'` of version 2 brings GraphQL, WebSockets and their parsers, which take as long as the
// rest of the library in each test file. In Node, `import` of an entry loads only what makes HTTP handlers: of msw 2 the same
// modules that `msw` has, so that handlers are of its classes. `require` cannot wait for that, and gets `msw` as a whole.
// Bundlers, and runtimes without the condition `module-sync`, import `msw` where the library needs it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { indexInNode } from './exports.mjs'

const inNode = 'import "#msw";'
const required = 'import "./msw/required.js";'

/** What the entries begin with that make handlers in Node. */
const starts = {
  vitest: inNode,
  index: required,
  node: required,
  express: required,
  playwright: required,
}

/** The first line of a file of the library. */
export const mswStart = ({ name, isEntry }) => (isEntry && starts[name]) || ''

/** Leaves the module that has what makes handlers to `imports` of package.json, which knows where it runs. */
export function receiveMsw(src) {
  const module = join(src, 'adapters', 'msw-http.ts')
  return {
    name: 'receive MSW',
    resolveId: (specifier, importer) =>
      importer && resolve(dirname(importer), specifier) === module
        ? { id: '#msw-http', external: true }
        : null,
  }
}

const modules = {
  // For bundlers.
  'whole.js': "export { http } from 'msw'",
  // For Node, which loads one of the others beside it.
  'http.js': 'export let http\nexport const receive = (msw) => { http ??= msw.http }',
  'required.js':
    "import { http } from 'msw'\nimport { receive } from './http.js'\nreceive({ http })",
  // msw 3 has no such module, and nothing else in `msw`.
  'parts.js':
    "import { receive } from './http.js'\nreceive(await import('msw/core/http').catch(() => import('msw')))",
}

/** Writes the modules that load MSW, and the entry for Node. */
export function writeMswParts(dist) {
  mkdirSync(join(dist, 'msw'), { recursive: true })
  for (const [name, text] of Object.entries(modules))
    writeFileSync(join(dist, 'msw', name), `${text}\n`)
  const index = readFileSync(join(dist, 'index.js'), 'utf8')
  writeFileSync(join(dist, `${indexInNode}.js`), index.replace(required, inNode))
}
