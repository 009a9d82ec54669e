// `npm run docs`: writes what is generated. A test that compares a whole file writes it. Arguments are those of Vitest.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUp } from './setup.mjs'

setUp({ build: true })

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !/^consumers|\.slow\./.test(name))
  .map((name) => join('test', name))
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('toMatchFileSnapshot('))
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const args = [
  'run',
  '--config',
  'test/vitest.config.ts',
  ...tests,
  ...process.argv.slice(2),
  '--update',
]
const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
