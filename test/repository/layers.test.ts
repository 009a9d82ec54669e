import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'
import { readDocument } from '../support/repository/readme.ts'

/** The layers of src, from the ground up. A file imports from its own layer and from layers above it in this list. */
const layers = [...readDocument('CONTRIBUTING.md').matchAll(/^\| `(\w+)` \|/gm)].map(
  ([, name = '']) => name,
)

/** Rooms that stand side by side: each is about one question, and imports none of the others. All may import explain and fit. */
const sideBySide = ['sweep', 'import', 'compare']

/** The classes that users hold, whose methods lead to later layers up to this one, and load others on demand. */
const facades = {
  'simulator/simulator.ts': 'report',
  'simulator/journal/journal-reader.ts': 'mistakes',
}

/** One file for each export of the package, and the types of all. They import from any layer, and no layer imports them. */
const entries = [
  'index.ts',
  'node.ts',
  'types.ts',
  'browser.ts',
  'express.ts',
  'factories.ts',
  'vitest.ts',
  'playwright.ts',
  'cli.ts',
]

test('src contains the layers and the package entries, and nothing else', () => {
  expect(readdirSync(join(root, 'src')).sort()).toEqual([...layers, ...entries].sort())
})

test('every import points to the ground, once per module, and there are no circles, type imports included', async () => {
  const config = await temporaryFile({
    plugins: ['import'],
    categories: { correctness: 'off' },
    rules: {
      'import/no-cycle': ['error', { ignoreTypes: false }],
      'import/no-duplicates': ['error', { preferInline: true }],
    },
    overrides: [
      ...layers.map((layer) => ({ files: [`**/src/${layer}/**`], rules: onlyDownFrom(layer) })),
      ...Object.entries(facades).map(([file, upTo]) => ({
        files: [`**/src/${file}`],
        rules: onlyDownFrom(upTo, []),
      })),
    ],
  })

  const { stdout } = spawnSync('oxlint', ['-c', config, '-f', 'json', 'src'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
    maxBuffer: 64 * 1024 * 1024,
  })

  const { diagnostics, number_of_files } = JSON.parse(stdout)
  const problems: string[] = diagnostics.map(
    ({ filename, message, help, note }: Record<string, string>) =>
      [`${filename}: ${message}`, help, note].filter(Boolean).join(' '),
  )
  // An import of a later layer often closes circles, which say less.
  const upward = problems.filter((problem) => problem.includes('of src in CONTRIBUTING.md'))
  expect(upward.length > 0 ? upward : problems).toEqual([])
  expect(number_of_files).toBeGreaterThan(300)
})

/** Refuses imports of the layers that come later in the list, of rooms beside this one, and of package entries. */
function onlyDownFrom(layer: string, beside = sideBySide.includes(layer) ? sideBySide : []) {
  const index = layers.indexOf(layer)
  const others = beside.filter((name) => name !== layer && layers.indexOf(name) < index)
  const later = [...others, ...layers.slice(index + 1), ...entries].map((name) => {
    return name.endsWith('.ts') ? `${name.replace('.', '\\.')}$` : `${name}/`
  })
  const regex = `^(\\.\\./)+(${later.join('|')})`
  const message = `${layer} imports from itself and the layers above it: see the layers of src in CONTRIBUTING.md.`
  return { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] }
}
