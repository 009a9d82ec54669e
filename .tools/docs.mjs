// `npm run docs`: writes what is generated. A test that compares a whole file writes it. Arguments are those of Vitest.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUp } from './setup.mjs'

await setUp('package')

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('consumers'))
  .map((name) => join('test', name))
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('toMatchFileSnapshot('))
const slow = tests.filter((file) => file.includes('.slow.'))
const others = tests.filter((file) => !slow.includes(file))

process.exitCode = Math.max(
  update('test/vitest.config.ts', others),
  update('test/slow.config.ts', ['--project', 'slow', ...slow]),
)

function update(config, args) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const line = [vitest, 'run', '--config', config, ...args, ...process.argv.slice(2), '--update']
  return spawnSync(process.execPath, line, { cwd: root, stdio: 'inherit' }).status ?? 1
}
