import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'

/** The layers of src, from the ground up. A file imports from its own layer and from layers above it in this list. */
const layers = [
  'utils',
  'settings',
  'world',
  'http',
  'api',
  'adapters',
  'simulator',
  'scenarios',
  'explain',
  'mistakes',
  'report',
  'sweep',
  'scenarios/import',
  'compare',
  'simulator.ts',
  'scenarios/playback',
  'control',
  'dashboard',
  'server',
  'integrations',
  'cli',
]

/** Rooms that stand side by side: each is about one question, and imports none of the others. All may import explain. */
const sideBySide = ['sweep', 'scenarios/import', 'compare']

/** What those rooms do not import, either. */
const besides = ['mistakes', 'report']

/** One file for each export of the package. They import from any layer, and no layer imports them. */
const entries = [
  'index.ts',
  'node.ts',
  'browser.ts',
  'express.ts',
  'factories.ts',
  'vitest.ts',
  'playwright.ts',
  'cli.ts',
]

test('src contains the layers and the package entries, and nothing else', () => {
  const rooms = layers.filter((layer) => !layer.includes('/'))
  expect(readdirSync(join(root, 'src')).sort()).toEqual([...rooms, ...entries].sort())
})

test('every import points to the ground, once per module, and there are no circles, type imports included', async () => {
  const config = await temporaryFile({
    plugins: ['import'],
    categories: { correctness: 'off' },
    rules: {
      'import/no-cycle': ['error', { ignoreTypes: false }],
      'import/no-duplicates': ['error', { preferInline: true }],
    },
    overrides: layers.map((layer, index) => ({
      files: [layer.endsWith('.ts') ? `**/src/${layer}` : `**/src/${layer}/**`],
      rules: {
        'no-restricted-imports': ['error', { patterns: [{ regex: upwards(layer, index) }] }],
      },
    })),
  })

  const { stdout } = spawnSync('oxlint', ['-c', config, '-f', 'json', 'src'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
    maxBuffer: 64 * 1024 * 1024,
  })

  const { diagnostics, number_of_files } = JSON.parse(stdout)
  const found = diagnostics.map(
    ({ filename, message, note }: { filename: string; message: string; note?: string }) =>
      `${filename}: ${message} ${note ?? ''}`,
  )
  expect(found).toEqual([])
  expect(number_of_files).toBeGreaterThan(300)
})

/** A pattern for imports of the layers that come later in the list, of rooms beside this one, and of package entries. */
function upwards(layer: string, index: number): string {
  const beside = sideBySide.includes(layer) ? [...sideBySide, ...besides] : []
  const others = beside.filter((name) => name !== layer && layers.indexOf(name) < index)
  const later = [...others, ...layers.slice(index + 1), ...entries].map((name) => {
    if (name.endsWith('.ts')) return `${name.replace('.', '\\.')}$`
    // From within its parent, a nested room is `../import/`.
    return name.replace(/^(\w+\/)/, '(?:$1)?').concat('/')
  })
  const toRoot = layer.endsWith('.ts') ? '\\./' : '(\\.\\./)+'
  return `^${toRoot}(${later.join('|')})`
}
