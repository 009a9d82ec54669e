// What the package exports. `npm run docs` writes it to package.json, and a test compares.

/** What Node imports as `.`, what is no page imports as `./browser`, and the copy of `./vitest` for pages. */
export const indexInNode = 'index.node'
export const noPage = 'elsewhere/browser'
export const vitestInPage = 'vitest.page'

/**
 * The text of `noPage`, which throws when it is called: where a server renders pages, its bundler finds this import, too.
 */
export const noPageText = `
export async function startInBrowser() {
  const message = 'Failed to start in the browser: expected a page, got Node, a worker or React Native. Call startInBrowser() in the page only, as in an effect. A server that renders pages sends its requests to one of npx understudy-api exec, tests in Node use understudy-api/vitest or understudy-api/node, and others setupServer(...createSimulator().handlers).'
  throw Object.assign(new Error(message), { name: 'UsageError' })
}
`

/**
 * The modules that users import, and what stands for one in Node, in a page, and elsewhere, if that is another module.
 * `onlyIn` says where one works: in other places, what is loaded throws a sentence.
 *
 * @typedef {{ name: string, module: string, isRequired?: true, onlyIn?: string, inNode?: string, inPage?: string, elsewhere?: string }} Entry
 * @type {readonly Entry[]}
 */
export const entries = [
  { name: '.', module: 'index', isRequired: true, inNode: indexInNode },
  { name: './node', module: 'node', isRequired: true, onlyIn: 'Node' },
  { name: './browser', module: 'browser', inNode: noPage, elsewhere: noPage },
  { name: './express', module: 'express', isRequired: true, onlyIn: 'Node' },
  { name: './factories', module: 'factories' },
  { name: './playwright', module: 'playwright', onlyIn: 'Node' },
  { name: './playwright/reporter', module: 'integrations/playwright/reporter', onlyIn: 'Node' },
  {
    name: './vitest',
    module: 'vitest',
    onlyIn: "Node or a page of Vitest's browser mode",
    inPage: vitestInPage,
  },
  { name: './vitest/reporter', module: 'integrations/vitest/reporter', onlyIn: 'Node' },
]

const files = {
  './fixtures/*': './fixtures/*',
  './scenarios/*': './scenarios/*',
  './openapi.json': './src/api/openapi.json',
  './openapi.live.json': './src/api/openapi.live.json',
  './openapi.admin.json': './src/admin/openapi.json',
  './world.schema.json': './fixtures/world.schema.json',
  './scenario.schema.json': './scenarios/scenario.schema.json',
  './package.json': './package.json',
}

/** The `exports` of package.json. */
export function packageExports() {
  const ofEntries = entries.map((entry) => [entry.name, conditionsOf(entry)])
  return { ...Object.fromEntries(ofEntries), ...files }
}

/** The conditions of an entry, in the same order for each. @param {Entry} entry */
function conditionsOf({ module, isRequired, onlyIn, ...others }) {
  const refusal = onlyIn === undefined ? module : refusalOf(module)
  const { inNode = module, inPage = refusal, elsewhere = refusal } = others
  const file = `./dist/${module}.js`
  const types = `./dist/${module}.d.ts`
  // `require` of Node gets the ES module, by `module-sync`, so that a process has one copy. CommonJS is for Jest.
  const usual = {
    ...(isRequired && { 'module-sync': file, require: `./dist/${module}.cjs` }),
    default: file,
  }
  const conditionsFor = (target) => {
    const imported = `./dist/${target}.js`
    if (!isRequired) return imported
    return target === module ? usual : { import: imported, ...usual }
  }
  const places = [
    // Before all others, which Vitest, Bun and Deno can set beside it.
    ['node', inNode],
    ...['workerd', 'edge-light', 'worker', 'react-native'].map((name) => [name, elsewhere]),
    ['browser', inPage],
  ]
  // `default` has the rest.
  const named = places.slice(0, 1 + places.findLastIndex(([, target]) => target !== module))
  return {
    types: isRequired
      ? { 'module-sync': types, require: `./dist/${module}.d.cts`, default: types }
      : types,
    ...Object.fromEntries(named.map(([name, target]) => [name, conditionsFor(target)])),
    ...usual,
  }
}

/** The name of the module that throws where an entry does not work. */
export function refusalOf(module) {
  return `elsewhere/${module.split('/').slice(-2).join('-')}`
}

/** The text of that module. It has the names of the entry, so that whoever imports one finds the sentence. */
export function refusalText({ name, onlyIn }, names) {
  const entry = name.replace('.', 'understudy-api')
  const message = `Failed to load ${entry}: expected ${onlyIn}, got another place. In a worker, an edge runtime or React Native, use setupServer(...createSimulator().handlers), with createSimulator of understudy-api and setupServer of msw/node or msw/native; in a page, use understudy-api/browser.`
  return [
    `const message = ${JSON.stringify(message)}`,
    "throw Object.assign(new Error(message), { name: 'UsageError', stack: 'UsageError: ' + message })",
    ...names.map((value) =>
      value === 'default' ? 'export default undefined' : `export const ${value} = undefined`,
    ),
    '',
  ].join('\n')
}
