// The library: tsc writes a module for each source that an export loads, and the declarations that their types need.
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
const tsc = join(dirname(typescript), 'bin', 'tsc')

/** Writes into `dist`. @param manifest package.json: what it exports, or has for browsers, is the library */
export function buildModules(root, { exports, browser }) {
  const dist = join(root, 'dist')
  const entries = Object.values(exports).filter((entry) => typeof entry !== 'string')
  const modules = [...entries.map((entry) => entry.default), ...Object.values(browser)]
  const sources = modules.map((file) => file.replace('./dist/', '../src/').replace('.js', '.ts'))
  const config = join(dist, 'tsconfig.json')
  const run = (files, flags, stdout = 'inherit') => {
    const include = ['../src/utils/*.d.ts']
    writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', files, include }))
    const options = { stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' }
    try {
      return execFileSync(process.execPath, [tsc, '-p', config, ...flags], options)
    } catch {
      // tsc has printed the errors of types.
      process.exit(1)
    }
  }

  run(sources, ['--emitDeclarationOnly'])
  // The docstrings stand in the declarations, where editors read them. The types are checked by now.
  run(sources, ['--declaration', 'false', '--removeComments', '--noCheck'])
  const types = entries.map((entry) => entry.types.replace('./dist/', './'))
  const needed = run(types, ['--listFilesOnly', '--rootDir', root], 'pipe').trim().split(/\r?\n/)
  rmSync(config)
  deleteOthers(
    dist,
    needed.map((file) => relative(dist, file)),
  )
}

/** Half of the declarations are of modules that only other modules import. */
function deleteOthers(dist, needed) {
  const declarations = readdirSync(dist, { recursive: true }).filter((file) =>
    file.endsWith('.d.ts'),
  )
  for (const file of declarations) if (!needed.includes(file)) rmSync(join(dist, file))
}
